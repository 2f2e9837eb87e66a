//! The class `NativeAutomaton`: a trained logic automaton.

use super::common::lock;
use crate::error::{detached, lab_exception};
use crate::json::to_python;
use crate::threads;
use numpy::prelude::*;
use numpy::{PyArray1, PyArray4, PyReadonlyArray4};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Map, json};
use std::sync::Mutex;
use vivarium_exhibit_logic_ca::TrainedAutomaton;
use vivarium_logic_ca::gate;
use vivarium_logic_ca::hard::{Boards, BoardsError};

/// Number of cell updates between two checks for signals: at most a few hundredths of a second.
const CELLS_PER_CHECK: usize = 1 << 24;

/// Trained logic automaton of a checkpoint. `vivarium_ml.Automaton` is the class for users.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativeAutomaton {
    channels: usize,
    automaton: Mutex<TrainedAutomaton>,
}

#[pymethods]
impl NativeAutomaton {
    #[new]
    fn new(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Self> {
        let automaton = detached(py, || TrainedAutomaton::open(checkpoint).map_err(lab_exception))?;
        Ok(Self { channels: automaton.circuit().channels(), automaton: Mutex::new(automaton) })
    }

    /// Description of the automaton: `height` and `width` of the training boards, `border`, `fire_rate`, `rollout_steps`,
    /// `target_channels`, and `circuit`, a dictionary of `channels`, `gates`, `original_gates`, `depth` and `functions`,
    /// the number of gates by function.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let automaton = lock(&self.automaton)?;
        let (config, statistics) = (automaton.config(), automaton.circuit().statistics());
        let functions = gate::NAMES.iter().zip(statistics.functions).filter(|(_, count)| *count > 0);
        let functions: Map<_, _> = functions.map(|(name, count)| ((*name).into(), count.into())).collect();
        let info = json!({
            "height": config.height,
            "width": config.width,
            "border": config.border.name(),
            "fire_rate": config.fire_rate,
            "rollout_steps": config.steps,
            "target_channels": automaton.target_channels(),
            "circuit": {
                "channels": self.channels,
                "gates": statistics.gates,
                "original_gates": automaton.original_gates(),
                "depth": statistics.depth(),
                "functions": functions,
            },
        });
        to_python(py, &info)
    }

    /// Returns boards in the initial state of training (`uint8` `[boards, height, width, channels]`).
    fn initial_state<'py>(
        &self,
        py: Python<'py>,
        boards: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let (bits, shape) = detached(py, || {
            let made = lock(&self.automaton)?.initial_boards(boards, seed).map_err(boards_exception)?;
            Ok(bits_of(&made))
        })?;
        PyArray1::from_vec(py, bits).reshape(shape)
    }

    /// Returns the boards `state` (`uint8` `[boards, height, width, channels]`, bits 0 and 1) after `steps` automaton
    /// steps with the numbers `first_step`, `first_step` + 1, …
    fn step<'py>(
        &self,
        py: Python<'py>,
        state: PyReadonlyArray4<'py, u8>,
        steps: u64,
        seed: u64,
        first_step: u32,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let &[count, height, width, channels] = state.shape() else {
            return Err(PyValueError::new_err("state must have the shape (boards, height, width, channels)"));
        };
        if channels != self.channels {
            let expected = self.channels;
            return Err(PyValueError::new_err(format!(
                "state has {channels} channels per cell; expected {expected}"
            )));
        }
        let bits = state.as_array();
        if let Some(value) = bits.iter().find(|value| **value > 1) {
            return Err(PyValueError::new_err(format!("state contains {value}; allowed is 0 and 1")));
        }
        let cpu = threads::cpu()?;
        let mut boards = lock(&self.automaton)?.boards(count, height, width).map_err(boards_exception)?;
        for channel in 0..channels {
            let plane = bits.index_axis(numpy::ndarray::Axis(3), channel);
            boards.set_channel(channel, plane.iter().map(|&bit| bit == 1));
        }
        let per_check = (CELLS_PER_CHECK / boards.grid().lanes()).max(1) as u64;
        let mut done = 0;
        while done < steps {
            let end = steps.min(done + per_check);
            detached(py, || {
                let mut automaton = lock(&self.automaton)?;
                for step in done..end {
                    automaton.step(cpu, &mut boards, seed, first_step.wrapping_add(step as u32));
                }
                Ok(())
            })?;
            py.check_signals()?;
            done = end;
        }
        let (bits, shape) = detached(py, || Ok(bits_of(&boards)))?;
        PyArray1::from_vec(py, bits).reshape(shape)
    }

    /// Returns the simplified circuit as JSON, the file format of `vivarium eval --circuit`.
    fn json(&self) -> PyResult<String> {
        Ok(lock(&self.automaton)?.circuit().to_json())
    }

    /// Returns the simplified circuit as a Verilog module.
    fn verilog(&self) -> PyResult<String> {
        Ok(lock(&self.automaton)?.circuit().to_verilog())
    }
}

fn boards_exception(error: BoardsError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the bits of all cells, `[boards, height, width, channels]`, and this shape.
fn bits_of(boards: &Boards) -> (Vec<u8>, [usize; 4]) {
    let (grid, channels) = (boards.grid(), boards.channels());
    let mut bits = vec![0; grid.lanes() * channels];
    for channel in 0..channels {
        let cells = bits.iter_mut().skip(channel).step_by(channels);
        cells.zip(boards.channel(channel)).for_each(|(cell, bit)| *cell = u8::from(bit));
    }
    (bits, [grid.boards, grid.height, grid.width, channels])
}

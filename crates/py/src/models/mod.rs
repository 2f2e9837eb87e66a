//! Trained models of checkpoints: policies, players of board games, solvers of cubes, language models.

mod language;
mod player;
mod policy;
mod solver;

use crate::error::lab_exception;
use language::NativeLanguageModel;
use numpy::{PyArray1, PyArray2};
use player::NativePlayer;
use policy::NativePolicy;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use solver::NativeSolver;
use std::sync::{Mutex, MutexGuard};
use vivarium_lab::checkpoint::read_header;

/// Outputs of a network with two heads for `n` states: probabilities or means (`float32` `[n, outputs]`), and values
/// (`float32` `[n]`).
type PolicyAndValueArrays<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// Adds the classes and functions of this module to the Python module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativePolicy>()?;
    module.add_class::<NativePlayer>()?;
    module.add_class::<NativeSolver>()?;
    module.add_class::<NativeLanguageModel>()?;
    module.add_function(wrap_pyfunction!(checkpoint_header, module)?)
}

/// Returns the name of the experiment and the number of training steps in the header of a checkpoint.
#[pyfunction]
fn checkpoint_header(checkpoint: &[u8]) -> PyResult<(String, u64)> {
    let header = read_header(checkpoint).map_err(lab_exception)?;
    Ok((header.experiment, header.steps))
}

/// Returns the model in `model`.
///
/// # Errors
/// `RuntimeError` if another thread uses the model, or a panic has left it in an unknown state.
fn lock<T>(model: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    model.try_lock().map_err(|_| {
        PyRuntimeError::new_err(
            "another thread is using this model; use it in one thread at a time, or load it twice",
        )
    })
}

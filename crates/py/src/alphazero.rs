//! The classes `NativeSelfPlay` and `NativeReplayLearner`: self-play and learning of AlphaZero in separate processes.

use crate::error::{detached, invalid, lab_exception};
use crate::experiment::{SIGNAL_INTERVAL, read_config, row_dict, write_file};
use crate::json::to_python;
use crate::threads::{self, ProcessPool};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Instant;
use vivarium_agents::Advance;
use vivarium_agents::alphazero::AlphaZeroCounters;
use vivarium_exhibit_games::distributed::{
    AnyReplayLearner, AnySelfPlay, open_replay_learner, replay_learner, self_play,
};
use vivarium_lab::protocol::MetricRow;

/// Adds the classes of this module to the Python module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativeSelfPlay>()?;
    module.add_class::<NativeReplayLearner>()
}

/// Returns the object in `object`.
///
/// # Errors
/// `RuntimeError` if another thread uses the object, or a panic has left it in an unknown state.
fn lock<T>(object: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    object.try_lock().map_err(|error| {
        PyRuntimeError::new_err(match error {
            TryLockError::WouldBlock => "another thread is using this object; use it in one thread at a time",
            TryLockError::Poisoned(_) => "an internal error has stopped this object; create it again",
        })
    })
}

/// Self-play of AlphaZero apart from learning. `vivarium_ml.alphazero.SelfPlay` is the class for users.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativeSelfPlay {
    games: Mutex<Box<dyn AnySelfPlay>>,
    pool: ProcessPool,
}

#[pymethods]
impl NativeSelfPlay {
    #[new]
    fn new(
        py: Python<'_>,
        game: &str,
        config: &Bound<'_, PyDict>,
        seed: u64,
        num_threads: usize,
    ) -> PyResult<Self> {
        let (given, pool) = (read_config(config)?, ProcessPool::new(num_threads)?);
        let games = detached(py, || self_play(game, &given, seed).map_err(lab_exception))?;
        Ok(Self { games: Mutex::new(games), pool })
    }

    /// Length of the network's weights, padding between parameters included.
    #[getter]
    fn num_weights(&self) -> PyResult<usize> {
        Ok(lock(&self.games)?.weights_len())
    }

    /// Replaces the weights of the network (`float32` `[num_weights]`). `games` and `samples` are the progress of the
    /// run.
    fn set_weights(&self, weights: PyReadonlyArray1<'_, f32>, games: u64, samples: u64) -> PyResult<()> {
        let weights = weights.as_slice()?;
        let mut games_in_play = lock(&self.games)?;
        let expected = games_in_play.weights_len();
        if weights.len() != expected {
            let allowed = format!("the network of this config has {expected} weights");
            return Err(invalid("weights", format!("{} numbers", weights.len()), &allowed));
        }
        if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
            return Err(invalid("weights", weight, "weights must be finite numbers"));
        }
        games_in_play.set_weights(weights, games, samples);
        Ok(())
    }

    /// Plays until games with at least `samples` samples have finished. Returns the samples as bytes, and their numbers
    /// of games and samples. After a signal, such as Ctrl-C, the next call continues.
    fn play<'py>(&self, py: Python<'py>, samples: usize) -> PyResult<(Bound<'py, PyBytes>, u64, usize)> {
        let cpu = self.pool.cpu()?;
        loop {
            let is_over = detached(py, || {
                let (mut games, begun) = (lock(&self.games)?, Instant::now());
                let games = &mut **games;
                cpu.install(|| {
                    loop {
                        let finished = games.round(cpu).map_err(lab_exception)?;
                        if finished >= samples || begun.elapsed() >= SIGNAL_INTERVAL {
                            return Ok(finished >= samples);
                        }
                    }
                })
            })?;
            py.check_signals()?;
            if is_over {
                break;
            }
        }
        let batch = detached(py, || Ok(lock(&self.games)?.take_batch()))?;
        Ok((PyBytes::new(py, &batch.bytes), batch.games, batch.samples))
    }
}

/// Learner of AlphaZero without self-play. `vivarium_ml.alphazero.Learner` is the class for users.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativeReplayLearner {
    learner: Mutex<Box<dyn AnyReplayLearner>>,
}

#[pymethods]
impl NativeReplayLearner {
    #[new]
    fn new(py: Python<'_>, game: &str, config: &Bound<'_, PyDict>, seed: u64) -> PyResult<Self> {
        let given = read_config(config)?;
        let learner = detached(py, || replay_learner(game, &given, seed).map_err(lab_exception))?;
        Ok(Self { learner: Mutex::new(learner) })
    }

    /// Restores a learner from the bytes of a checkpoint.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Self> {
        let learner = detached(py, || open_replay_learner(checkpoint).map_err(lab_exception))?;
        Ok(Self { learner: Mutex::new(learner) })
    }

    /// Name of the game.
    #[getter]
    fn game(&self) -> PyResult<&'static str> {
        Ok(lock(&self.learner)?.name())
    }

    /// Seed of the random numbers.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(lock(&self.learner)?.seed())
    }

    /// The complete config.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, lock(&self.learner)?.config())
    }

    /// Counters of the run: `games`, `samples`, `decisions`, `updates`, `generations`, `promotions`.
    #[getter]
    fn counters(&self) -> PyResult<BTreeMap<&'static str, u64>> {
        let AlphaZeroCounters { games, samples, decisions, updates, generations, promotions, .. } =
            lock(&self.learner)?.counters();
        Ok(BTreeMap::from([
            ("games", games),
            ("samples", samples),
            ("decisions", decisions),
            ("updates", updates),
            ("generations", generations),
            ("promotions", promotions),
        ]))
    }

    /// Adds the bytes of a batch of samples. Returns `False` if the batch was added before.
    fn add(&self, py: Python<'_>, samples: &[u8]) -> PyResult<bool> {
        detached(py, || lock(&self.learner)?.add(samples).map_err(lab_exception))
    }

    /// Takes all due gradient steps. Returns the metric row of the generation if the generation ended.
    fn update<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let cpu = threads::cpu()?;
        loop {
            let state = detached(py, || {
                let (mut learner, begun) = (lock(&self.learner)?, Instant::now());
                let learner = &mut **learner;
                cpu.install(|| {
                    loop {
                        let state = learner.advance(cpu).map_err(lab_exception)?;
                        if state != Advance::Unfinished(()) || begun.elapsed() >= SIGNAL_INTERVAL {
                            return Ok::<Advance<(), MetricRow>, PyErr>(state);
                        }
                    }
                })
            })?;
            match state {
                Advance::Finished(row) => return row_dict(py, &row).map(Some),
                Advance::Waiting => return Ok(None),
                Advance::Unfinished(()) => py.check_signals()?,
            }
        }
    }

    /// Returns a copy of the weights for self-play (`float32` `[num_weights]`).
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        Ok(PyArray1::from_slice(py, lock(&self.learner)?.weights()))
    }

    /// Returns the state as the bytes of a checkpoint.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || Ok(lock(&self.learner)?.save()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the state to a checkpoint, which replaces the file `path` atomically.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        detached(py, || write_file(&path, &lock(&self.learner)?.save()))
    }
}

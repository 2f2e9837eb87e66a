//! A run that several Python threads can access, one at a time.

use super::session::Session;
use crate::error::{detached, lab_exception};
use crate::threads;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};
use vivarium_graph::Cpu;
use vivarium_lab::LabError;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::protocol::Evaluation;

/// Interval at which long native computations check for signals, such as Ctrl-C.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// A run that several Python threads can access, one at a time. Methods never block on the mutex: waiting for it while
/// holding the interpreter lock could cause a deadlock.
pub(super) struct SharedRun(Mutex<Session>);

impl SharedRun {
    /// Creates the shared run of a session.
    pub(super) fn new(session: Session) -> Self {
        Self(Mutex::new(session))
    }

    /// Locks the run for the calling thread.
    ///
    /// # Errors
    /// `RuntimeError` if another thread uses the run, or a panic has left it in an unknown state.
    pub(super) fn lock(&self) -> PyResult<MutexGuard<'_, Session>> {
        self.0.try_lock().map_err(|error| {
            PyRuntimeError::new_err(match error {
                TryLockError::WouldBlock => {
                    "another thread is using this experiment; use it in one thread at a time"
                }
                TryLockError::Poisoned(_) => {
                    "an internal error has stopped this experiment; restore it from a checkpoint"
                }
            })
        })
    }

    /// Releases the interpreter lock, and calls `work` with the run.
    ///
    /// # Errors
    /// The exceptions of [`lock`](Self::lock); exceptions for errors that `work` returns.
    pub(super) fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Session, &Cpu) -> Result<T, LabError> + Send,
    ) -> PyResult<T> {
        let cpu = threads::cpu()?;
        detached(py, || work(&mut *self.lock()?, cpu).map_err(lab_exception))
    }

    /// Evaluates the run in `trials` trials. Returns `None` if the evaluation was stopped.
    ///
    /// # Errors
    /// The exceptions of [`work`](Self::work), and exceptions of signal handlers, such as `KeyboardInterrupt`.
    pub(super) fn evaluation(&self, py: Python<'_>, trials: u32, seed: u64) -> PyResult<Option<Evaluation>> {
        let cpu = threads::cpu()?;
        detached(py, || {
            let interrupted = RefCell::new((Instant::now(), None));
            let is_stopped = |_: f64| {
                let (last, raised) = &mut *interrupted.borrow_mut();
                if raised.is_none() && last.elapsed() >= SIGNAL_INTERVAL {
                    *last = Instant::now();
                    *raised = Python::attach(|py| py.check_signals()).err();
                }
                raised.is_some()
            };
            let episodes = Episodes { count: trials, seed, stop: &is_stopped };
            let mut session = self.lock()?;
            let evaluation =
                session.experiment.evaluate_interruptible(cpu, episodes).map_err(lab_exception)?;
            interrupted.into_inner().1.map_or(Ok(evaluation), Err)
        })
    }
}

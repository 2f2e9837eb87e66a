//! The thread pool of experiments and trained models, which all objects of the process share.

use crate::error::invalid;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};
use vivarium_graph::Cpu;

/// Maximum number of threads that a caller can request.
const MAX_THREADS: usize = 1024;

/// The CPU engine with its thread pool, and the process in which its threads run.
pub(crate) struct ProcessPool {
    cpu: Cpu,
    /// Identifier of the process that started the threads. Threads do not exist in a forked process.
    process: u32,
}

impl ProcessPool {
    /// Starts `num_threads` threads.
    fn start(num_threads: usize) -> Self {
        Self { cpu: Cpu::new(num_threads), process: std::process::id() }
    }

    /// Starts the threads of an object that has a pool of its own.
    ///
    /// # Errors
    /// `ValueError` for a number that is not allowed.
    pub(crate) fn new(num_threads: usize) -> PyResult<Self> {
        check(num_threads).map(|()| Self::start(num_threads))
    }

    /// Returns the CPU engine.
    ///
    /// # Errors
    /// `RuntimeError` if this process was forked after the threads started.
    pub(crate) fn cpu(&self) -> PyResult<&Cpu> {
        if self.cpu.threads() > 1 && self.process != std::process::id() {
            return Err(PyRuntimeError::new_err(
                "this process was forked after vivarium_ml started its threads, and threads do not survive a fork; \
                 start processes with multiprocessing's method \"spawn\" or \"forkserver\", or fork before the first \
                 experiment",
            ));
        }
        Ok(&self.cpu)
    }
}

static POOL: OnceLock<ProcessPool> = OnceLock::new();
/// The requested number of threads; `None`: one per CPU of this process.
static REQUESTED: Mutex<Option<usize>> = Mutex::new(None);

fn requested() -> usize {
    let requested = *REQUESTED.lock().unwrap_or_else(PoisonError::into_inner);
    requested.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Returns the CPU engine. The first call starts its threads.
///
/// # Errors
/// `RuntimeError` if this process was forked after the threads started.
pub(crate) fn cpu() -> PyResult<&'static Cpu> {
    POOL.get_or_init(|| ProcessPool::start(requested())).cpu()
}

/// Checks a requested number of threads.
fn check(num_threads: usize) -> PyResult<()> {
    if (1..=MAX_THREADS).contains(&num_threads) {
        return Ok(());
    }
    Err(invalid("num_threads", num_threads, &format!("allowed is 1 to {MAX_THREADS}")))
}

/// Sets the number of threads of experiments and trained models. The default is one thread per CPU that this process
/// may use. Results do not depend on the number of threads.
#[pyfunction]
pub(crate) fn set_num_threads(num_threads: usize) -> PyResult<()> {
    check(num_threads)?;
    match POOL.get() {
        Some(pool) if pool.cpu.threads() != num_threads => Err(PyRuntimeError::new_err(format!(
            "vivarium_ml already runs {} threads; call set_num_threads before the first experiment or model",
            pool.cpu.threads()
        ))),
        _ => {
            *REQUESTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(num_threads);
            Ok(())
        }
    }
}

/// Returns the number of threads of experiments and trained models.
#[pyfunction]
pub(crate) fn get_num_threads() -> usize {
    POOL.get().map_or_else(requested, |pool| pool.cpu.threads())
}

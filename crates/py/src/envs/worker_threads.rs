//! Threads that step parts of a batch beside the calling thread.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads beside the calling one. They start at the first use, and do not exist in a forked process.
#[derive(Default)]
pub(crate) struct WorkerThreads {
    /// `None` before the start, and if the calling thread does all the work.
    pool: Option<ThreadPool>,
    /// Identifier of the process that started the threads.
    process: u32,
}

impl WorkerThreads {
    /// Starts `count` threads, if they are needed and have not started yet.
    ///
    /// # Errors
    /// `RuntimeError` if the operating system starts no thread, or this process was forked after the threads started.
    pub(crate) fn prepare(&mut self, count: usize) -> PyResult<()> {
        if count > 0 && self.pool.is_none() {
            let pool = ThreadPoolBuilder::new().num_threads(count).build().map_err(|error| {
                PyRuntimeError::new_err(format!("threads could not start: {error}; set num_threads=1"))
            })?;
            (self.pool, self.process) = (Some(pool), std::process::id());
        }
        if self.pool.is_some() && self.process != std::process::id() {
            return Err(PyRuntimeError::new_err(
                "this process was forked after the threads of the environments started, and threads do not survive a \
                 fork; create the environments in the forked process, or set num_threads=1",
            ));
        }
        Ok(())
    }

    /// Executes all functions of `work`, the first one in the calling thread.
    pub(crate) fn run<W: FnOnce() + Send>(&self, mut work: impl Iterator<Item = W>) {
        let first = work.next();
        match &self.pool {
            Some(pool) => pool.in_place_scope(|scope| {
                work.for_each(|part| scope.spawn(move |_| part()));
                first.into_iter().for_each(|part| part());
            }),
            None => first.into_iter().chain(work).for_each(|part| part()),
        }
    }
}

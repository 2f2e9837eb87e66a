//! Worker threads, which step parts of a batch in parallel with the calling thread.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Worker threads. They are started at the first use, and do not exist in a forked process.
#[derive(Default)]
pub(crate) struct WorkerThreads {
    /// Thread pool; `None` before the start, or if the calling thread does all the work.
    pool: Option<ThreadPool>,
    /// Identifier of the process that started the threads.
    process: u32,
}

impl WorkerThreads {
    /// Starts `count` worker threads if `count` is positive and they are not running.
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

    /// Calls all functions of `work` in parallel and waits for them. The calling thread runs the first function, the
    /// worker threads run the others.
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

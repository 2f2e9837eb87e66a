//! Thread pool and SIMD level of the CPU engine.

use rayon::{ThreadPool, ThreadPoolBuilder};
use vivarium_kernels::{Level, simd};

/// The CPU engine: a SIMD level and a thread pool.
///
/// Parallelism is over the rows of the batch, not within an operation. A thread executes the whole plan for a group of
/// rows, chunk by chunk, so that intermediate values stay in its cache. For a gradient, the division into groups and the
/// order of the sums depend only on the plan and the number of rows. In a forward pass the result of a row does not
/// depend on the rows beside it, so a batch of few rows is divided as well. Therefore results are bitwise equal for any
/// number of threads.
///
/// The first run of an execution plan allocates memory in the [`Workspaces`](crate::Workspaces); later runs do not
/// allocate. With several threads, rayon allocates a block of its queue for about every 60 calls from outside the pool.
/// Calls within [`Cpu::install`] do not allocate.
#[derive(Debug)]
pub struct Cpu {
    level: Level,
    threads: usize,
    pool: Option<ThreadPool>,
}

impl Cpu {
    /// Creates an engine with `threads` threads (at least one) at the best SIMD level of this machine.
    ///
    /// In a browser the engine uses rayon's global thread pool, which the page's web worker must create first. If no
    /// thread pool can be created, the engine uses the calling thread alone.
    pub fn new(threads: usize) -> Self {
        let level = simd::level();
        if threads <= 1 {
            return Self { level, threads: 1, pool: None };
        }
        if cfg!(target_family = "wasm") {
            return Self { level, threads, pool: None };
        }
        let named = |index| format!("vivarium-{index}");
        match ThreadPoolBuilder::new().num_threads(threads).thread_name(named).build() {
            Ok(pool) => Self { level, threads, pool: Some(pool) },
            Err(_) => Self { level, threads: 1, pool: None },
        }
    }

    /// Returns the SIMD level at which the engine runs its kernels.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the number of threads of the engine.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` inside the thread pool. Use the method around several parallel calls, which then wake the pool's
    /// threads only once.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Runs both closures, in parallel if a thread is free, and returns both results.
    pub(crate) fn join<A: Send, B: Send>(
        &self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if self.threads == 1 { (first(), second()) } else { self.install(|| rayon::join(first, second)) }
    }
}

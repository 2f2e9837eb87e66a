//! Working memory of the CPU engine's threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vivarium_kernels::AlignedVec;

use crate::cpu::Cpu;
use crate::execute::Workspace;
use crate::plan::Plan;

/// Working memory of a [`Cpu`] engine: a workspace for each thread, and a gradient buffer for each row group (part of
/// the batch).
///
/// The memory grows at the first run, and later if a plan needs more memory or an engine has more threads.
#[derive(Debug, Default)]
pub struct Workspaces {
    workers: Vec<Mutex<Workspace>>,
    pub(crate) buffers: Vec<AlignedVec<f32>>,
    /// Expected next call of [`Cpu::gradients_slice`], while a gradient is computed in several calls; the partial sums
    /// are in `buffers`. `None` if no such gradient is in progress.
    pub(crate) next: Option<NextSlice>,
}

/// Expected arguments of the next call of [`Cpu::gradients_slice`]: length of the parameter buffer, number of batch
/// rows, and slice index.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NextSlice {
    pub(crate) parameters: usize,
    pub(crate) rows: usize,
    pub(crate) slice: usize,
}

impl Workspaces {
    /// Returns the allocated size of all workspaces and gradient buffers in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of_worker = |worker: &Mutex<Workspace>| {
            worker.lock().unwrap_or_else(PoisonError::into_inner).numbers() * size_of::<f32>()
        };
        let buffers: usize = self.buffers.iter().map(|buffer| size_of_val(&buffer[..])).sum();
        self.workers.iter().map(of_worker).sum::<usize>() + buffers
    }

    /// Grows the workspace of each thread of the engine to the size that an execution plan needs.
    pub(crate) fn fit(&mut self, cpu: &Cpu, plan: &Plan) {
        if self.workers.len() < cpu.threads() {
            self.workers.resize_with(cpu.threads(), Mutex::default);
        }
        for worker in &mut self.workers {
            worker.get_mut().unwrap_or_else(PoisonError::into_inner).fit(plan);
        }
    }

    /// Returns the workspace of the current thread. Each thread locks its own workspace, so the lock never blocks.
    pub(crate) fn worker(&self) -> MutexGuard<'_, Workspace> {
        let index = rayon::current_thread_index().unwrap_or(0) % self.workers.len();
        self.workers[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

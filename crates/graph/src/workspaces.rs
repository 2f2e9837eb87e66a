//! The memory of an engine's workers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vivarium_kernels::AlignedVec;

use crate::cpu::Cpu;
use crate::execute::Workspace;
use crate::plan::Plan;

/// The working memory of the workers of an engine, whatever their number, and their gradient buffers. It grows at first use,
/// and when an engine with more threads or a larger plan runs in it.
#[derive(Debug, Default)]
pub struct Workspaces {
    workers: Vec<Mutex<Workspace>>,
    pub(crate) buffers: Vec<AlignedVec<f32>>,
    /// The next slice of a gradient in slices, of which the buffers hold a part.
    pub(crate) next: Option<NextSlice>,
}

/// The next slice of a gradient, and what distinguishes that gradient from others.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NextSlice {
    pub(crate) parameters: usize,
    pub(crate) rows: usize,
    pub(crate) slice: usize,
}

impl Workspaces {
    /// Bytes that they hold.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of_worker = |worker: &Mutex<Workspace>| {
            worker.lock().unwrap_or_else(PoisonError::into_inner).numbers() * size_of::<f32>()
        };
        let buffers: usize = self.buffers.iter().map(|buffer| size_of_val(&buffer[..])).sum();
        self.workers.iter().map(of_worker).sum::<usize>() + buffers
    }

    /// Makes room for a plan in the memory of each of the engine's workers, whichever of them will run.
    pub(crate) fn fit(&mut self, cpu: &Cpu, plan: &Plan) {
        if self.workers.len() < cpu.threads() {
            self.workers.resize_with(cpu.threads(), Mutex::default);
        }
        for worker in &mut self.workers {
            worker.get_mut().unwrap_or_else(PoisonError::into_inner).fit(plan);
        }
    }

    /// The memory of the worker that asks. Only this worker locks it, so the lock never blocks.
    pub(crate) fn worker(&self) -> MutexGuard<'_, Workspace> {
        let index = rayon::current_thread_index().unwrap_or(0) % self.workers.len();
        self.workers[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

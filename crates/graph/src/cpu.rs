//! The CPU engine: many rows over many threads, with a result that does not depend on how many there are.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use vivarium_kernels::{AlignedVec, Level, simd};

use crate::execute::{Run, Workspace};
use crate::groups::{Groups, Job, Part, share_out};
use crate::packed::PackedParameters;
use crate::parameters::{Gradients, Parameters};
use crate::plan::Plan;

/// Rows are cut into at most this many groups, each with a gradient buffer of its own.
const MAX_GROUPS: usize = 32;

/// All gradient buffers together hold at most about this many numbers (16 MiB).
const MAX_GRADIENT_NUMBERS: usize = 1 << 22;

/// The CPU engine: a SIMD level and a number of threads.
///
/// It is parallel over the batch, not inside an operation: a worker takes a group of rows through the whole plan, chunk by
/// chunk, in its own cache. How rows are cut into groups, and the order in which the groups' gradients are added up,
/// follow from the plan and the number of rows alone, so that the result is the same for any number of threads.
///
/// The first run of a plan makes room in the [`Workspaces`]; after that, running allocates nothing. With several threads
/// rayon may: a block of its queue for every 60 or so calls from outside the pool, none for calls inside
/// [`Cpu::install`].
#[derive(Debug)]
pub struct Cpu {
    level: Level,
    threads: usize,
    pool: Option<ThreadPool>,
}

impl Cpu {
    /// An engine with this many threads (at least one), at the best SIMD level of this machine.
    ///
    /// In the browser the threads are those of rayon's global pool, which the page's worker sets up before. Where no
    /// threads can be had, it works with one.
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

    /// The SIMD level. Packed parameters must be packed for it.
    pub fn level(&self) -> Level {
        self.level
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` on one of the engine's threads, so that what it starts there need not wake the others each time.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Does both, each on whichever thread is free.
    pub fn join<A: Send, B: Send>(
        &self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if self.threads == 1 { (first(), second()) } else { self.install(|| rayon::join(first, second)) }
    }

    /// Calls `work` with every item and its index, spread over the threads; returns when all are done.
    pub fn for_each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        if self.threads == 1 || items.len() <= 1 {
            items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
        } else {
            self.install(|| for_each_split(items, 0, &work));
        }
    }

    /// [`Plan::run`] over the threads.
    ///
    /// # Panics
    /// As [`Plan::run`], and if the plan has more than 16 outputs.
    pub fn run(
        &self,
        plan: &Plan,
        parameters: &Parameters,
        packed: &PackedParameters,
        workspaces: &mut Workspaces,
        rows: usize,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
    ) {
        assert!(!plan.has_gradients(), "a plan with gradients runs through Cpu::gradients");
        workspaces.fit(plan);
        let run = Run::new(plan, self.level, parameters, packed, inputs, 0.0);
        let groups = Groups::new(plan, rows, MAX_GROUPS);
        self.groups(&run, groups, Part::ALL, workspaces, outputs, &mut []);
    }

    /// [`Plan::gradients`] over the threads.
    ///
    /// # Panics
    /// As [`Plan::gradients`], and if the plan has more than 16 outputs.
    pub fn gradients(
        &self,
        plan: &Plan,
        parameters: &Parameters,
        packed: &PackedParameters,
        workspaces: &mut Workspaces,
        rows: usize,
        row_weight: f32,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) {
        let run = Run::new(plan, self.level, parameters, packed, inputs, row_weight);
        self.gradients_of(&run, rows, None, workspaces, outputs, gradients);
    }

    /// [`Cpu::gradients`] in slices, a chunk for each thread, for those who have other things to do in between: to be called
    /// with the same rows and the slices 0, 1, … until it says `true`, that all is done. The gradients are the same to the
    /// last bit.
    ///
    /// # Panics
    /// As [`Cpu::gradients`], and where other gradients were computed in these workspaces between two slices, or a slice is
    /// left out.
    pub fn gradients_slice(
        &self,
        plan: &Plan,
        parameters: &Parameters,
        packed: &PackedParameters,
        workspaces: &mut Workspaces,
        rows: usize,
        slice: usize,
        row_weight: f32,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) -> bool {
        let run = Run::new(plan, self.level, parameters, packed, inputs, row_weight);
        self.gradients_of(&run, rows, Some(slice), workspaces, outputs, gradients)
    }

    /// All of the gradients, or a slice; whether all is done.
    fn gradients_of(
        &self,
        run: &Run<'_>,
        rows: usize,
        slice: Option<usize>,
        workspaces: &mut Workspaces,
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) -> bool {
        workspaces.fit(run.plan);
        let len = run.plan.parameters_len();
        if let Some(slice) = slice.filter(|&slice| slice > 0) {
            let next = Some(Next { parameters: len, rows, slice });
            assert_eq!(
                workspaces.next, next,
                "the slices of a gradient come one after the other, with none of another"
            );
        }
        let most = (MAX_GRADIENT_NUMBERS / len.max(1)).clamp(4, MAX_GROUPS);
        let groups = Groups::new(run.plan, rows, most);
        let (part, is_last) = slice.map_or((Part::ALL, true), |slice| groups.part(slice, self.threads));
        let following = slice.filter(|_| !is_last).map(|slice| slice + 1);
        workspaces.next = following.map(|slice| Next { parameters: len, rows, slice });
        if groups.count <= 1 {
            let rows = part.rows(groups, 0);
            run.rows(
                &mut workspaces.worker(),
                rows.start,
                rows.len(),
                rows.start,
                outputs,
                gradients.flat_mut(),
            );
            return is_last;
        }
        let mut buffers = std::mem::take(&mut workspaces.buffers);
        if buffers.len() < groups.count || buffers.first().is_some_and(|b| b.len() < len) {
            buffers = vec![AlignedVec::zeros(len); groups.count];
        }
        self.groups(run, groups, part, workspaces, outputs, &mut buffers[..groups.count]);
        if is_last {
            self.add_all(&buffers[..groups.count], gradients.flat_mut());
        }
        workspaces.buffers = buffers;
        is_last
    }

    /// Runs all groups, on one thread or on all.
    fn groups(
        &self,
        run: &Run<'_>,
        groups: Groups,
        part: Part,
        workspaces: &Workspaces,
        outputs: &mut [&mut [f32]],
        buffers: &mut [AlignedVec<f32>],
    ) {
        let slots = share_out(run, groups, outputs);
        let job = Job { run, groups, part, workspaces, parallel: self.threads > 1 && groups.count > 1 };
        if job.parallel {
            self.install(|| job.split(0, groups.count, slots, buffers));
        } else {
            job.split(0, groups.count, slots, buffers);
        }
    }
}

/// The working memory of an engine's workers, and their gradient buffers. Grows at first use, then stays.
#[derive(Debug)]
pub struct Workspaces {
    workers: Vec<Mutex<Workspace>>,
    buffers: Vec<AlignedVec<f32>>,
    /// What a gradient in slices, of which the buffers hold a part, goes on with.
    next: Option<Next>,
}

/// The next slice of a gradient, and what tells that gradient from others.
#[derive(Debug, PartialEq, Eq)]
struct Next {
    parameters: usize,
    rows: usize,
    slice: usize,
}

impl Workspaces {
    /// Memory for this engine's workers; each plan that runs in it finds or makes the room it needs.
    pub fn new(cpu: &Cpu) -> Self {
        let workers = (0..cpu.threads).map(|_| Mutex::default()).collect();
        Self { workers, buffers: Vec::new(), next: None }
    }

    /// Bytes that they hold.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of_worker = |worker: &Mutex<Workspace>| {
            worker.lock().unwrap_or_else(PoisonError::into_inner).numbers() * size_of::<f32>()
        };
        let buffers: usize = self.buffers.iter().map(|buffer| size_of_val(&buffer[..])).sum();
        self.workers.iter().map(of_worker).sum::<usize>() + buffers
    }

    /// Makes room for a plan in every worker's memory, whichever of them will run.
    fn fit(&mut self, plan: &Plan) {
        for worker in &mut self.workers {
            worker.get_mut().unwrap_or_else(PoisonError::into_inner).fit(plan);
        }
    }

    /// The memory of the worker that asks. Only this worker locks it, so that nobody ever waits.
    pub(crate) fn worker(&self) -> MutexGuard<'_, Workspace> {
        let index = rayon::current_thread_index().unwrap_or(0) % self.workers.len();
        self.workers[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls `work` with every item, by halves, each half on whichever thread is free.
fn for_each_split<T: Send>(items: &mut [T], first: usize, work: &(impl Fn(usize, &mut T) + Sync)) {
    if let [item] = items {
        return work(first, item);
    }
    let half = items.len() / 2;
    let (front, back) = items.split_at_mut(half);
    rayon::join(|| for_each_split(front, first, work), || for_each_split(back, first + half, work));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_visited_once_with_its_index() {
        for threads in [0, 1, 2, 5] {
            let cpu = Cpu::new(threads);
            assert_eq!(cpu.threads(), threads.max(1));
            for len in [0, 1, 2, 7, 100] {
                let mut items = vec![0; len];
                cpu.for_each(&mut items, |index, item| *item += index + 1);
                assert!(items.iter().enumerate().all(|(index, &item)| item == index + 1), "{items:?}");
            }
        }
    }
}

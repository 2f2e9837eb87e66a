//! The CPU engine: many rows over many threads, with a result that does not depend on how many there are.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use vivarium_kernels::{AlignedVec, Level, simd};

use crate::execute::{MAX_OUTPUTS, Run, Workspace};
use crate::packed::PackedParameters;
use crate::parameters::{Gradients, Parameters};
use crate::plan::Plan;
use crate::shape::Shape;

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
    pub(crate) fn join<A: Send, B: Send>(
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
        self.groups(&run, groups, workspaces, outputs, &mut []);
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
        workspaces.fit(plan);
        let run = Run::new(plan, self.level, parameters, packed, inputs, row_weight);
        let most = (MAX_GRADIENT_NUMBERS / plan.parameters_len().max(1)).clamp(4, MAX_GROUPS);
        let groups = Groups::new(plan, rows, most);
        if groups.count <= 1 {
            return run.rows(&mut workspaces.worker(), 0, rows, outputs, gradients.flat_mut());
        }
        let mut buffers = std::mem::take(&mut workspaces.buffers);
        if buffers.len() < groups.count || buffers.first().is_some_and(|b| b.len() < plan.parameters_len()) {
            buffers = vec![AlignedVec::zeros(plan.parameters_len()); groups.count];
        }
        self.groups(&run, groups, workspaces, outputs, &mut buffers[..groups.count]);
        self.add_all(&buffers[..groups.count], gradients.flat_mut());
        workspaces.buffers = buffers;
    }

    /// Runs all groups, on one thread or on all.
    fn groups(
        &self,
        run: &Run<'_>,
        groups: Groups,
        workspaces: &Workspaces,
        outputs: &mut [&mut [f32]],
        buffers: &mut [AlignedVec<f32>],
    ) {
        assert!(outputs.len() <= MAX_OUTPUTS, "a plan on several threads has at most {MAX_OUTPUTS} outputs");
        let mut slots = OutputSlots::default();
        let sizes = run.plan.outputs().iter().map(Shape::size);
        for ((slot, output), size) in slots.iter_mut().zip(outputs.iter_mut()).zip(sizes) {
            *slot = &mut output[..groups.rows * size];
        }
        let job = Job { run, groups, workspaces, parallel: self.threads > 1 && groups.count > 1 };
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
}

impl Workspaces {
    /// Memory for this engine's workers; each plan that runs in it finds or makes the room it needs.
    pub fn new(cpu: &Cpu) -> Self {
        Self { workers: (0..cpu.threads).map(|_| Mutex::default()).collect(), buffers: Vec::new() }
    }

    /// Makes room for a plan in every worker's memory, whichever of them will run.
    fn fit(&mut self, plan: &Plan) {
        for worker in &mut self.workers {
            worker.get_mut().unwrap_or_else(PoisonError::into_inner).fit(plan);
        }
    }

    /// The memory of the worker that asks. Only this worker locks it, so that nobody ever waits.
    fn worker(&self) -> MutexGuard<'_, Workspace> {
        let index = rayon::current_thread_index().unwrap_or(0) % self.workers.len();
        self.workers[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The callers' outputs, shared out by rows; in an array, for running allocates nothing.
type OutputSlots<'a> = [&'a mut [f32]; MAX_OUTPUTS];

/// How rows are cut into groups of whole chunks.
#[derive(Debug, Clone, Copy)]
struct Groups {
    rows: usize,
    chunk_rows: usize,
    count: usize,
}

impl Groups {
    fn new(plan: &Plan, rows: usize, most: usize) -> Self {
        let chunk_rows = plan.chunk_rows();
        Self { rows, chunk_rows, count: rows.div_ceil(chunk_rows).min(most) }
    }

    /// The first row of a group; that of the group after the last one is the number of rows.
    fn start(&self, group: usize) -> usize {
        let chunks = self.rows.div_ceil(self.chunk_rows);
        (chunks * group / self.count.max(1) * self.chunk_rows).min(self.rows)
    }
}

/// A run of all groups.
struct Job<'a> {
    run: &'a Run<'a>,
    groups: Groups,
    workspaces: &'a Workspaces,
    parallel: bool,
}

impl Job<'_> {
    /// Runs `count` groups from `first` on, by halves. The outputs begin with the first group's first row.
    fn split(
        &self,
        first: usize,
        count: usize,
        mut outputs: OutputSlots<'_>,
        buffers: &mut [AlignedVec<f32>],
    ) {
        if count <= 1 {
            return self.group(first, outputs, buffers);
        }
        let half = count / 2;
        let rows = self.groups.start(first + half) - self.groups.start(first);
        let mut second_outputs = OutputSlots::default();
        let sizes = self.run.plan.outputs().iter().map(Shape::size);
        for ((output, second), size) in outputs.iter_mut().zip(&mut second_outputs).zip(sizes) {
            let (front, back) = std::mem::take(output).split_at_mut(rows * size);
            (*output, *second) = (front, back);
        }
        let (buffers, second_buffers) = buffers.split_at_mut(half.min(buffers.len()));
        let front = || self.split(first, half, outputs, buffers);
        let back = || self.split(first + half, count - half, second_outputs, second_buffers);
        if self.parallel {
            rayon::join(front, back);
        } else {
            front();
            back();
        }
    }

    /// Runs one group in the worker's own memory.
    fn group(&self, group: usize, mut outputs: OutputSlots<'_>, buffers: &mut [AlignedVec<f32>]) {
        let (start, end) = (self.groups.start(group), self.groups.start(group + 1));
        let count = self.run.plan.outputs().len();
        let gradients: &mut [f32] = match buffers {
            [] => &mut [],
            [buffer, ..] => {
                buffer.fill(0.0);
                buffer
            }
        };
        self.run.rows(&mut self.workspaces.worker(), start, end - start, &mut outputs[..count], gradients);
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

    #[test]
    fn groups_are_whole_chunks_and_cover_all_rows() {
        let mut graph = crate::Graph::new();
        let x = graph.input("x", &[1]);
        let plan = Plan::compile(&graph, &[x], 10).expect("the graph is sound");
        for rows in [0, 1, 9, 10, 11, 95, 1000, 12_345] {
            let groups = Groups::new(&plan, rows, 7);
            assert_eq!(groups.start(0), 0);
            assert_eq!(groups.start(groups.count), rows);
            for group in 1..groups.count {
                assert!(groups.start(group - 1) < groups.start(group));
                assert_eq!(groups.start(group) % 10, 0);
            }
        }
    }
}

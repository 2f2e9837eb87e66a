//! Games whose states are evaluated together on a GPU.

use super::game::Learnable;
use super::gpu_evaluator::{GpuBatch, GpuEvaluator, Outputs, UnderWay};
use super::self_play::{Request, Rules, Worker};
use std::ops::Range;
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;

/// Some of the workers, and the states that they wait for.
pub(super) struct Group {
    workers: Range<usize>,
    batch: GpuBatch,
    outputs: Outputs,
    under_way: Option<UnderWay>,
    /// What came back.
    heads: Vec<f32>,
    logits: Vec<f32>,
}

/// What a core does at a time: has the games of a worker go on with these evaluations of the states that it asked for.
struct Job<'a, G: Learnable> {
    worker: &'a mut Worker<G>,
    heads: &'a [f32],
    logits: &'a [f32],
}

impl Group {
    /// The workers of these numbers.
    pub fn new(workers: Range<usize>) -> Self {
        Self {
            workers,
            batch: GpuBatch::default(),
            outputs: Outputs::Heads,
            under_way: None,
            heads: Vec::new(),
            logits: Vec::new(),
        }
    }

    /// Whether all of its games have moved on in this round.
    pub fn is_done<G: Learnable>(&self, workers: &[Worker<G>]) -> bool {
        workers[self.workers.clone()].iter().all(Worker::is_done)
    }

    /// Has its games go on with the evaluations that have come back, and submits the states that they ask for next. Returns
    /// `false` where the device is still at work on them: natively it waits for it, in a browser never.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    pub fn advance<G: Learnable>(
        &mut self,
        cpu: &Cpu,
        workers: &mut [Worker<G>],
        rules: Rules<'_>,
        evaluator: &mut GpuEvaluator<G>,
    ) -> Result<bool, GpuError> {
        let workers = &mut workers[self.workers.clone()];
        if let Some(under_way) = &self.under_way {
            let begun = rules.clock.map(|clock| clock());
            let has_arrived = evaluator.take(under_way, &mut self.heads, &mut self.logits)?;
            if let (Some(clock), Some(begun), [worker, ..]) = (rules.clock, begun, &mut *workers) {
                // As if one of them had evaluated them meanwhile.
                let waited = clock() - begun;
                worker.tally.time += waited;
                worker.tally.forward_time += waited;
            }
            if !has_arrived {
                return Ok(false);
            }
            let end = under_way.rows.end;
            self.under_way = None;
            if end < self.batch.len() {
                self.under_way = Some(evaluator.submit(&self.batch, self.outputs, end)?);
                return Ok(true);
            }
        }
        self.play(cpu, workers, rules);
        self.gather(workers);
        if !self.batch.is_empty() {
            self.under_way = Some(evaluator.submit(&self.batch, self.outputs, 0)?);
        }
        Ok(true)
    }

    /// Has the games go on whose states have been evaluated, and those that wait for none.
    fn play<G: Learnable>(&mut self, cpu: &Cpu, workers: &mut [Worker<G>], rules: Rules<'_>) {
        let has_evaluations = !self.batch.is_empty();
        let (mut heads, mut logits) = (&self.heads[..], &self.logits[..]);
        let mut jobs = Vec::with_capacity(workers.len());
        for worker in workers.iter_mut().filter(|worker| !worker.is_done()) {
            let Asked { states, actions } = match asked(worker) {
                None => Asked::default(),
                Some((outputs, asked)) if has_evaluations && outputs == self.outputs => asked,
                // It waits for others of the group.
                Some(_) => continue,
            };
            let (of_heads, of_logits);
            (of_heads, heads) = heads.split_at(states * G::HEADS);
            (of_logits, logits) = logits.split_at(actions);
            jobs.push(Job { worker, heads: of_heads, logits: of_logits });
        }
        cpu.for_each(&mut jobs, |_, job| job.run(rules));
        self.heads.clear();
        self.logits.clear();
    }

    /// Gathers the states that the workers wait for: leaves as long as any search goes on, then those one move ahead.
    fn gather<G: Learnable>(&mut self, workers: &mut [Worker<G>]) {
        let is_searching =
            workers.iter_mut().any(|worker| outputs_of(worker) == Some(Outputs::LogitsAndHeads));
        self.outputs = if is_searching { Outputs::LogitsAndHeads } else { Outputs::Heads };
        self.batch.clear();
        for worker in workers {
            if outputs_of(worker) != Some(self.outputs) {
                continue;
            }
            match worker.request() {
                Some((Request::Leaves { leaves, .. }, inputs)) => {
                    self.batch.add(inputs, leaves.actions(), leaves.ends());
                }
                Some((Request::Ahead { .. }, inputs)) => self.batch.add(inputs, &[], &[]),
                None => {}
            }
        }
    }
}

/// How much a worker asks for.
#[derive(Default)]
struct Asked {
    states: usize,
    actions: usize,
}

/// What a worker asks for, if it waits for anything.
fn asked<G: Learnable>(worker: &mut Worker<G>) -> Option<(Outputs, Asked)> {
    let (request, _) = worker.request()?;
    Some(match request {
        Request::Leaves { leaves, .. } => {
            let asked = Asked { states: leaves.len(), actions: leaves.actions().len() };
            (Outputs::LogitsAndHeads, asked)
        }
        Request::Ahead { states, .. } => (Outputs::Heads, Asked { states: states.len(), actions: 0 }),
    })
}

fn outputs_of<G: Learnable>(worker: &mut Worker<G>) -> Option<Outputs> {
    asked(worker).map(|(outputs, _)| outputs)
}

impl<G: Learnable> Job<'_, G> {
    fn run(&mut self, rules: Rules<'_>) {
        match self.worker.request() {
            Some((Request::Leaves { logits, values, .. }, _)) => {
                logits.copy_from_slice(self.logits);
                let each = values.iter_mut().zip(self.heads.chunks_exact(G::HEADS));
                each.for_each(|(value, heads)| *value = G::equity(heads));
            }
            Some((Request::Ahead { heads, .. }, _)) => heads.copy_from_slice(self.heads),
            None => {}
        }
        self.worker.step(rules);
    }
}

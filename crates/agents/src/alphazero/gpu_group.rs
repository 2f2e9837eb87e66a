//! Groups of self-play workers whose states are evaluated on a GPU, in one batch per group.

use super::game::SelfPlayGame;
use super::gpu_evaluator::{GpuBatch, GpuStateEvaluator, Outputs, PendingBatch};
use super::self_play::{EvaluationRequest, RoundSettings, SelfPlayWorker};
use std::ops::Range;
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;

/// A group of self-play workers whose states are evaluated in one batch, and the group's batch on the GPU.
pub(super) struct GpuGameGroup {
    workers: Range<usize>,
    batch: GpuBatch,
    outputs: Outputs,
    pending: Option<PendingBatch>,
    /// Outcome probabilities of the batch's states that have been read back so far, `[states, HEADS]`. `logits` holds
    /// the logits of their legal actions.
    heads: Vec<f32>,
    logits: Vec<f32>,
}

/// Job of one thread: advances one worker, given the results of the worker's evaluation request.
struct GpuGroupJob<'a, G: SelfPlayGame> {
    worker: &'a mut SelfPlayWorker<G>,
    heads: &'a mut [f32],
    logits: &'a [f32],
}

impl GpuGameGroup {
    /// Creates a group of the self-play workers with the indices `workers`.
    pub fn new(workers: Range<usize>) -> Self {
        Self {
            workers,
            batch: GpuBatch::default(),
            outputs: Outputs::Heads,
            pending: None,
            heads: Vec::new(),
            logits: Vec::new(),
        }
    }

    /// Returns whether every game of the group has made its decision of the current self-play round.
    pub fn is_done<G: SelfPlayGame>(&self, workers: &[SelfPlayWorker<G>]) -> bool {
        workers[self.workers.clone()].iter().all(SelfPlayWorker::is_done)
    }

    /// Advances the games of the group if the results of its pending batch are available, and submits the states that
    /// have to be evaluated next. Returns `false` if the results are not available yet. On native targets the call
    /// blocks until the results are available; in a browser the call never blocks.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    pub fn advance<G: SelfPlayGame>(
        &mut self,
        cpu: &Cpu,
        workers: &mut [SelfPlayWorker<G>],
        settings: RoundSettings<'_>,
        evaluator: &mut GpuStateEvaluator<G>,
    ) -> Result<bool, GpuError> {
        let workers = &mut workers[self.workers.clone()];
        if let Some(pending) = &self.pending {
            let begun = settings.clock.map(|clock| clock());
            let has_arrived = evaluator.take(pending, &mut self.heads, &mut self.logits)?;
            if let (Some(clock), Some(begun), [worker, ..]) = (settings.clock, begun, &mut *workers) {
                // The waiting time counts as forward time of the first worker.
                let waited = clock() - begun;
                worker.finished.tally.time += waited;
                worker.finished.tally.forward_time += waited;
            }
            if !has_arrived {
                return Ok(false);
            }
            let end = pending.rows.end;
            self.pending = None;
            if end < self.batch.len() {
                self.pending = Some(evaluator.submit(&self.batch, self.outputs, end)?);
                return Ok(true);
            }
        }
        self.play(cpu, workers, settings);
        self.gather(workers);
        if !self.batch.is_empty() {
            self.pending = Some(evaluator.submit(&self.batch, self.outputs, 0)?);
        }
        Ok(true)
    }

    /// Passes the results of the batch to the workers whose states the batch contained. Advances these workers, and
    /// workers without a pending request, until their next states await evaluation.
    fn play<G: SelfPlayGame>(
        &mut self,
        cpu: &Cpu,
        workers: &mut [SelfPlayWorker<G>],
        settings: RoundSettings<'_>,
    ) {
        let has_evaluations = !self.batch.is_empty();
        let (mut heads, mut logits) = (&mut self.heads[..], &self.logits[..]);
        let mut jobs = Vec::with_capacity(workers.len());
        for worker in workers.iter_mut().filter(|worker| !worker.is_done()) {
            let RequestSize { states, actions } = match requested(worker) {
                None => RequestSize::default(),
                Some((outputs, requested)) if has_evaluations && outputs == self.outputs => requested,
                // This worker's request was not part of the evaluated batch; a later batch will contain it.
                Some(_) => continue,
            };
            let (of_heads, of_logits);
            (of_heads, heads) = heads.split_at_mut(states * G::HEADS);
            (of_logits, logits) = logits.split_at(actions);
            jobs.push(GpuGroupJob { worker, heads: of_heads, logits: of_logits });
        }
        cpu.for_each(&mut jobs, |_, job| job.run(settings));
        self.heads.clear();
        self.logits.clear();
    }

    /// Collects the states that the workers request to evaluate, as one batch: leaves of tree searches while any search
    /// is running, otherwise afterstates of the one-ply lookahead.
    fn gather<G: SelfPlayGame>(&mut self, workers: &mut [SelfPlayWorker<G>]) {
        let is_searching =
            workers.iter_mut().any(|worker| outputs_of(worker) == Some(Outputs::LogitsAndHeads));
        self.outputs = if is_searching { Outputs::LogitsAndHeads } else { Outputs::Heads };
        self.batch.clear();
        for worker in workers {
            if outputs_of(worker) != Some(self.outputs) {
                continue;
            }
            match worker.request() {
                Some((EvaluationRequest::Leaves { leaves, .. }, inputs)) => {
                    self.batch.add(inputs, leaves.actions(), leaves.ends());
                }
                Some((EvaluationRequest::Lookahead { .. }, inputs)) => self.batch.add(inputs, &[], &[]),
                None => {}
            }
        }
    }
}

/// Size of a worker's evaluation request: number of states, and number of their legal actions.
#[derive(Default)]
struct RequestSize {
    states: usize,
    actions: usize,
}

/// Returns the network outputs, and the numbers of states and legal actions, that a worker requests. Returns `None`
/// if no states of the worker await evaluation.
fn requested<G: SelfPlayGame>(worker: &mut SelfPlayWorker<G>) -> Option<(Outputs, RequestSize)> {
    let (request, _) = worker.request()?;
    Some(match request {
        EvaluationRequest::Leaves { leaves, .. } => {
            let requested = RequestSize { states: leaves.len(), actions: leaves.actions().len() };
            (Outputs::LogitsAndHeads, requested)
        }
        EvaluationRequest::Lookahead { states, .. } => {
            (Outputs::Heads, RequestSize { states: states.len(), actions: 0 })
        }
    })
}

fn outputs_of<G: SelfPlayGame>(worker: &mut SelfPlayWorker<G>) -> Option<Outputs> {
    requested(worker).map(|(outputs, _)| outputs)
}

impl<G: SelfPlayGame> GpuGroupJob<'_, G> {
    fn run(&mut self, settings: RoundSettings<'_>) {
        match self.worker.request() {
            Some((EvaluationRequest::Leaves { leaves, logits, values }, _)) => {
                logits.copy_from_slice(self.logits);
                G::remove_impossible_outcomes_of(leaves.states(), self.heads);
                let each = values.iter_mut().zip(self.heads.chunks_exact(G::HEADS));
                each.for_each(|(value, heads)| *value = G::equity(heads));
            }
            Some((EvaluationRequest::Lookahead { states, heads }, _)) => {
                heads.copy_from_slice(self.heads);
                G::remove_impossible_outcomes_of(states, heads);
            }
            None => {}
        }
        self.worker.step(settings);
    }
}

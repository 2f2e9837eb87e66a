//! Minibatches of DQN: transitions from the replay buffer, or demonstrations of a solver.

use super::problem::{DqnProblem, ProblemSpec};
use super::replay::DqnReplay;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::{self, Stream};
use vivarium_learn::SampleBatch;

/// Maximum number of parts of a minibatch. Each part is filled by one thread.
const PIECES: usize = 16;
/// Minimum number of rows (samples) in a part of a minibatch. Each part is filled by one thread.
const PIECE_ROWS: usize = 64;

/// Identity of a gradient step within the run: its seed and counters. Seed and counters determine the random numbers of
/// the step and the values of scheduled hyperparameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GradientStepId {
    /// Seed of the random numbers of the gradient step. Steps on demonstrations and steps on transitions have different
    /// seeds.
    pub seed: u64,
    /// Number of gradient steps of the run before this gradient step.
    pub updates: u64,
    /// Number of samples in the minibatches of all earlier gradient steps, demonstrations included.
    pub samples: u64,
}

/// Minibatch of one gradient step: inputs of the loss, and next states with their action values for the targets.
pub(crate) struct DqnMinibatch {
    /// For each minibatch row (sample): index of its transition in the replay buffer, `[rows]`.
    pub picks: Vec<u32>,
    /// Inputs of the losses for each minibatch row (sample): encoded state, action, target, importance weight, and
    /// for each action 1 if it is optimal in a demonstration, else 0.
    pub inputs: SampleBatch<5>,
    /// Next state of each transition, encoded as network inputs, `[rows, inputs]`.
    pub next: SampleBatch<1>,
    /// Action values of the next states: two arrays `[rows, actions]`, by the online network and by the target
    /// network.
    pub values: SampleBatch<2>,
}

/// Index of the temporal-difference targets in [`DqnMinibatch::inputs`].
pub(crate) const TARGETS: usize = 2;
/// Index of the importance-sampling weights in [`DqnMinibatch::inputs`].
const WEIGHTS: usize = 3;

impl DqnMinibatch {
    pub fn new(rows: usize, inputs: usize, actions: usize) -> Self {
        Self {
            picks: vec![0; rows],
            inputs: SampleBatch::new(rows, [inputs, 1, 1, 1, actions]),
            next: SampleBatch::new(rows, [inputs]),
            values: SampleBatch::new(rows, [actions; 2]),
        }
    }

    /// Fills the minibatch with demonstrations of the problem's solver. Each thread fills parts of the minibatch;
    /// each part has its own random stream.
    pub fn demonstrate<P: DqnProblem>(
        &mut self,
        cpu: &Cpu,
        params: &P::Params,
        problem: &P,
        step_id: GradientStepId,
    ) {
        let ProblemSpec { inputs, actions, .. } = P::spec(params);
        let (width, rows) = (inputs.count, self.picks.len());
        let piece = piece_rows(rows);
        self.inputs.fill(cpu, rows, piece, |first, [states, _, targets, _, best]| {
            let mut random =
                Stream::new(rng::derive(step_id.seed, (first / piece) as u32), step_id.updates as u32);
            let places = states.chunks_exact_mut(width).zip(targets);
            for ((row, target), bits) in places.zip(best.chunks_exact_mut(actions)) {
                let encode = |state: &[P::Element]| P::encode(params, state, row);
                let Some(demonstration) = problem.demonstration(&mut random, encode) else { return };
                *target = demonstration.value;
                bits.iter_mut()
                    .enumerate()
                    .for_each(|(action, bit)| *bit = (demonstration.best >> action & 1) as f32);
            }
        });
    }

    /// Fills the minibatch with transitions sampled from `replay` by priority, and computes their importance-sampling
    /// weights with the exponent `beta`.
    pub fn gather<P: DqnProblem>(
        &mut self,
        cpu: &Cpu,
        params: &P::Params,
        replay: &DqnReplay<P::Element>,
        beta: f32,
        step_id: GradientStepId,
    ) {
        let Self { picks, inputs, next, .. } = self;
        let mut random = Stream::new(step_id.seed, step_id.updates as u32);
        replay.transitions.draw(&mut random, beta, picks, inputs.column_mut(WEIGHTS));
        let (picks, width) = (&picks[..], P::spec(params).inputs.count);
        inputs.fill(cpu, picks.len(), piece_rows(picks.len()), |first, [states, actions, ..]| {
            let places = states.chunks_exact_mut(width).zip(actions);
            for (row, (state, action)) in places.enumerate() {
                let pick = picks[first + row] as usize;
                P::encode(params, replay.states(pick)[0], state);
                *action = replay.transitions.samples()[pick].action.into();
            }
        });
        encode::<P>(cpu, params, next, picks.len(), |row| replay.states(picks[row] as usize)[1]);
    }
}

/// Encodes one state for each of the `rows` minibatch rows, and writes the network inputs to `inputs`, in parallel.
/// `state(row)` returns the state of a row.
pub(crate) fn encode<'a, P: DqnProblem>(
    cpu: &Cpu,
    params: &P::Params,
    inputs: &mut SampleBatch<1>,
    rows: usize,
    state: impl Fn(usize) -> &'a [P::Element] + Sync,
) where
    P::Element: 'a,
{
    let width = P::spec(params).inputs.count;
    inputs.fill(cpu, rows, piece_rows(rows), |first, [inputs]| {
        let places = inputs.chunks_exact_mut(width).enumerate();
        places.for_each(|(row, place)| P::encode(params, state(first + row), place));
    });
}

/// Returns the number of rows (samples) in each part of a minibatch of `rows` rows. Each part is filled by one
/// thread.
fn piece_rows(rows: usize) -> usize {
    rows.div_ceil(PIECES).max(PIECE_ROWS)
}

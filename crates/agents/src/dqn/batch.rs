//! Minibatches: transitions from the replay buffer, or demonstrations of a solver.

use super::problem::DqnProblem;
use super::returns::NStepTransition;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::{self, Stream};
use vivarium_learn::{PrioritizedReplay, SampleBatch};

/// Maximum number of parts into which a minibatch is divided among threads.
const PIECES: usize = 16;
/// Minimum number of rows (samples) per part of a minibatch; each part is filled by one thread.
const PIECE_ROWS: usize = 64;

/// Identification of a gradient step. It determines the step's random numbers and the values of scheduled
/// hyperparameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GradientStepId {
    /// Seed of the step's random numbers.
    pub seed: u64,
    /// Number of gradient steps before this one.
    pub updates: u64,
    /// Number of samples, demonstrations included, of all gradient steps before this one.
    pub samples: u64,
}

/// Inputs of one gradient step.
pub(crate) struct DqnMinibatch {
    /// `[rows]`: index in the replay buffer of the transition in each row.
    pub picks: Vec<u32>,
    /// Inputs of the losses, in the order of the graph: state, action, target, weight, best actions.
    pub inputs: SampleBatch<5>,
    /// Next states, encoded as network inputs.
    pub next: SampleBatch<1>,
    /// Action values of the next states: two arrays `[rows, actions]`, computed by the online network and by the target
    /// network.
    pub values: SampleBatch<2>,
}

/// Indices of the targets and of the importance weights in [`DqnMinibatch::inputs`].
pub(crate) const TARGETS: usize = 2;
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

    /// Fills the minibatch with demonstrations of the solver. Threads fill parts of the minibatch; each part has its
    /// own random stream.
    pub fn demonstrate<P: DqnProblem>(
        &mut self,
        cpu: &Cpu,
        params: &P::Params,
        problem: &P,
        step_id: GradientStepId,
    ) {
        let (width, rows) = (P::inputs(params).count, self.picks.len());
        let piece = piece_rows(rows);
        self.inputs.fill(cpu, rows, piece, |first, [states, _, targets, _, best]| {
            let mut random =
                Stream::new(rng::derive(step_id.seed, (first / piece) as u32), step_id.updates as u32);
            let places = states.chunks_exact_mut(width).zip(targets);
            for ((row, target), bits) in places.zip(best.chunks_exact_mut(P::ACTIONS)) {
                let Some(demonstration) = problem.demonstration(&mut random) else { return };
                P::encode(params, &demonstration.state, row);
                *target = demonstration.value;
                bits.iter_mut()
                    .enumerate()
                    .for_each(|(action, bit)| *bit = (demonstration.best >> action & 1) as f32);
            }
        });
    }

    /// Fills the minibatch with transitions that are sampled from the replay buffer, and computes their
    /// importance-sampling weights with exponent `beta`.
    pub fn gather<P: DqnProblem>(
        &mut self,
        cpu: &Cpu,
        params: &P::Params,
        replay: &PrioritizedReplay<NStepTransition<P::State>>,
        beta: f32,
        step_id: GradientStepId,
    ) {
        let Self { picks, inputs, next, .. } = self;
        let mut random = Stream::new(step_id.seed, step_id.updates as u32);
        replay.draw(&mut random, beta, picks, inputs.column_mut(WEIGHTS));
        let (picks, width) = (&picks[..], P::inputs(params).count);
        let transition = |row: usize| &replay.samples()[picks[row] as usize];
        inputs.fill(cpu, picks.len(), piece_rows(picks.len()), |first, [states, actions, ..]| {
            let places = states.chunks_exact_mut(width).zip(actions);
            for (row, (state, action)) in places.enumerate() {
                let transition = transition(first + row);
                P::encode(params, &transition.state, state);
                *action = transition.action.into();
            }
        });
        encode::<P>(cpu, params, next, picks.len(), |row| &transition(row).next);
    }
}

/// Encodes the state `state(row)` of every minibatch row as network inputs, in parallel.
pub(crate) fn encode<'a, P: DqnProblem>(
    cpu: &Cpu,
    params: &P::Params,
    inputs: &mut SampleBatch<1>,
    rows: usize,
    state: impl Fn(usize) -> &'a P::State + Sync,
) where
    P::State: 'a,
{
    let width = P::inputs(params).count;
    inputs.fill(cpu, rows, piece_rows(rows), |first, [inputs]| {
        let places = inputs.chunks_exact_mut(width).enumerate();
        places.for_each(|(row, place)| P::encode(params, state(first + row), place));
    });
}

/// Returns the number of rows (samples) that one thread fills at a time in a minibatch of `rows` rows.
fn piece_rows(rows: usize) -> usize {
    rows.div_ceil(PIECES).max(PIECE_ROWS)
}

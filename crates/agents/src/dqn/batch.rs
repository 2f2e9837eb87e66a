//! The rows of a minibatch, and how they are written: drawn from the replay, or given by a solver.

use super::problem::Problem;
use super::returns::Transition;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::{self, Stream};
use vivarium_learn::{Batch, PrioritizedReplay};

/// Pieces of a minibatch that the threads write, at most.
const PIECES: usize = 16;
/// Rows of a piece at least.
const PIECE_ROWS: usize = 64;

/// Identifies a gradient step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// Seed of its random numbers.
    pub seed: u64,
    /// Gradient steps taken before.
    pub updates: u64,
    /// Samples learned from before.
    pub samples: u64,
}

/// The rows of one gradient step.
pub(crate) struct Minibatch {
    /// Indices of the transitions in the replay.
    pub picks: Vec<u32>,
    /// The inputs of the losses, in the order of the graph: state, action, target, weight, best actions.
    pub inputs: Batch<5>,
    /// The states that the actions led to.
    pub next: Batch<1>,
    /// The values of all actions in these, by the online network and by the target network.
    pub values: Batch<2>,
}

/// Places of the inputs.
pub(crate) const TARGETS: usize = 2;
const WEIGHTS: usize = 3;

impl Minibatch {
    pub fn new(rows: usize, inputs: usize, actions: usize) -> Self {
        Self {
            picks: vec![0; rows],
            inputs: Batch::new(rows, [inputs, 1, 1, 1, actions]),
            next: Batch::new(rows, [inputs]),
            values: Batch::new(rows, [actions; 2]),
        }
    }

    /// Has the solver demonstrate its best actions, in each piece of the rows from random numbers of its own.
    pub fn demonstrate<P: Problem>(&mut self, cpu: &Cpu, params: &P::Params, problem: &P, turn: Turn) {
        let (width, rows) = (P::inputs(params).count, self.picks.len());
        let piece = piece_rows(rows);
        self.inputs.fill(cpu, rows, piece, |first, [states, _, targets, _, best]| {
            let mut random = Stream::new(rng::derive(turn.seed, (first / piece) as u32), turn.updates as u32);
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

    /// Draws transitions from the replay; `beta` is the power of their importance weights.
    pub fn gather<P: Problem>(
        &mut self,
        cpu: &Cpu,
        params: &P::Params,
        replay: &PrioritizedReplay<Transition<P::State>>,
        beta: f32,
        turn: Turn,
    ) {
        let Self { picks, inputs, next, .. } = self;
        let mut random = Stream::new(turn.seed, turn.updates as u32);
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

/// Writes the state of every row as inputs of the network, on all threads.
pub(crate) fn encode<'a, P: Problem>(
    cpu: &Cpu,
    params: &P::Params,
    inputs: &mut Batch<1>,
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

/// Rows of a piece.
fn piece_rows(rows: usize) -> usize {
    rows.div_ceil(PIECES).max(PIECE_ROWS)
}

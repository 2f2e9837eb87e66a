//! The rows of a minibatch, and how they are written down: drawn from the replay, or given by a solver.

use super::problem::Problem;
use super::replay::Replay;
use super::update::Turn;
use vivarium_graph::Cpu;
use vivarium_kernels::AlignedVec;
use vivarium_kernels::rng::{self, Stream};

/// Parts in which the threads write the rows of a minibatch down.
const PARTS: usize = 16;
/// Rows of a part at least.
const PART_ROWS: usize = 64;

/// The rows of one gradient step.
pub(crate) struct Batch {
    pub picks: Vec<u32>,
    /// `[rows, inputs]`: where actions were taken, and where they led.
    pub states: AlignedVec<f32>,
    pub next: AlignedVec<f32>,
    /// `[rows]`.
    pub actions: AlignedVec<f32>,
    pub targets: AlignedVec<f32>,
    pub weights: AlignedVec<f32>,
    /// `[rows, actions]`: 1 for the best ones of a lesson.
    pub best: AlignedVec<f32>,
    /// `[rows, actions]`: what the two networks think of where actions led.
    pub online_values: AlignedVec<f32>,
    pub target_values: AlignedVec<f32>,
    /// `[rows]`: loss, value and error of each.
    pub measured: [AlignedVec<f32>; 3],
}

impl Batch {
    pub fn new(rows: usize, inputs: usize, actions: usize) -> Self {
        let room = AlignedVec::zeros;
        Self {
            picks: vec![0; rows],
            states: room(rows * inputs),
            next: room(rows * inputs),
            actions: room(rows),
            targets: room(rows),
            weights: room(rows),
            best: room(rows * actions),
            online_values: room(rows * actions),
            target_values: room(rows * actions),
            measured: std::array::from_fn(|_| room(rows)),
        }
    }

    /// Has the solver give lessons, each part of them from random numbers of its own, and writes them down.
    pub fn prepare<P: Problem>(&mut self, cpu: &Cpu, params: &P::Params, problem: &P, turn: Turn) {
        let (inputs, actions) = (P::inputs(params).count, P::ACTIONS);
        let Self { picks, states, targets, best, .. } = self;
        let rows = part_rows(picks.len());
        let mut places = states.chunks_mut(rows * inputs).zip(best.chunks_mut(rows * actions));
        let mut targets = targets.chunks_mut(rows);
        let mut parts = std::array::from_fn::<_, PARTS, _>(|_| (places.next(), targets.next()));
        cpu.for_each(&mut parts[..picks.len().div_ceil(rows)], |part, places| {
            let (Some((states, best)), Some(targets)) = places else { return };
            let mut random = Stream::new(rng::derive(turn.seed, part as u32), turn.updates as u32);
            let places = states.chunks_exact_mut(inputs).zip(&mut targets[..]);
            for ((row, target), bits) in places.zip(best.chunks_exact_mut(actions)) {
                let Some(lesson) = problem.lesson(&mut random) else { return };
                P::encode(params, &lesson.state, row);
                *target = lesson.value;
                bits.iter_mut()
                    .enumerate()
                    .for_each(|(action, bit)| *bit = (lesson.best >> action & 1) as f32);
            }
        });
    }

    /// Draws transitions, weighed by this power β of how likely each was, and writes them down.
    pub fn gather<P: Problem>(
        &mut self,
        cpu: &Cpu,
        params: &P::Params,
        replay: &Replay<P::State>,
        beta: f32,
        turn: Turn,
    ) {
        let Self { picks, states, next, actions, weights, .. } = self;
        let mut random = Stream::new(turn.seed, turn.updates as u32);
        replay.draw(&mut random, beta, picks, weights);
        let transition = |row: usize| &replay.transitions[picks[row] as usize];
        encode::<P>(cpu, params, states, |row| &transition(row).state);
        encode::<P>(cpu, params, next, |row| &transition(row).next);
        for (row, action) in actions.iter_mut().enumerate() {
            *action = transition(row).action.into();
        }
    }
}

/// Writes the state of every row down as the network wants it, over the threads.
pub(crate) fn encode<'a, P: Problem>(
    cpu: &Cpu,
    params: &P::Params,
    inputs: &mut [f32],
    state: impl Fn(usize) -> &'a P::State + Sync,
) where
    P::State: 'a,
{
    let count = P::inputs(params).count;
    let rows = part_rows(inputs.len() / count);
    let used = inputs.len().div_ceil(rows * count);
    let mut places = inputs.chunks_mut(rows * count);
    let mut parts = std::array::from_fn::<_, PARTS, _>(|_| places.next());
    cpu.for_each(&mut parts[..used], |part, inputs| {
        let places = inputs.iter_mut().flat_map(|inputs| inputs.chunks_exact_mut(count));
        places.enumerate().for_each(|(row, place)| P::encode(params, state(part * rows + row), place));
    });
}

/// How many rows of a minibatch are written down in one go.
fn part_rows(rows: usize) -> usize {
    rows.div_ceil(PARTS).max(PART_ROWS)
}

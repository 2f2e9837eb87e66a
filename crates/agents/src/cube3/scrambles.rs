//! Training samples of the 3×3×3 cube: scrambled states, labeled with the move that undoes the last turn.

use super::config::Cube3Config;
use vivarium_envs::cube::{Backtracking, Cube3, CubeSize, RandomWalk, Symmetry, TurnMetric};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_learn::SampleBatch;

/// Number of scrambles that a thread draws at a time, one after the other.
const PIECE: usize = 4;

/// Minibatch of one gradient step: several scrambles, with one sample after each of their moves.
#[derive(Clone, Debug)]
pub struct ScrambleBatch {
    metric: TurnMetric,
    symmetries: bool,
    depth: usize,
    /// Two arrays with one row per sample: the encoded state, and the action that undoes its last turn. The rows have
    /// the order `[scrambles, depth]`: all moves of a scramble are adjacent.
    rows: SampleBatch<2>,
    count: usize,
}

impl ScrambleBatch {
    /// Allocates a minibatch with the number of scrambles and of moves per scramble that the config determines.
    pub fn new(config: &Cube3Config) -> Self {
        Self {
            metric: config.metric,
            symmetries: config.symmetries,
            depth: config.depth as usize,
            rows: SampleBatch::new(config.batch(), [Cube3::INPUTS, 1]),
            count: config.batch(),
        }
    }

    /// Replaces the minibatch by new scrambles for gradient step `step` of the run. Each scramble has its own random
    /// stream of the generator with seed `seed`.
    pub fn draw(&mut self, cpu: &Cpu, seed: u64, step: u64) {
        let Self { metric, symmetries, depth, count, .. } = *self;
        let first_scramble = step.wrapping_mul((count / depth) as u64);
        self.rows.fill(cpu, count, PIECE * depth, |first, [states, undo]| {
            let scrambles = states.chunks_exact_mut(depth * Cube3::INPUTS).zip(undo.chunks_exact_mut(depth));
            for (at, (states, undo)) in scrambles.enumerate() {
                let stream = first_scramble.wrapping_add((first / depth + at) as u64);
                let mut random = Stream::new(seed ^ ((stream >> 32) << 32), stream as u32);
                scramble(metric, symmetries, &mut random, states, undo);
            }
        });
    }

    /// Returns the number of samples in the minibatch: number of scrambles × moves per scramble.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the inputs of the loss: the encoded states `[count, INPUTS]`, and the actions that undo their last
    /// turns `[count]`.
    pub fn inputs(&self) -> [&[f32]; 2] {
        self.rows.rows(0..self.count)
    }
}

/// Draws one scramble, in which no move is redundant after the previous move. For each move, writes the encoded state
/// after the move to a row of `states`. Writes the action that undoes the move to an element of `undo`.
fn scramble(metric: TurnMetric, symmetries: bool, random: &mut Stream, states: &mut [f32], undo: &mut [f32]) {
    let mut walk = RandomWalk::new(CubeSize::Three, metric, Backtracking::Never);
    let mut cube = Cube3::SOLVED;
    for (row, undo) in states.chunks_exact_mut(Cube3::INPUTS).zip(undo) {
        let (_, turn) = walk.next(random);
        cube = cube.turned(turn);
        let (canonical, symmetry) =
            if symmetries { Symmetry::representative(&cube) } else { (cube, Symmetry::default()) };
        canonical.encode(row);
        *undo = metric.action(symmetry.turn(turn.inverse())) as f32;
    }
}

//! Samples to learn from: scrambled cubes, and what undoes the last turn of each.

use super::config::Cube3Config;
use vivarium_envs::cube::{Cube3, Metric, Size, Undo, View, Walk};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_learn::Batch;

/// Scrambles that a worker makes at a time.
const PIECE: usize = 4;

/// The samples of one gradient step: of every scramble the cube after each of its moves.
#[derive(Clone, Debug)]
pub struct Scrambles {
    metric: Metric,
    symmetries: bool,
    depth: usize,
    /// `[scrambles, depth]` rows: the state, and the number of the move that undoes its last turn.
    rows: Batch<2>,
    count: usize,
}

impl Scrambles {
    /// Room for those of a config.
    pub fn new(config: &Cube3Config) -> Self {
        Self {
            metric: config.metric,
            symmetries: config.symmetries,
            depth: config.depth as usize,
            rows: Batch::new(config.batch(), [Cube3::INPUTS, 1]),
            count: config.batch(),
        }
    }

    /// Makes new ones. Those of other steps are others.
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

    /// The number of samples.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The inputs of the loss: encoded states `[count, INPUTS]`, and what undoes their last turns `[count]`.
    pub fn inputs(&self) -> [&[f32]; 2] {
        self.rows.rows(0..self.count)
    }
}

/// A scramble as long as there are rows, without turns that come to nothing.
fn scramble(metric: Metric, symmetries: bool, random: &mut Stream, states: &mut [f32], undo: &mut [f32]) {
    let mut walk = Walk::new(Size::Three, metric, Undo::Never);
    let mut cube = Cube3::SOLVED;
    for (row, undo) in states.chunks_exact_mut(Cube3::INPUTS).zip(undo) {
        let (_, turn) = walk.next(random);
        cube = cube.turned(turn);
        let (seen, view) = if symmetries { View::representative(&cube) } else { (cube, View::default()) };
        seen.encode(row);
        *undo = metric.action(view.turn(turn.inverse())) as f32;
    }
}

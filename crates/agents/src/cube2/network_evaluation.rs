//! The exhaustive evaluation of a network, on every core.

use super::policy_evaluation::PolicyEvaluation;
use crate::dqn::{CubeParams, Cubes, Problem};
use std::sync::Arc;
use vivarium_envs::cube::{Cube2, Distances};
use vivarium_graph::{Cpu, Workspace};
use vivarium_kernels::AlignedVec;
use vivarium_learn::Network;

/// States that a worker evaluates at a time.
const ROWS: usize = 512;
/// Such blocks for each thread in a slice: one slice is a few milliseconds of work.
const BLOCKS: usize = 2;
/// States that are asked for at a time, and how many of them at most look alike.
const ASKED: usize = 64;
const ALIKE: usize = 6;

/// A network that makes the move it finds best, the first of equals.
#[derive(Clone, Copy, Debug)]
pub struct Greedy<'a> {
    /// How it sees states.
    pub params: CubeParams,
    /// The first input of its first plan is a state as [`Cubes`] encodes it, which is all that the plan reads; the plan's only
    /// output is a number for each move, the larger the better.
    pub network: &'a Network,
}

/// The evaluation of a network in all states.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    policy: PolicyEvaluation,
    blocks: Vec<Block>,
    /// States whose moves follow from those of the states that stand for them.
    others: Vec<Cube2>,
}

/// A worker's states, and its room.
#[derive(Clone, Debug, Default)]
struct Block {
    cubes: Vec<Cube2>,
    count: usize,
    /// `[ROWS, inputs]`.
    inputs: AlignedVec<f32>,
    /// `[ROWS, moves]`.
    values: AlignedVec<f32>,
    moves: Vec<u8>,
    workspace: Workspace,
}

impl NetworkEvaluation {
    /// An evaluation that has not begun.
    pub fn new(distances: Arc<Distances>) -> Self {
        Self { policy: PolicyEvaluation::new(distances), blocks: Vec::new(), others: Vec::new() }
    }

    /// What is known so far.
    pub fn policy(&self) -> &PolicyEvaluation {
        &self.policy
    }

    /// Does one bounded slice of work; returns whether the evaluation is over. The network must be the same in all slices.
    ///
    /// # Panics
    /// If the plan is none such as [`Greedy::network`] says.
    pub fn advance(&mut self, cpu: &Cpu, network: Greedy<'_>) -> bool {
        let count = BLOCKS * cpu.threads();
        if self.blocks.len() != count {
            self.blocks = vec![Block::default(); count];
        }
        if !self.ask(network) {
            return self.policy.settle();
        }
        cpu.for_each(&mut self.blocks, |_, block| block.evaluate(network));
        for block in &self.blocks {
            self.policy.answer(&block.cubes[..block.count], &block.moves[..block.count]);
        }
        for &cube in &self.others {
            let seen = self.policy.number(network.params.seen(cube));
            self.policy.answer(&[cube], &[network.params.unseen(cube, seen)]);
        }
        false
    }

    /// Takes the next states to ask about; `false` where there are no more. What stands for others is as far from solved
    /// as they are and of a lower rank, so that its move is known by the time that theirs are asked for.
    fn ask(&mut self, network: Greedy<'_>) -> bool {
        self.others.clear();
        let mut asked = [Cube2::SOLVED; ASKED];
        let mut left = ALIKE * ROWS * self.blocks.len();
        for block in &mut self.blocks {
            block.fit(network);
            block.count = 0;
            while left >= ASKED && block.count + ASKED <= ROWS {
                let count = self.policy.ask(&mut asked);
                for &cube in &asked[..count] {
                    if network.params.seen(cube) == cube {
                        block.cubes[block.count] = cube;
                        block.count += 1;
                    } else {
                        self.others.push(cube);
                    }
                }
                left -= ASKED;
                if count < ASKED {
                    left = 0;
                }
            }
        }
        self.blocks[0].count + self.others.len() > 0
    }
}

impl Block {
    /// Makes room, the first time.
    fn fit(&mut self, Greedy { params, network }: Greedy<'_>) {
        let moves = network.plan(0).outputs()[0].size();
        if self.values.len() != ROWS * moves {
            self.values = AlignedVec::zeros(ROWS * moves);
            self.inputs = AlignedVec::zeros(ROWS * Cubes::inputs(&params).count);
            self.cubes = vec![Cube2::SOLVED; ROWS];
            self.moves = vec![0; ROWS];
        }
        self.workspace.fit(network.plan(0));
    }

    fn evaluate(&mut self, Greedy { params, network }: Greedy<'_>) {
        let cubes = &self.cubes[..self.count];
        let rows = self.inputs.chunks_exact_mut(Cubes::inputs(&params).count);
        cubes.iter().zip(rows).for_each(|(cube, row)| Cubes::encode(&params, cube, row));
        let outputs = &mut [&mut self.values[..]];
        network.evaluate_here(network.plan(0), &mut self.workspace, cubes.len(), &[&self.inputs], outputs);
        let moves = network.plan(0).outputs()[0].size();
        for (best, values) in self.moves.iter_mut().zip(self.values.chunks_exact(moves)).take(self.count) {
            *best = (0..moves).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0) as u8;
        }
    }
}

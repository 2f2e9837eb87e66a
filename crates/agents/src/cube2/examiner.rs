//! A network's exam, on every core.

use super::exam::Exam;
use crate::dqn::{CubeParams, Cubes, Network, Problem};
use std::sync::Arc;
use vivarium_envs::cube::{Cube2, Distances};
use vivarium_graph::{Cpu, PackedParameters, Parameters, Plan, Workspace};
use vivarium_kernels::{AlignedVec, Level};

/// States that a worker evaluates at a time.
const ROWS: usize = 512;
/// Such blocks for each thread in a slice: one slice is a few milliseconds of work.
const BLOCKS: usize = 2;
/// States that are asked for at a time, and how many of them at most look alike.
const ASKED: usize = 64;
const ALIKE: usize = 6;
/// Inputs and settings that a network may have.
const MOST_INPUTS: usize = 16;

/// A network that makes the move it finds best, the first of equals.
#[derive(Clone, Copy, Debug)]
pub struct Greedy<'a> {
    /// How it sees states.
    pub params: CubeParams,
    /// Its first input is a state as [`Cubes`] encodes it, which is all that it reads; its only output a number for each
    /// move, the larger the better.
    pub plan: &'a Plan,
    /// Its weights.
    pub parameters: &'a Parameters,
    /// The same as products want them.
    pub packed: &'a PackedParameters,
}

impl<'a> Greedy<'a> {
    /// A network of deep Q-learning, which sees what its learner saw.
    pub fn new(network: &'a Network, params: CubeParams) -> Self {
        let (plan, parameters, packed) = (network.plan(), network.parameters(), network.packed());
        Self { params, plan, parameters, packed }
    }
}

/// An exam of a network.
#[derive(Clone, Debug)]
pub struct Examiner {
    exam: Exam,
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

impl Examiner {
    /// An exam that has not begun.
    pub fn new(distances: Arc<Distances>) -> Self {
        Self { exam: Exam::new(distances), blocks: Vec::new(), others: Vec::new() }
    }

    /// What is known so far.
    pub fn exam(&self) -> &Exam {
        &self.exam
    }

    /// Does one bounded slice of work; returns whether the exam is over. The network must be the same in all slices.
    ///
    /// # Panics
    /// If the plan is none such as [`Greedy::plan`] says.
    pub fn advance(&mut self, cpu: &Cpu, network: Greedy<'_>) -> bool {
        let count = BLOCKS * cpu.threads();
        if self.blocks.len() != count {
            self.blocks = vec![Block::default(); count];
        }
        if !self.ask(network) {
            return self.exam.settle();
        }
        cpu.for_each(&mut self.blocks, |_, block| block.evaluate(cpu.level(), network));
        for block in &self.blocks {
            self.exam.answer(&block.cubes[..block.count], &block.moves[..block.count]);
        }
        for &cube in &self.others {
            let seen = self.exam.number(network.params.seen(cube));
            self.exam.answer(&[cube], &[network.params.unseen(cube, seen)]);
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
                let count = self.exam.ask(&mut asked);
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
    fn fit(&mut self, Greedy { params, plan, .. }: Greedy<'_>) {
        let moves = plan.outputs()[0].size();
        if self.values.len() != ROWS * moves {
            self.values = AlignedVec::zeros(ROWS * moves);
            self.inputs = AlignedVec::zeros(ROWS * Cubes::inputs(&params).count);
            self.cubes = vec![Cube2::SOLVED; ROWS];
            self.moves = vec![0; ROWS];
        }
        self.workspace.fit(plan);
    }

    fn evaluate(&mut self, level: Level, network: Greedy<'_>) {
        let Greedy { params, plan, parameters, packed } = network;
        let cubes = &self.cubes[..self.count];
        let rows = self.inputs.chunks_exact_mut(Cubes::inputs(&params).count);
        cubes.iter().zip(rows).for_each(|(cube, row)| Cubes::encode(&params, cube, row));
        let mut inputs: [&[f32]; MOST_INPUTS] = [&[]; _];
        inputs[0] = &self.inputs;
        let inputs = &inputs[..plan.inputs().len()];
        let outputs = &mut [&mut self.values[..]];
        plan.run(level, parameters, packed, &mut self.workspace, cubes.len(), inputs, outputs);
        let moves = plan.outputs()[0].size();
        for (best, values) in self.moves.iter_mut().zip(self.values.chunks_exact(moves)).take(self.count) {
            *best = (0..moves).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0) as u8;
        }
    }
}

//! A network's exam, on every core.

use super::exam::Exam;
use std::sync::Arc;
use vivarium_envs::cube::{Cube2, Distances};
use vivarium_graph::{Cpu, PackedParameters, Parameters, Plan, Workspace};
use vivarium_kernels::{AlignedVec, Level};

/// States that a worker evaluates at a time.
const ROWS: usize = 512;
/// Such blocks for each thread in a slice: one slice is a few milliseconds of work.
const BLOCKS: usize = 2;
/// Inputs and settings that a network may have.
const MOST_INPUTS: usize = 16;

/// A network that makes the move it finds best, the first of equals.
#[derive(Clone, Copy, Debug)]
pub struct Greedy<'a> {
    /// Its first input is an encoded state \[[`Cube2::INPUTS`]\], which is all that it reads; its only output a number for
    /// each move, the larger the better.
    pub plan: &'a Plan,
    /// Its weights.
    pub parameters: &'a Parameters,
    /// The same as products want them.
    pub packed: &'a PackedParameters,
}

/// An exam of a network.
#[derive(Clone, Debug)]
pub struct Examiner {
    exam: Exam,
    blocks: Vec<Block>,
}

/// A worker's states, and its room.
#[derive(Clone, Debug, Default)]
struct Block {
    cubes: Vec<Cube2>,
    count: usize,
    /// `[ROWS, INPUTS]`.
    inputs: AlignedVec<f32>,
    /// `[ROWS, moves]`.
    values: AlignedVec<f32>,
    moves: Vec<u8>,
    workspace: Workspace,
}

impl Examiner {
    /// An exam that has not begun.
    pub fn new(distances: Arc<Distances>) -> Self {
        Self { exam: Exam::new(distances), blocks: Vec::new() }
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
        for block in &mut self.blocks {
            block.fit(network.plan);
            block.count = self.exam.ask(&mut block.cubes);
        }
        if self.blocks[0].count == 0 {
            return self.exam.settle();
        }
        cpu.for_each(&mut self.blocks, |_, block| block.evaluate(cpu.level(), network));
        for block in &self.blocks {
            self.exam.answer(&block.cubes[..block.count], &block.moves[..block.count]);
        }
        false
    }
}

impl Block {
    /// Makes room, the first time.
    fn fit(&mut self, plan: &Plan) {
        let moves = plan.outputs()[0].size();
        if self.values.len() != ROWS * moves {
            self.values = AlignedVec::zeros(ROWS * moves);
            self.inputs = AlignedVec::zeros(ROWS * Cube2::INPUTS);
            self.cubes = vec![Cube2::SOLVED; ROWS];
            self.moves = vec![0; ROWS];
        }
        self.workspace.fit(plan);
    }

    fn evaluate(&mut self, level: Level, Greedy { plan, parameters, packed }: Greedy<'_>) {
        let cubes = &self.cubes[..self.count];
        Cube2::encode_all(cubes, &mut self.inputs);
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

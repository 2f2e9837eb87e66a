//! What a network thinks of the moves of many states, on the threads of the CPU.

use super::network::Network;
use vivarium_envs::cube::{Cube3, Metric, Turn, View};
use vivarium_graph::{Cpu, Workspace};
use vivarium_kernels::AlignedVec;

/// States that a worker evaluates at a time.
const ROWS: usize = 128;

/// A block of states for each thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    blocks: Vec<Block>,
}

/// A worker's room.
#[derive(Clone, Debug, Default)]
struct Block {
    /// What the network is shown, and how it is seen.
    cubes: Vec<Cube3>,
    views: Vec<View>,
    /// `[ROWS, INPUTS]`.
    inputs: AlignedVec<f32>,
    /// `[ROWS, moves]`.
    guesses: AlignedVec<f32>,
    workspace: Workspace,
}

impl Front {
    /// Asks the network about the first of some states, and adds ln of each move's probability to `guesses`, `[states, moves]`;
    /// returns how many states those were.
    ///
    /// # Panics
    /// If the network is one for other moves.
    pub(super) fn evaluate(
        &mut self,
        cpu: &Cpu,
        network: &Network,
        metric: Metric,
        mut states: impl ExactSizeIterator<Item = Cube3>,
        guesses: &mut Vec<f32>,
    ) -> usize {
        let turns = Cube3::turns(metric);
        assert_eq!(network.moves(), turns.len(), "a network for other moves");
        let before = states.len();
        self.blocks.resize_with(cpu.threads(), Block::default);
        for block in &mut self.blocks {
            block.take(&mut states, network);
        }
        cpu.for_each(&mut self.blocks, |_, block| block.evaluate(network));
        for block in &self.blocks {
            for (view, found) in block.views.iter().zip(block.guesses.chunks_exact(turns.len())) {
                let seen = |&turn: &Turn| found[metric.action(view.turn(turn))];
                guesses.extend(turns.iter().map(seen));
            }
        }
        before - states.len()
    }
}

impl Block {
    /// Takes over states to evaluate, and makes room the first time.
    fn take(&mut self, states: &mut impl Iterator<Item = Cube3>, network: &Network) {
        self.cubes.clear();
        self.views.clear();
        for state in states.take(ROWS) {
            let (cube, view) = network.show(&state);
            self.cubes.push(cube);
            self.views.push(view);
        }
        if self.guesses.len() != ROWS * network.moves() {
            self.guesses = AlignedVec::zeros(ROWS * network.moves());
            self.inputs = AlignedVec::zeros(ROWS * Cube3::INPUTS);
        }
    }

    fn evaluate(&mut self, network: &Network) {
        Cube3::encode_all(&self.cubes, &mut self.inputs);
        network.guess(&mut self.workspace, self.cubes.len(), &self.inputs, &mut self.guesses);
    }
}

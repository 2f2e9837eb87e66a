//! Batched network evaluation of states on all threads.

use super::network::Cube3Network;
use vivarium_envs::cube::{Cube3, FaceTurn, Symmetry, TurnMetric};
use vivarium_graph::{Cpu, Workspace};
use vivarium_kernels::AlignedVec;

/// Number of states per forward pass of a thread.
const ROWS: usize = 128;

/// Evaluates states with the policy network, in one batch per thread.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchEvaluator {
    blocks: Vec<EvaluatorBlock>,
}

/// A worker's batch of states, with the input and output buffers of their evaluation.
#[derive(Clone, Debug, Default)]
struct EvaluatorBlock {
    /// States after [canonicalization](Cube3Network::canonicalize).
    cubes: Vec<Cube3>,
    /// Symmetry that maps the original state to each of `cubes`.
    symmetries: Vec<Symmetry>,
    /// Encoded states, `[ROWS, INPUTS]`.
    inputs: AlignedVec<f32>,
    /// Log-probability of each move, `[ROWS, moves]`.
    log_probabilities: AlignedVec<f32>,
    workspace: Workspace,
}

impl BatchEvaluator {
    /// Evaluates as many of the first `states` as fit in one batch per thread. Appends the log-probabilities of their
    /// moves, `[states, moves]`, to `log_probabilities`. Returns the number of states evaluated.
    ///
    /// # Panics
    /// If the network was trained with another turn metric.
    pub(super) fn evaluate(
        &mut self,
        cpu: &Cpu,
        network: &Cube3Network,
        metric: TurnMetric,
        mut states: impl ExactSizeIterator<Item = Cube3>,
        log_probabilities: &mut Vec<f32>,
    ) -> usize {
        let turns = Cube3::turns(metric);
        assert_eq!(network.moves(), turns.len(), "the network was trained with another turn metric");
        let before = states.len();
        self.blocks.resize_with(cpu.threads(), EvaluatorBlock::default);
        for block in &mut self.blocks {
            block.take(&mut states, network);
        }
        cpu.for_each(&mut self.blocks, |_, block| block.evaluate(network));
        for block in &self.blocks {
            for (symmetry, outputs) in
                block.symmetries.iter().zip(block.log_probabilities.chunks_exact(turns.len()))
            {
                let image = |&turn: &FaceTurn| outputs[metric.action(symmetry.turn(turn))];
                log_probabilities.extend(turns.iter().map(image));
            }
        }
        before - states.len()
    }
}

impl EvaluatorBlock {
    /// Fills the batch with canonicalized states from `states`, up to its capacity. Allocates the buffers on first use.
    fn take(&mut self, states: &mut impl Iterator<Item = Cube3>, network: &Cube3Network) {
        self.cubes.clear();
        self.symmetries.clear();
        for state in states.take(ROWS) {
            let (cube, symmetry) = network.canonicalize(&state);
            self.cubes.push(cube);
            self.symmetries.push(symmetry);
        }
        if self.log_probabilities.len() != ROWS * network.moves() {
            self.log_probabilities = AlignedVec::zeros(ROWS * network.moves());
            self.inputs = AlignedVec::zeros(ROWS * Cube3::INPUTS);
        }
    }

    fn evaluate(&mut self, network: &Cube3Network) {
        Cube3::encode_all(&self.cubes, &mut self.inputs);
        network.log_probabilities(
            &mut self.workspace,
            self.cubes.len(),
            &self.inputs,
            &mut self.log_probabilities,
        );
    }
}

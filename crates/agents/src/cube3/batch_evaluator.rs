//! Evaluation of 3×3×3 cubes by the policy network, in one batch per thread.

use super::network::Cube3Network;
use vivarium_envs::cube::{Cube3, FaceTurn, Symmetry, TurnMetric};
use vivarium_graph::{Cpu, Workspace};
use vivarium_kernels::AlignedVec;

/// Maximum number of states in one forward pass of a thread.
const ROWS: usize = 128;

/// Computes the policy network's move probabilities for many states, in one batch per thread.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchEvaluator {
    blocks: Vec<EvaluatorBlock>,
}

/// Batch of states that one thread evaluates, with the input and output buffers of the forward pass.
#[derive(Clone, Debug, Default)]
struct EvaluatorBlock {
    /// States of the batch after [canonicalization](Cube3Network::canonicalize): the network's input states.
    cubes: Vec<Cube3>,
    /// For each of `cubes`: the symmetry (rotation or reflection) that maps the original state to the input state.
    symmetries: Vec<Symmetry>,
    /// States of the batch, encoded as network inputs, `[ROWS, INPUTS]`.
    inputs: AlignedVec<f32>,
    /// Log-probability of each move in each state of the batch, `[ROWS, moves]`.
    log_probabilities: AlignedVec<f32>,
    workspace: Workspace,
}

impl BatchEvaluator {
    /// Evaluates the first of `states`, as many as fit in one batch per thread. Appends the log-probabilities of
    /// their moves, `[states, moves]`, to `log_probabilities`. Returns the number of states evaluated.
    ///
    /// # Panics
    /// If the network was trained with a turn metric other than `metric`.
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
    /// Fills the batch with the canonical forms of the first of `states`, up to the capacity of the batch. Allocates
    /// the buffers in the first call.
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

//! Exhaustive evaluation of a network's greedy policy on all states of the 2×2×2 cube, on all threads.

use super::policy_evaluation::PolicyEvaluation;
use crate::dqn::{CubeParams, CubeProblem, DqnProblem};
use std::sync::Arc;
use vivarium_envs::cube::{Cube2, DistanceTable};
use vivarium_graph::{Cpu, Workspace};
use vivarium_kernels::AlignedVec;
use vivarium_learn::Network;

/// Maximum number of states in one forward pass of a thread.
const ROWS: usize = 512;
/// Number of forward passes per thread in one call of [`NetworkEvaluation::advance`], so that a call takes a few
/// milliseconds.
const BLOCKS: usize = 2;
/// Number of states that are requested from [`PolicyEvaluation::next_states`] at a time.
const REQUEST: usize = 64;
/// Maximum number of states that are equivalent under the cube's symmetries.
const MAX_CLASS_SIZE: usize = 6;

/// Greedy policy of a network that computes action values: selects the move with the highest value; ties go to the
/// lowest action index.
#[derive(Clone, Copy, Debug)]
pub struct GreedyPolicy<'a> {
    /// Options of the cube problem for which the network was trained: encoding of states, and reduction by symmetry.
    pub params: CubeParams,
    /// Network whose policy is evaluated. Its inference plan (compiled forward pass) with index 0 maps states, as
    /// encoded by [`CubeProblem`], to one value per move.
    pub network: &'a Network,
}

/// Exhaustive evaluation of a network's greedy policy, in progress. Each call of [`advance`](Self::advance) does a
/// bounded amount of work.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    policy: PolicyEvaluation,
    blocks: Vec<StateBlock>,
    /// Requested states that are not the representative of their symmetry class. The network evaluates representatives
    /// only; the move of any other state is derived from the move of its representative.
    symmetric: Vec<Cube2>,
}

/// Batch of states that one thread evaluates, with the input and output buffers of the forward pass.
#[derive(Clone, Debug, Default)]
struct StateBlock {
    cubes: Vec<Cube2>,
    count: usize,
    /// States of the batch, encoded as network inputs, `[ROWS, inputs]`.
    inputs: AlignedVec<f32>,
    /// Action value of each move in each state of the batch, `[ROWS, moves]`.
    values: AlignedVec<f32>,
    moves: Vec<u8>,
    workspace: Workspace,
}

impl NetworkEvaluation {
    /// Creates an evaluation in which no state has been evaluated. `distances` holds the distance of every state from
    /// the solved state.
    pub fn new(distances: Arc<DistanceTable>) -> Self {
        Self { policy: PolicyEvaluation::new(distances), blocks: Vec::new(), symmetric: Vec::new() }
    }

    /// Returns the evaluation so far: the policy's moves in states and the outcomes of states that have been computed.
    pub fn policy(&self) -> &PolicyEvaluation {
        &self.policy
    }

    /// Evaluates the next batches of states, or, when every state has a move, follows the policy from some of the
    /// states without an outcome. Returns whether the evaluation is complete. The network must be the same in all
    /// calls.
    ///
    /// # Panics
    /// If the network's plan does not have the form that [`GreedyPolicy::network`] describes.
    pub fn advance(&mut self, cpu: &Cpu, network: GreedyPolicy<'_>) -> bool {
        let count = BLOCKS * cpu.threads();
        if self.blocks.len() != count {
            self.blocks = vec![StateBlock::default(); count];
        }
        if !self.request(network) {
            return self.policy.finish();
        }
        cpu.for_each(&mut self.blocks, |_, block| block.evaluate(network));
        for block in &self.blocks {
            self.policy.set_actions(&block.cubes[..block.count], &block.moves[..block.count]);
        }
        for &cube in &self.symmetric {
            let action = self.policy.action(network.params.canonical(cube));
            self.policy.set_actions(&[cube], &[network.params.original_action(cube, action)]);
        }
        false
    }

    /// Requests states that have no move yet. Adds the representatives of symmetry classes to the batches, and all
    /// other states to `symmetric`. Returns `false` if no states remain.
    ///
    /// States are requested by distance and rank, and a representative has the lowest rank of its class. Therefore the
    /// representative's move is stored before the moves of the other states are derived from this move.
    fn request(&mut self, network: GreedyPolicy<'_>) -> bool {
        self.symmetric.clear();
        let mut requested = [Cube2::SOLVED; REQUEST];
        let mut remaining = MAX_CLASS_SIZE * ROWS * self.blocks.len();
        for block in &mut self.blocks {
            block.allocate(network);
            block.count = 0;
            while remaining >= REQUEST && block.count + REQUEST <= ROWS {
                let count = self.policy.next_states(&mut requested);
                for &cube in &requested[..count] {
                    if network.params.canonical(cube) == cube {
                        block.cubes[block.count] = cube;
                        block.count += 1;
                    } else {
                        self.symmetric.push(cube);
                    }
                }
                remaining -= REQUEST;
                if count < REQUEST {
                    remaining = 0;
                }
            }
        }
        self.blocks[0].count + self.symmetric.len() > 0
    }
}

impl StateBlock {
    /// Allocates the buffers of the batch if they do not have the sizes that the network needs.
    fn allocate(&mut self, GreedyPolicy { params, network }: GreedyPolicy<'_>) {
        let moves = network.plan(0).outputs()[0].size();
        if self.values.len() != ROWS * moves {
            self.values = AlignedVec::zeros(ROWS * moves);
            self.inputs = AlignedVec::zeros(ROWS * CubeProblem::spec(&params).inputs.count);
            self.cubes = vec![Cube2::SOLVED; ROWS];
            self.moves = vec![0; ROWS];
        }
        self.workspace.fit(network.plan(0));
    }

    fn evaluate(&mut self, GreedyPolicy { params, network }: GreedyPolicy<'_>) {
        let cubes = &self.cubes[..self.count];
        let rows = self.inputs.chunks_exact_mut(CubeProblem::spec(&params).inputs.count);
        cubes.chunks(1).zip(rows).for_each(|(cube, row)| CubeProblem::encode(&params, cube, row));
        let outputs = &mut [&mut self.values[..]];
        network.evaluate_single_threaded(
            network.plan(0),
            &mut self.workspace,
            cubes.len(),
            &[&self.inputs],
            outputs,
        );
        let moves = network.plan(0).outputs()[0].size();
        for (best, values) in self.moves.iter_mut().zip(self.values.chunks_exact(moves)).take(self.count) {
            *best = (0..moves).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0) as u8;
        }
    }
}

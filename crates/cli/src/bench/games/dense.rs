//! Dense forward pass of a game's network, comparable with other programs: from encoded states to all logits and
//! outcome probabilities.

use crate::error::CliError;
use vivarium_agents::alphazero::{AlphaZeroGraph, AlphaZeroNetwork, SelfPlayGame};
use vivarium_graph::{Plan, Workspace};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{GameStatus, Leaves};

/// Dense forward pass of a policy and value network: from encoded states `[rows, INPUTS]` to policy logits
/// `[rows, ACTIONS]` and outcome probabilities `[rows, HEADS]`. Each state is one row.
pub struct DenseForward<'a, G: SelfPlayGame> {
    network: &'a AlphaZeroNetwork<G>,
    pub plan: Plan,
    workspace: Workspace,
    rows: usize,
    pub states: Vec<f32>,
    pub logits: Vec<f32>,
    pub heads: Vec<f32>,
}

impl<'a, G: SelfPlayGame> DenseForward<'a, G> {
    /// Creates the forward pass for a batch of `rows` states from random games.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the plan cannot be compiled.
    pub fn new(network: &'a AlphaZeroNetwork<G>, rows: usize) -> Result<Self, CliError> {
        let AlphaZeroGraph { graph, logits, heads, .. } = network.definition();
        let plan = Plan::for_cache(graph, &[*logits, *heads]).map_err(CliError::failed_by)?;
        let mut states = vec![0.0; rows * G::INPUTS];
        for (state, row) in decisions::<G>(rows).states().iter().zip(states.chunks_exact_mut(G::INPUTS)) {
            state.encode(row);
        }
        let (logits, heads) = (vec![0.0; rows * G::ACTIONS], vec![0.0; rows * G::HEADS]);
        Ok(Self { network, workspace: Workspace::new(&plan), plan, rows, states, logits, heads })
    }

    /// Computes the policy logits and the outcome probabilities of all states of the batch.
    pub fn run(&mut self) {
        let Self { network, plan, workspace, rows, states, logits, heads } = self;
        network.evaluate_single_threaded(plan, workspace, *rows, &[states], &mut [logits, heads]);
    }
}

/// Returns `count` states in which a player has to choose an action, with the legal actions. The states are from games
/// with random moves, in which only every third move is considered.
pub fn decisions<G: SelfPlayGame>(count: usize) -> Leaves<G> {
    let (mut random, mut scratch) = (Stream::new(1, 0), G::Scratch::default());
    let (mut leaves, mut branches) = (Leaves::new(count), Vec::new());
    let mut state = G::START;
    for moves in 0.. {
        let status = state.status();
        if matches!(status, GameStatus::Over(_)) {
            state = G::START;
            continue;
        }
        branches.clear();
        state.branches(&mut scratch, |branch, _| branches.push(branch));
        if status == GameStatus::Decision && moves % 3 == 0 {
            leaves.push(state, branches.iter().copied());
            if leaves.len() == count {
                break;
            }
        }
        state = state.after(branches[random.below(branches.len() as u32) as usize]);
    }
    leaves
}

//! Dense forward pass of a board game's network, from encoded states to all logits and outcome probabilities. Other
//! programs can compute the same pass.

use crate::error::CliError;
use vivarium_agents::alphazero::{AlphaZeroGraph, AlphaZeroNetwork, SelfPlayGame};
use vivarium_graph::{Plan, Workspace};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{GameStatus, Leaves};

/// Dense forward pass of a policy and value network. Encoded states `[rows, INPUTS]` give policy logits `[rows,
/// ACTIONS]` and outcome probabilities `[rows, HEADS]`; each row is one state.
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
    /// Creates the forward pass for `rows` states from games with random moves.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the plan cannot be compiled.
    pub fn new(network: &'a AlphaZeroNetwork<G>, rows: usize) -> Result<Self, CliError> {
        let AlphaZeroGraph { graph, logits, heads, .. } = network.definition();
        let plan = Plan::for_cache(graph, &[*logits, *heads]).map_err(CliError::failed_by)?;
        let mut states = vec![0.0; rows * G::INPUTS];
        for (state, row) in decision_states::<G>(rows).states().iter().zip(states.chunks_exact_mut(G::INPUTS))
        {
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

/// Returns `count` states in which a player has to choose an action, with their legal actions. The states come from
/// games with random moves; at most every third state of a game is used.
pub fn decision_states<G: SelfPlayGame>(count: usize) -> Leaves<G> {
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

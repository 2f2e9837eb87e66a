//! Batched forward pass of the policy-value network: encodes game states, and computes logits of the legal actions,
//! outcome probabilities and equities (expected points).

use super::game::SelfPlayGame;
use super::network::AlphaZeroNetwork;
use std::marker::PhantomData;
use vivarium_graph::Workspace;
use vivarium_kernels::AlignedVec;
use vivarium_kernels::Ragged;
use vivarium_kernels::gemm::{SparseRows, gemm_columns};
use vivarium_mcts::{Evaluator, Leaves};

/// Clock function: returns the time in seconds since an arbitrary origin.
pub type Clock = fn() -> f64;

/// Total time of network evaluations, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvaluationTimes {
    /// Time in which states were encoded as network inputs, in seconds.
    pub encoding: f64,
    /// Time of the forward passes of the network, in seconds.
    pub forward: f64,
}

/// Buffers for batched evaluations of a policy-value network. An evaluation allocates no memory.
#[derive(Clone, Debug)]
pub struct ForwardPass<G> {
    capacity: usize,
    workspace: Workspace,
    /// States of the batch, encoded as sparse rows of network inputs.
    states: SparseRows,
    /// Output of the network's last residual block for each state of the batch, `[capacity, width]`.
    trunk: AlignedVec<f32>,
    /// Outcome probabilities of each state of the batch, `[capacity, heads]`.
    heads: AlignedVec<f32>,
    /// Total times of all evaluations so far, in seconds; 0 if `clock` is `None`.
    pub times: EvaluationTimes,
    /// Clock that measures `times`; `None` disables the measurement.
    pub clock: Option<Clock>,
    game: PhantomData<fn() -> G>,
}

/// Evaluator of the leaves of a tree search: a policy-value network, and buffers for its forward pass.
#[derive(Debug)]
pub struct LeafEvaluator<'a, G> {
    network: &'a AlphaZeroNetwork<G>,
    forward: &'a mut ForwardPass<G>,
}

impl<G: SelfPlayGame> ForwardPass<G> {
    /// Creates buffers for batches of up to `capacity` states (at least one). The buffers fit every network for this
    /// game with the size of `network`. More states are evaluated in several batches.
    pub fn new(network: &AlphaZeroNetwork<G>, capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            capacity,
            workspace: network.workspace(),
            states: SparseRows::with_capacity(capacity, G::INPUTS),
            trunk: AlignedVec::zeros(capacity * network.size().width),
            heads: AlignedVec::zeros(capacity * G::HEADS),
            times: EvaluationTimes::default(),
            clock: None,
            game: PhantomData,
        }
    }

    /// Returns an evaluator for the leaves of a tree search. The evaluator runs forward passes of `network` in the
    /// buffers of `self`.
    pub fn with<'a>(&'a mut self, network: &'a AlphaZeroNetwork<G>) -> LeafEvaluator<'a, G> {
        LeafEvaluator { network, forward: self }
    }

    /// Evaluates the leaves of a tree search. Writes the logits of the legal actions, concatenated over the leaves,
    /// to `logits`. Writes the equity of each leaf, in points for the player to move, to `values`. Outcomes that the rules
    /// exclude have the probability 0 ([`SelfPlayGame::remove_impossible_outcomes`]).
    pub fn evaluate(
        &mut self,
        network: &AlphaZeroNetwork<G>,
        leaves: &Leaves<G>,
        logits: &mut [f32],
        values: &mut [f32],
    ) {
        let mut start = 0;
        let chunks = leaves.states().chunks(self.capacity).zip(leaves.ends().chunks(self.capacity));
        for ((states, ends), values) in chunks.zip(values.chunks_mut(self.capacity)) {
            self.encode(states);
            let began = self.now();
            let Self { workspace, states: rows, trunk, heads, .. } = self;
            let outputs = &mut [&mut trunk[..], &mut heads[..]];
            let plan = network.plan(AlphaZeroNetwork::<G>::TRUNK_AND_HEADS);
            network.evaluate_sparse(plan, workspace, rows, outputs);
            G::remove_impossible_outcomes_of(states, heads);
            let (policy, bias) = network.policy();
            let actions = Ragged { values: leaves.actions(), start, ends };
            gemm_columns(network.level(), &self.trunk, policy, bias, actions, logits);
            for (value, heads) in values.iter_mut().zip(self.heads.chunks_exact(G::HEADS)) {
                *value = G::equity(heads);
            }
            self.times.forward += self.now() - began;
            start = ends.last().copied().unwrap_or(start);
        }
    }

    /// Computes the outcome probabilities of `states` for the player to move in each state, and writes them to
    /// `heads`, `[states, HEADS]`. Outcomes that the rules exclude have the probability 0.
    pub fn heads(&mut self, network: &AlphaZeroNetwork<G>, states: &[G], heads: &mut [f32]) {
        let chunks = states.chunks(self.capacity).zip(heads.chunks_mut(self.capacity * G::HEADS));
        for (states, heads) in chunks {
            self.encode(states);
            let began = self.now();
            let Self { workspace, states: rows, .. } = self;
            let plan = network.plan(AlphaZeroNetwork::<G>::HEADS);
            network.evaluate_sparse(plan, workspace, rows, &mut [&mut *heads]);
            G::remove_impossible_outcomes_of(states, heads);
            self.times.forward += self.now() - began;
        }
    }

    /// Encodes `states` as sparse rows of network inputs. [`inputs`](Self::inputs) returns the rows until the next
    /// call.
    pub(super) fn encode(&mut self, states: &[G]) {
        let began = self.now();
        let rows = &mut self.states;
        rows.clear();
        for state in states {
            rows.add(G::INPUTS, |row| state.write_inputs(row));
        }
        self.times.encoding += self.now() - began;
    }

    /// Returns the states that were encoded last, as sparse rows of network inputs.
    #[cfg(feature = "gpu")]
    pub(super) fn inputs(&self) -> &SparseRows {
        &self.states
    }

    fn now(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }
}

impl<G: SelfPlayGame> Evaluator<G> for LeafEvaluator<'_, G> {
    fn evaluate(&mut self, leaves: &Leaves<G>, logits: &mut [f32], values: &mut [f32]) {
        self.forward.evaluate(self.network, leaves, logits, values);
    }
}

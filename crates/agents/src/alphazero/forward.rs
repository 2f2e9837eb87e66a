//! Batched forward pass: encodes states and computes policy logits of legal actions, outcome probabilities and
//! equities.

use super::game::SelfPlayGame;
use super::network::AlphaZeroNetwork;
use std::marker::PhantomData;
use vivarium_graph::Workspace;
use vivarium_kernels::AlignedVec;
use vivarium_kernels::Ragged;
use vivarium_kernels::gemm::{SparseRows, gemm_columns};
use vivarium_mcts::{Evaluator, Leaves};

/// Clock: returns the time in seconds since an arbitrary origin.
pub type Clock = fn() -> f64;

/// Time spent on evaluations, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvaluationTimes {
    /// Time for encoding states as network inputs, in seconds.
    pub encoding: f64,
    /// Time for forward passes of the network, in seconds.
    pub forward: f64,
}

/// Buffers for batched evaluations of a network. An evaluation does not allocate memory.
#[derive(Clone, Debug)]
pub struct ForwardPass<G> {
    capacity: usize,
    workspace: Workspace,
    /// States of the batch, encoded as sparse rows of network inputs.
    states: SparseRows,
    /// Output of the network's trunk, `[capacity, width]`.
    trunk: AlignedVec<f32>,
    /// Output of the value heads, `[capacity, heads]`.
    heads: AlignedVec<f32>,
    /// Accumulated evaluation times; 0 without a clock.
    pub times: EvaluationTimes,
    /// Clock for time measurements; `None` disables them.
    pub clock: Option<Clock>,
    game: PhantomData<fn() -> G>,
}

/// Leaf evaluator of a search: a network and the buffers to evaluate it.
#[derive(Debug)]
pub struct LeafEvaluator<'a, G> {
    network: &'a AlphaZeroNetwork<G>,
    forward: &'a mut ForwardPass<G>,
}

impl<G: SelfPlayGame> ForwardPass<G> {
    /// Creates buffers for batches of up to `capacity` states (at least one) and for networks of the size of `network`.
    /// Larger inputs are split into several batches.
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

    /// Returns a leaf evaluator for a search, which evaluates `network` in these buffers.
    pub fn with<'a>(&'a mut self, network: &'a AlphaZeroNetwork<G>) -> LeafEvaluator<'a, G> {
        LeafEvaluator { network, forward: self }
    }

    /// Evaluates the leaves of a search. Writes the policy logit of each legal action to `logits`, and the equity of
    /// each state, in points for the player to move, to `values`.
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
            let Self { workspace, states, trunk, heads, .. } = self;
            let outputs = &mut [&mut trunk[..], &mut heads[..]];
            let plan = network.plan(AlphaZeroNetwork::<G>::TRUNK_AND_HEADS);
            network.evaluate_sparse(plan, workspace, states, outputs);
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

    /// Computes the outcome probabilities of `states`, `[states, HEADS]`, from the view of the player to move in each
    /// state.
    pub fn heads(&mut self, network: &AlphaZeroNetwork<G>, states: &[G], heads: &mut [f32]) {
        let chunks = states.chunks(self.capacity).zip(heads.chunks_mut(self.capacity * G::HEADS));
        for (states, heads) in chunks {
            self.encode(states);
            let began = self.now();
            let Self { workspace, states, .. } = self;
            let plan = network.plan(AlphaZeroNetwork::<G>::HEADS);
            network.evaluate_sparse(plan, workspace, states, &mut [heads]);
            self.times.forward += self.now() - began;
        }
    }

    /// Encodes `states` as network inputs; [`inputs`](Self::inputs) then returns them.
    pub(super) fn encode(&mut self, states: &[G]) {
        let began = self.now();
        let rows = &mut self.states;
        rows.clear();
        for state in states {
            rows.add(G::INPUTS, |row| state.write_inputs(row));
        }
        self.times.encoding += self.now() - began;
    }

    /// Returns the encoded states of the last batch.
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

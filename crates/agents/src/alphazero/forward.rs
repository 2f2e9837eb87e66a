//! The forward pass: states in, logits of their legal actions, chances and values out.

use super::game::Learnable;
use super::network::Network;
use std::marker::PhantomData;
use vivarium_graph::Workspace;
use vivarium_kernels::AlignedVec;
use vivarium_kernels::Ragged;
use vivarium_kernels::gemm::{SparseRows, gemm_columns};
use vivarium_mcts::{Evaluator, Leaves};

/// A clock: the time in seconds since some moment.
pub type Clock = fn() -> f64;

/// Seconds spent on evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Writing states down as numbers.
    pub encoding: f64,
    /// The network.
    pub forward: f64,
}

/// A worker's room for evaluations. Once made, it allocates nothing.
#[derive(Clone, Debug)]
pub struct Forward<G> {
    capacity: usize,
    workspace: Workspace,
    /// The states under evaluation.
    states: SparseRows,
    /// `[capacity, width]`.
    trunk: AlignedVec<f32>,
    /// `[capacity, heads]`.
    heads: AlignedVec<f32>,
    /// What has been spent, as far as there is a clock.
    pub times: Times,
    /// The front end's clock, if it wants to know.
    pub clock: Option<Clock>,
    game: PhantomData<fn() -> G>,
}

/// A network that evaluates the leaves of a search.
#[derive(Debug)]
pub struct Evaluation<'a, G> {
    network: &'a Network<G>,
    forward: &'a mut Forward<G>,
}

impl<G: Learnable> Forward<G> {
    /// Room for as many states at a time, at least one, and for networks of the size of this one; more states are
    /// evaluated in several goes.
    pub fn new(network: &Network<G>, capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            capacity,
            workspace: network.workspace(),
            states: SparseRows::with_capacity(capacity, G::INPUTS),
            trunk: AlignedVec::zeros(capacity * network.size().width),
            heads: AlignedVec::zeros(capacity * G::HEADS),
            times: Times::default(),
            clock: None,
            game: PhantomData,
        }
    }

    /// An evaluator for a search.
    pub fn with<'a>(&'a mut self, network: &'a Network<G>) -> Evaluation<'a, G> {
        Evaluation { network, forward: self }
    }

    /// Evaluates leaves: `logits` has a number for each of their actions, `values` the equity of each state in the
    /// game's points, for the player to move.
    pub fn evaluate(
        &mut self,
        network: &Network<G>,
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
            let plan = network.plan(Network::<G>::TRUNK_AND_HEADS);
            network.evaluate_sparse_here(plan, workspace, states, outputs);
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

    /// The chances of states, `[states, HEADS]`, for the player to move in each.
    pub fn heads(&mut self, network: &Network<G>, states: &[G], heads: &mut [f32]) {
        let chunks = states.chunks(self.capacity).zip(heads.chunks_mut(self.capacity * G::HEADS));
        for (states, heads) in chunks {
            self.encode(states);
            let began = self.now();
            let Self { workspace, states, .. } = self;
            let plan = network.plan(Network::<G>::HEADS);
            network.evaluate_sparse_here(plan, workspace, states, &mut [heads]);
            self.times.forward += self.now() - began;
        }
    }

    /// Writes states as the network's [inputs](Self::inputs), all of them at once.
    pub(super) fn encode(&mut self, states: &[G]) {
        let began = self.now();
        let rows = &mut self.states;
        rows.clear();
        for state in states {
            rows.add(G::INPUTS, |row| state.describe(row));
        }
        self.times.encoding += self.now() - began;
    }

    /// The states that were encoded last.
    #[cfg(feature = "gpu")]
    pub(super) fn inputs(&self) -> &SparseRows {
        &self.states
    }

    fn now(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }
}

impl<G: Learnable> Evaluator<G> for Evaluation<'_, G> {
    fn evaluate(&mut self, leaves: &Leaves<G>, logits: &mut [f32], values: &mut [f32]) {
        self.forward.evaluate(self.network, leaves, logits, values);
    }
}

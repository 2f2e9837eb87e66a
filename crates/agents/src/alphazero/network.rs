//! The policy-value network and its loss, as one graph, and its weights.
//!
//! A residual trunk of fully connected layers (He et al. 2016, <https://arxiv.org/abs/1512.03385>) with two heads, as
//! in AlphaZero (Silver et al. 2017, <https://arxiv.org/abs/1712.01815>): a logit for each action, and outcome
//! probabilities instead of a scalar value.

use super::config::NetworkSize;
use super::game::SelfPlayGame;
use crate::residual::trunk;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use vivarium_graph::{Graph, GraphError, Initializer, ParameterSpec, Plan, SavedTensors, TensorError, Value};
use vivarium_kernels::{Level, PackedColumns};

/// Graph of the network and its loss; [`graph`](Self::graph) lists its inputs.
#[derive(Clone, Debug)]
pub struct AlphaZeroGraph {
    /// The graph. Inputs: `state` \[inputs\]; `legal` \[actions\], 1 for a legal action and 0 for the others; `policy`
    /// \[actions\], the policy target, which sums to 1, or is all 0 for a sample without a policy; `heads` \[heads\],
    /// the value target. Setting: `value_coefficient`.
    pub graph: Graph,
    /// Output of the trunk \[width\].
    pub trunk: Value,
    /// Policy logits \[actions\].
    pub logits: Value,
    /// Outcome probabilities \[heads\], each from 0 to 1.
    pub heads: Value,
    /// Cross-entropy of the policy target and the softmax over legal actions, \[1\]; 0 for a sample without a policy.
    pub policy_loss: Value,
    /// Binary cross-entropy of the value target and the predictions, summed over the heads, \[1\].
    pub value_loss: Value,
    /// policy_loss + value_coefficient · value_loss, \[1\].
    pub loss: Value,
}

impl AlphaZeroGraph {
    /// Builds the graph for a game.
    pub fn new<G: SelfPlayGame>(size: NetworkSize) -> Self {
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.sparse_input("state", &[G::INPUTS]);
        let legal = g.input("legal", &[G::ACTIONS]);
        let wanted_policy = g.input("policy", &[G::ACTIONS]);
        let wanted_heads = g.input("heads", &[G::HEADS]);
        let value_coefficient = g.setting("value_coefficient");

        let trunk = trunk(g, state, size.width, size.blocks);
        // A small gain makes the initial policy nearly uniform and the initial outcome probabilities nearly 1/2.
        let indifferent = Initializer::Orthogonal { gain: 0.01 };
        let logits = g.linear_with(POLICY, trunk, G::ACTIONS, indifferent);
        let head_logits = g.linear_with("value", trunk, G::HEADS, indifferent);
        let heads = g.sigmoid(head_logits);

        let policy_loss = policy_loss(g, logits, legal, wanted_policy);
        let of_heads = g.binary_cross_entropy(head_logits, wanted_heads);
        let value_loss = g.sum(of_heads);
        let loss = {
            let weighted = g.mul(value_loss, value_coefficient);
            g.add(policy_loss, weighted)
        };
        Self { graph, trunk, logits, heads, policy_loss, value_loss, loss }
    }
}

/// Name of the policy layer, the prefix of its parameters.
const POLICY: &str = "policy";

/// Builds the policy loss −Σ π · ln p, where π is the policy target `wanted` and p the softmax over the logits of the
/// legal actions. `legal` is 1 for a legal action and 0 for the others.
fn policy_loss(g: &mut Graph, logits: Value, legal: Value, wanted: Value) -> Value {
    // Illegal actions get a logit of −10⁹, which makes their probability 0.
    const FAR: f32 = 1e9;
    let illegal = g.offset(legal, -1.0);
    let far_down = g.scale(illegal, FAR);
    let masked = g.add(logits, far_down);
    g.soft_cross_entropy(masked, wanted)
}

/// The policy-value network of a game: graph, inference plans and weights.
///
/// A [`ForwardPass`](super::ForwardPass) evaluates the network. Several forward passes can use the same network
/// concurrently.
#[derive(Clone, Debug)]
pub struct AlphaZeroNetwork<G> {
    size: NetworkSize,
    definition: AlphaZeroGraph,
    /// Weights, and two inference plans with the indices [`Self::TRUNK_AND_HEADS`] and [`Self::HEADS`].
    network: vivarium_learn::Network,
    policy: PackedColumns,
    /// Ranges of the policy layer's weight and bias in the weight vector.
    policy_weight: Range<usize>,
    policy_bias: Range<usize>,
    game: PhantomData<fn() -> G>,
}

impl<G: SelfPlayGame> AlphaZeroNetwork<G> {
    /// Index of the plan that computes trunk and value heads.
    pub(super) const TRUNK_AND_HEADS: usize = 0;
    /// Index of the plan that computes the value heads only.
    pub(super) const HEADS: usize = 1;

    /// Creates a network with freshly initialized weights.
    ///
    /// # Errors
    /// [`GraphError`] if the size is 0.
    pub fn new(size: NetworkSize, seed: u64) -> Result<Self, GraphError> {
        let definition = AlphaZeroGraph::new::<G>(size);
        let AlphaZeroGraph { graph, trunk, heads, .. } = &definition;
        let plans = vec![Plan::for_cache(graph, &[*trunk, *heads])?, Plan::for_cache(graph, &[*heads])?];
        let network = vivarium_learn::Network::new(graph, plans, seed)?;
        let part = |suffix: &str| {
            let name = format!("{POLICY}.{suffix}");
            let spec = |spec: &&ParameterSpec| spec.name == name;
            network.specs().iter().find(spec).map(ParameterSpec::range).unwrap_or_default()
        };
        let (policy_weight, policy_bias) = (part("weight"), part("bias"));
        let policy = PackedColumns::pack(&network.weights()[policy_weight.clone()], size.width, G::ACTIONS);
        Ok(Self { size, definition, network, policy, policy_weight, policy_bias, game: PhantomData })
    }

    /// Returns the network with inference at the SIMD level `level`. The default is the best level of this machine.
    pub fn at_level(self, level: Level) -> Self {
        Self { network: self.network.at_level(level), ..self }
    }

    /// Returns the size of the network.
    pub fn size(&self) -> NetworkSize {
        self.size
    }

    /// Returns the graph of the network.
    pub fn definition(&self) -> &AlphaZeroGraph {
        &self.definition
    }

    /// Replaces the weights, without allocation.
    ///
    /// # Panics
    /// If `weights` has a different length.
    pub fn write(&mut self, weights: &[f32]) {
        self.network.write(weights);
        self.policy.repack(&weights[self.policy_weight.clone()]);
    }

    /// Reads the weights from the tensors in `saved` whose names have the prefix `group`, one per parameter.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or has the wrong shape; nothing is changed in that case.
    pub fn read(&mut self, saved: &SavedTensors<'_>, group: &str) -> Result<(), TensorError> {
        self.network.read(saved, group)?;
        self.policy.repack(&self.network.weights()[self.policy_weight.clone()]);
        Ok(())
    }

    /// Returns the policy layer's weights, packed by action, and its bias.
    pub(super) fn policy(&self) -> (&PackedColumns, &[f32]) {
        (&self.policy, &self.network.weights()[self.policy_bias.clone()])
    }
}

impl<G> Deref for AlphaZeroNetwork<G> {
    type Target = vivarium_learn::Network;

    fn deref(&self) -> &vivarium_learn::Network {
        &self.network
    }
}

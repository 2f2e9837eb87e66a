//! Policy-value network of AlphaZero: its weights, and its graph with the loss.
//!
//! A residual trunk of fully connected layers (He et al. 2016, <https://arxiv.org/abs/1512.03385>) with two heads, as
//! in AlphaZero (Silver et al. 2017, <https://arxiv.org/abs/1712.01815>): a logit for each action, and outcome
//! probabilities instead of a scalar value.

use super::config::NetworkSize;
use super::game::SelfPlayGame;
use crate::error::LearnerError;
use crate::residual::trunk;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use vivarium_graph::{Graph, GraphError, Initializer, ParameterSpec, Plan, SavedTensors, TensorError, Value};
use vivarium_kernels::{Level, PackedColumns};
use vivarium_learn::InferenceNetwork;

/// Graph of the policy-value network and its loss. Shapes are per minibatch row (sample).
#[derive(Clone, Debug)]
pub struct AlphaZeroGraph {
    /// The graph. Its inputs are `state` \[inputs\]; `legal` \[actions\], 1 for a legal action and 0 for the others;
    /// `policy` \[actions\], the policy target, which sums to 1, or is all 0 for a sample without a policy target;
    /// and `heads` \[heads\], the value target. Its only setting is `value_coefficient`, the weight of the value
    /// loss.
    pub graph: Graph,
    /// Output of the last residual block \[width\], from which policy and value heads are computed.
    pub trunk: Value,
    /// Logit of each action, legal or not \[actions\].
    pub logits: Value,
    /// Outcome probabilities for the player to move \[heads\], each from 0 to 1.
    pub heads: Value,
    /// Cross-entropy between the policy target and the softmax over the logits of the legal actions \[1\]; 0 for a
    /// sample without a policy target.
    pub policy_loss: Value,
    /// Binary cross-entropy between the value target and the outcome probabilities, summed over the heads \[1\].
    pub value_loss: Value,
    /// Total loss: policy_loss + value_coefficient · value_loss \[1\].
    pub loss: Value,
}

impl AlphaZeroGraph {
    /// Builds the graph of the network of size `size` for the game `G`.
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

/// Name of the layer that computes the logits, and prefix of its parameter names.
const POLICY: &str = "policy";

/// Builds the policy loss −Σ π · ln p, where π is the policy target `wanted`, and p the softmax over the logits of
/// the legal actions. `legal` is 1 for each legal action and 0 for the others.
fn policy_loss(g: &mut Graph, logits: Value, legal: Value, wanted: Value) -> Value {
    // Illegal actions get a logit of −10⁹, which makes their probability 0.
    const FAR: f32 = 1e9;
    let illegal = g.offset(legal, -1.0);
    let far_down = g.scale(illegal, FAR);
    let masked = g.add(logits, far_down);
    g.soft_cross_entropy(masked, wanted)
}

/// Policy-value network of the game `G`: graph, inference plans and weights.
///
/// A [`ForwardPass`](super::ForwardPass) evaluates the network. Several forward passes can use one network
/// concurrently.
#[derive(Clone, Debug)]
pub struct AlphaZeroNetwork<G> {
    size: NetworkSize,
    definition: AlphaZeroGraph,
    /// Weights of the network, with two inference plans, indexed by [`Self::TRUNK_AND_HEADS`] and [`Self::HEADS`].
    network: vivarium_learn::Network,
    policy: PackedColumns,
    /// Range of the policy layer's weight matrix in the network's weight vector.
    policy_weight: Range<usize>,
    /// Range of the policy layer's bias in the network's weight vector.
    policy_bias: Range<usize>,
    game: PhantomData<fn() -> G>,
}

impl<G: SelfPlayGame> AlphaZeroNetwork<G> {
    /// Index of the inference plan that computes the output of the trunk and the outcome probabilities.
    pub(super) const TRUNK_AND_HEADS: usize = 0;
    /// Index of the inference plan that computes the outcome probabilities only.
    pub(super) const HEADS: usize = 1;

    /// Creates a network of size `size` with randomly initialized weights.
    ///
    /// # Errors
    /// [`GraphError`] if width or number of blocks is 0.
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

    /// Returns the network, configured to run forward passes with the SIMD instruction set `level`. By default,
    /// networks use the best instruction set of the machine.
    pub fn at_level(self, level: Level) -> Self {
        Self { network: self.network.at_level(level), ..self }
    }

    /// Returns the size of the network: width and number of blocks.
    pub fn size(&self) -> NetworkSize {
        self.size
    }

    /// Returns the graph of the network and its loss.
    pub fn definition(&self) -> &AlphaZeroGraph {
        &self.definition
    }

    /// Returns the network for export. The input is the encoded `state` \[inputs\] ([`SelfPlayGame::encode`]). The
    /// outputs are `policy_logits` \[actions\], of legal and illegal actions, and `outcome_probabilities` \[heads\] for
    /// the player to move. The exported network can assign a small probability to outcomes that the rules exclude
    /// ([`SelfPlayGame::remove_impossible_outcomes`]).
    ///
    /// # Errors
    /// [`LearnerError::Network`] if the graph cannot be built, which never occurs for a valid network.
    pub fn inference_network(&self) -> Result<InferenceNetwork, LearnerError> {
        let AlphaZeroGraph { graph, logits, heads, .. } = &self.definition;
        let outputs = [("policy_logits", *logits), ("outcome_probabilities", *heads)];
        Ok(InferenceNetwork::new(graph.clone(), &outputs, self.network.parameters(), &[])?)
    }

    /// Replaces the weights by `weights`, without allocation.
    ///
    /// # Panics
    /// If the length of `weights` is not the number of parameters.
    pub fn write(&mut self, weights: &[f32]) {
        self.network.write(weights);
        self.policy.repack(&weights[self.policy_weight.clone()]);
    }

    /// Reads the weights from the tensors in `saved`, one per parameter, whose names begin with the prefix `group`.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or has the wrong shape; the network is unchanged then.
    pub fn read(&mut self, saved: &SavedTensors<'_>, group: &str) -> Result<(), TensorError> {
        self.network.read(saved, group)?;
        self.policy.repack(&self.network.weights()[self.policy_weight.clone()]);
        Ok(())
    }

    /// Returns the weights of the policy layer, with the weights of each action contiguous, and the bias of each
    /// action.
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

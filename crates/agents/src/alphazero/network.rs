//! The network and its loss, as one graph, and its weights.
//!
//! A trunk of fully connected residual blocks looks at a state and has two heads: a logit for each action, and the
//! chances of how the game may end (He and others, "Deep residual learning", 2016; Silver and others 2018).

use super::game::Learnable;
use crate::residual::trunk;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use vivarium_graph::{Graph, GraphError, Initializer, ParameterSpec, Plan, Saved, TensorError, Value};
use vivarium_kernels::{Level, PackedColumns};

/// How large a network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSize {
    /// Units of a layer.
    pub width: usize,
    /// Residual blocks, of two layers each.
    pub blocks: usize,
}

impl NetworkSize {
    /// The size that figures are given for: about 283,000 weights for backgammon.
    pub const REFERENCE: Self = Self { width: 128, blocks: 3 };
    /// Quick to train and to run.
    pub const SMALL: Self = Self { width: 64, blocks: 2 };
    /// Stronger for whoever has the time.
    pub const LARGE: Self = Self { width: 256, blocks: 4 };
}

/// What can be computed, as values of one graph. Its inputs come in the order of the fields.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The graph, with the inputs `state` \[inputs\], `legal` \[actions\] (1 for a legal action, 0 for the others), `policy`
    /// \[actions\] (the wanted one, which sums to 1, or is all 0 for a state that teaches its value alone), `heads` \[heads\]
    /// (the wanted ones), and the setting `value_coefficient`.
    pub graph: Graph,
    /// What both heads read \[width\].
    pub trunk: Value,
    /// A number for each action \[actions\].
    pub logits: Value,
    /// The chances of how the game may end \[heads\], each between 0 and 1.
    pub heads: Value,
    /// Cross-entropy of the wanted policy with the network's over the legal actions, \[1\]: 0 where no policy is wanted.
    pub policy_loss: Value,
    /// Cross-entropy of the wanted heads with the network's, summed over the heads, \[1\].
    pub value_loss: Value,
    /// policy_loss + value_coefficient · value_loss, \[1\].
    pub loss: Value,
}

impl Definition {
    /// The network for a game.
    pub fn new<G: Learnable>(size: NetworkSize) -> Self {
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.sparse_input("state", &[G::INPUTS]);
        let legal = g.input("legal", &[G::ACTIONS]);
        let wanted_policy = g.input("policy", &[G::ACTIONS]);
        let wanted_heads = g.input("heads", &[G::HEADS]);
        let value_coefficient = g.setting("value_coefficient");

        let trunk = trunk(g, state, size.width, size.blocks);
        // Heads that know nothing yet find all actions alike and all ends about as likely.
        let indifferent = Initializer::Orthogonal { gain: 0.01 };
        let logits = g.linear_with(POLICY, trunk, G::ACTIONS, indifferent);
        let head_logits = g.linear_with("value", trunk, G::HEADS, indifferent);
        let heads = g.sigmoid(head_logits);

        let policy_loss = policy_loss(g, logits, legal, wanted_policy);
        let value_loss = binary_cross_entropy(g, head_logits, wanted_heads);
        let loss = {
            let weighted = g.mul(value_loss, value_coefficient);
            g.add(policy_loss, weighted)
        };
        Self { graph, trunk, logits, heads, policy_loss, value_loss, loss }
    }
}

/// Name of the policy's layer.
const POLICY: &str = "policy";

/// −Σ π · ln p, where p is the softmax over the legal actions' logits.
fn policy_loss(g: &mut Graph, logits: Value, legal: Value, wanted: Value) -> Value {
    // An illegal action's logit goes so far down that no probability is left.
    const FAR: f32 = 1e9;
    let illegal = g.offset(legal, -1.0);
    let far_down = g.scale(illegal, FAR);
    let masked = g.add(logits, far_down);
    let log_probabilities = g.log_softmax(masked);
    let terms = g.mul(wanted, log_probabilities);
    let sum = g.sum(terms);
    g.neg(sum)
}

/// Σ −t · ln σ(z) − (1 − t) · ln(1 − σ(z)), as max(z, 0) − t·z + ln(1 + e^−|z|), which no z makes overflow.
fn binary_cross_entropy(g: &mut Graph, z: Value, wanted: Value) -> Value {
    let positive = g.relu(z);
    let towards = g.mul(wanted, z);
    let linear = g.sub(positive, towards);
    let size = g.abs(z);
    let away = g.neg(size);
    let small = g.exp(away);
    let one_more = g.offset(small, 1.0);
    let log = g.ln(one_more);
    let each = g.add(linear, log);
    g.sum(each)
}

/// A network that plays.
///
/// A [`Forward`](super::Forward) runs it; any number of them can, at the same time.
#[derive(Clone, Debug)]
pub struct Network<G> {
    size: NetworkSize,
    definition: Definition,
    /// Its plans are [`Self::TRUNK_AND_HEADS`] and [`Self::HEADS`].
    network: vivarium_learn::Network,
    policy: PackedColumns,
    /// Where the policy's weights and its bias are among all.
    policy_weight: Range<usize>,
    policy_bias: Range<usize>,
    game: PhantomData<fn() -> G>,
}

impl<G: Learnable> Network<G> {
    /// The plan of the trunk and the heads of every state.
    pub(super) const TRUNK_AND_HEADS: usize = 0;
    /// The plan of the heads alone.
    pub(super) const HEADS: usize = 1;

    /// Freshly initialized.
    ///
    /// # Errors
    /// [`GraphError`] for a size of nothing.
    pub fn new(size: NetworkSize, seed: u64) -> Result<Self, GraphError> {
        let definition = Definition::new::<G>(size);
        let Definition { graph, trunk, heads, .. } = &definition;
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

    /// The same network at another SIMD level than this machine's best.
    pub fn at_level(self, level: Level) -> Self {
        Self { network: self.network.at_level(level), ..self }
    }

    /// How large it is.
    pub fn size(&self) -> NetworkSize {
        self.size
    }

    /// What it computes.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Replaces the weights, without allocating.
    ///
    /// # Panics
    /// If there is another number of them.
    pub fn write(&mut self, weights: &[f32]) {
        self.network.write(weights);
        self.policy.repack(&weights[self.policy_weight.clone()]);
    }

    /// Takes over a group of tensors.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn read(&mut self, saved: &Saved<'_>, group: &str) -> Result<(), TensorError> {
        self.network.read(saved, group)?;
        self.policy.repack(&self.network.weights()[self.policy_weight.clone()]);
        Ok(())
    }

    /// The policy's weights, action by action, and its bias.
    pub(super) fn policy(&self) -> (&PackedColumns, &[f32]) {
        (&self.policy, &self.network.weights()[self.policy_bias.clone()])
    }
}

impl<G> Deref for Network<G> {
    type Target = vivarium_learn::Network;

    fn deref(&self) -> &vivarium_learn::Network {
        &self.network
    }
}

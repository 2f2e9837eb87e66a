//! The network and its loss, as one graph, and its weights.
//!
//! A trunk of fully connected residual blocks looks at a state and has two heads: a logit for each action, and the
//! chances of how the game may end (He and others, "Deep residual learning", 2016; Silver and others 2018).

use super::game::Learnable;
use std::marker::PhantomData;
use std::ops::Range;
use vivarium_graph::{
    Graph, GraphError, Initializer, PackedParameters, ParameterSpec, Parameters, Plan, Value,
};
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
    /// The graph, with the inputs `state` \[inputs\], `legal` \[actions\], `policy` \[actions\], `heads` \[heads\] and the
    /// setting `value_coefficient`.
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
    /// Inputs of the graph that come in rows: state, legal (1 for an action that is, 0 for one that is not), wanted
    /// policy (which sums to 1, or is all 0 for a state that teaches its value alone), wanted heads.
    pub const INPUTS: usize = 4;
    /// The value coefficient.
    pub const SETTINGS: usize = 1;

    /// The network for a game.
    pub fn new<G: Learnable>(size: NetworkSize) -> Self {
        let mut graph = Graph::new();
        let g = &mut graph;
        let state = g.sparse_input("state", &[G::INPUTS]);
        let legal = g.input("legal", &[G::ACTIONS]);
        let wanted_policy = g.input("policy", &[G::ACTIONS]);
        let wanted_heads = g.input("heads", &[G::HEADS]);
        let value_coefficient = g.setting("value_coefficient");

        let mut trunk = layer(g, "stem", state, size.width, None);
        for block in 0..size.blocks {
            let middle = layer(g, &format!("block.{block}.0"), trunk, size.width, None);
            trunk = layer(g, &format!("block.{block}.1"), middle, size.width, Some(trunk));
        }
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

/// relu(norm(x·W + b) + skip).
fn layer(g: &mut Graph, name: &str, x: Value, width: usize, skip: Option<Value>) -> Value {
    let h = g.linear(name, x, width);
    let h = g.layer_norm(&format!("{name}.norm"), h);
    let h = skip.map_or(h, |skip| g.add(h, skip));
    g.relu(h)
}

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

/// A network that plays: its weights, laid out for products.
///
/// A [`Forward`](super::Forward) runs it; any number of them can, at the same time.
#[derive(Clone, Debug)]
pub struct Network<G> {
    level: Level,
    size: NetworkSize,
    definition: Definition,
    parameters: Parameters,
    packed: PackedParameters,
    policy: PackedColumns,
    /// Where the policy's weights and its bias are among all.
    policy_weight: Range<usize>,
    policy_bias: Range<usize>,
    plan: Plan,
    value_plan: Plan,
    game: PhantomData<fn() -> G>,
}

impl<G: Learnable> Network<G> {
    /// Freshly initialised.
    ///
    /// # Errors
    /// [`GraphError`] for a size of nothing.
    pub fn new(level: Level, size: NetworkSize, seed: u64) -> Result<Self, GraphError> {
        let definition = Definition::new::<G>(size);
        let parameters = Parameters::new(&definition.graph, seed)?;
        let plan = Plan::for_cache(&definition.graph, &[definition.trunk, definition.heads])?;
        let value_plan = Plan::for_cache(&definition.graph, &[definition.heads])?;
        let part = |suffix: &str| {
            let name = format!("{POLICY}.{suffix}");
            let spec = |spec: &&ParameterSpec| spec.name == name;
            parameters.specs().iter().find(spec).map(ParameterSpec::range).unwrap_or_default()
        };
        let policy = PackedColumns::pack(&parameters.flat()[part("weight")], size.width, G::ACTIONS);
        Ok(Self {
            packed: PackedParameters::new(level, &parameters),
            policy,
            policy_weight: part("weight"),
            policy_bias: part("bias"),
            level,
            size,
            definition,
            parameters,
            plan,
            value_plan,
            game: PhantomData,
        })
    }

    /// The SIMD level that the weights are packed for.
    pub fn level(&self) -> Level {
        self.level
    }

    /// How large it is.
    pub fn size(&self) -> NetworkSize {
        self.size
    }

    /// What it computes.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Its weights.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Its weights as matrix products want them, both ways.
    pub fn packed(&self) -> &PackedParameters {
        &self.packed
    }

    /// Changes the weights, packs them anew, and returns what the change did.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut Parameters) -> R) -> R {
        let result = change(&mut self.parameters);
        self.packed.refresh(&self.parameters);
        self.policy.repack(&self.parameters.flat()[self.policy_weight.clone()]);
        result
    }

    /// Takes over the weights of a network of the same size, without allocating.
    ///
    /// # Panics
    /// If the other one is of another size.
    pub fn copy_from(&mut self, other: &Self) {
        self.change(|parameters| parameters.flat_mut().copy_from_slice(other.parameters.flat()));
    }

    /// Of every state the trunk and the heads.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Of every state the heads alone.
    pub(super) fn value_plan(&self) -> &Plan {
        &self.value_plan
    }

    /// The policy's weights, action by action, and its bias.
    pub(super) fn policy(&self) -> (&PackedColumns, &[f32]) {
        (&self.policy, &self.parameters.flat()[self.policy_bias.clone()])
    }
}

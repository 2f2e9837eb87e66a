//! Networks of the benchmarks. `vivarium bench graph` measures them natively; `benches/rivals/browser` measures them in
//! a browser, beside other libraries.

use crate::error::GraphError;
use crate::graph::Graph;
use crate::ids::Value;
use crate::init::Initializer;
use crate::plan::Plan;
use crate::testing::ppo_loss;

/// A network with deterministic inputs, and a loss if its gradient is measured.
#[derive(Debug, Clone)]
pub struct BenchNetwork {
    /// Graph of the network and its loss.
    pub graph: Graph,
    /// Outputs of the forward pass with their names.
    pub outputs: Vec<(&'static str, Value)>,
    /// Loss of a row of the batch; `None` for a network whose gradient is not measured.
    pub loss: Option<Value>,
    /// Inputs that are indices, with the number of possible indices. All other inputs are real numbers.
    pub indices: Vec<(&'static str, usize)>,
    /// Number of batch rows in a chunk; `None` for a number that fits the cache.
    pub chunk_rows: Option<usize>,
}

impl BenchNetwork {
    /// Compiles the forward pass.
    ///
    /// # Errors
    /// The first error in the graph's definition.
    pub fn forward_plan(&self) -> Result<Plan, GraphError> {
        self.plan(&self.graph, &self.outputs.iter().map(|&(_, value)| value).collect::<Vec<_>>())
    }

    /// Compiles the gradient of the mean loss. The output of the plan is the loss of each row, or of each token of the
    /// transformer. Returns `None` for a network without a loss.
    ///
    /// # Errors
    /// The first error in the graph's definition.
    pub fn gradient_plan(&self) -> Result<Option<Plan>, GraphError> {
        let Some(loss) = self.loss else { return Ok(None) };
        let gradient = self.graph.gradient(loss);
        let output = gradient.head_losses_beside_gradient().unwrap_or(loss);
        self.plan(&gradient, &[output]).map(Some)
    }

    fn plan(&self, graph: &Graph, outputs: &[Value]) -> Result<Plan, GraphError> {
        match self.chunk_rows {
            Some(rows) => Plan::compile(graph, outputs, rows),
            None => Plan::for_cache(graph, outputs),
        }
    }

    /// Returns the elements of each input for a batch of `rows` rows, in order of declaration.
    pub fn inputs(&self, rows: usize) -> Vec<Vec<f32>> {
        let of = |limit: Option<usize>, count: usize| match limit {
            Some(limit) => (0..count).map(|i| (i * 7919 % 97 % limit) as f32).collect(),
            None => (0..count).map(|i| (i * 7919 % 97) as f32 / 97.0).collect(),
        };
        let limit = |name: &str| self.indices.iter().find(|index| index.0 == name).map(|index| index.1);
        self.graph.inputs().iter().map(|input| of(limit(&input.name), rows * input.shape.size())).collect()
    }
}

/// Builds a matrix product: x \[side\] gives x·W \[side\].
pub fn matrix_product(side: usize) -> BenchNetwork {
    let mut graph = Graph::new();
    let x = graph.input("x", &[side]);
    let y = graph.linear_without_bias("product", x, side, Initializer::KaimingUniform);
    BenchNetwork { graph, outputs: vec![("y", y)], loss: None, indices: Vec::new(), chunk_rows: None }
}

/// Builds a residual MLP for board games with 257,961 parameters: 344→128, three residual blocks with layer norm, policy
/// head with 676 logits, value head with 192 hidden units and five outputs.
pub fn residual_mlp() -> BenchNetwork {
    let mut graph = Graph::new();
    let g = &mut graph;
    let board = g.input("board", &[344]);
    let mut h = add_layer(g, "stem", board, None);
    for block in 0..3 {
        let middle = add_layer(g, &format!("block.{block}.0"), h, None);
        h = add_layer(g, &format!("block.{block}.1"), middle, Some(h));
    }
    let policy = g.linear("policy", h, 676);
    let hidden = g.linear("value.hidden", h, 192);
    let hidden = g.relu(hidden);
    let value = g.linear("value", hidden, 5);
    let outputs = vec![("policy", policy), ("value", value)];
    BenchNetwork { graph, outputs, loss: None, indices: Vec::new(), chunk_rows: None }
}

/// Adds a layer of 128 units to the graph: relu(norm(x·W + b) + skip). `skip` is the input of the residual connection,
/// if any.
fn add_layer(g: &mut Graph, name: &str, x: Value, skip: Option<Value>) -> Value {
    let h = g.linear(name, x, 128);
    let h = g.layer_norm(&format!("{name}.norm"), h);
    let h = skip.map_or(h, |skip| g.add(h, skip));
    g.relu(h)
}

/// Builds an actor-critic network 4→64→64→(2, 1) with tanh and the PPO loss of each row: clipped surrogate objective,
/// clipped value loss and entropy bonus (Schulman et al. 2017, <https://arxiv.org/abs/1707.06347>).
pub fn actor_critic() -> BenchNetwork {
    let mut graph = Graph::new();
    let g = &mut graph;
    let mut h = g.input("observation", &[4]);
    for index in 0..2 {
        h = g.linear_with(&format!("torso.{index}"), h, 64, Initializer::Orthogonal { gain: 2f32.sqrt() });
        h = g.tanh(h);
    }
    let logits = g.linear_with("policy", h, 2, Initializer::Orthogonal { gain: 0.01 });
    let value = g.linear_with("value", h, 1, Initializer::Orthogonal { gain: 1.0 });
    let log_probabilities = g.log_softmax(logits);
    let batch =
        ["action", "old_log_probability", "advantage", "old_value", "return"].map(|name| g.input(name, &[1]));
    let loss =
        ppo_loss(g, log_probabilities, value, batch, |g, negative_entropy| g.scale(negative_entropy, 0.01));
    BenchNetwork {
        graph,
        outputs: vec![("log_probabilities", log_probabilities), ("value", value)],
        loss: Some(loss),
        indices: vec![("action", 2)],
        chunk_rows: None,
    }
}

/// Builds a decoder-only transformer as GPT-2 (Radford et al. 2019) and the cross-entropy of the next tokens. Shapes are
/// per sequence. The sizes are nanoGPT's for CPUs (Karpathy 2022, <https://github.com/karpathy/nanoGPT>): 64 tokens,
/// width 128, 4 layers, 4 heads, a vocabulary of 65 tokens.
pub fn transformer() -> BenchNetwork {
    let [context, width, layers, heads, vocabulary] = [64, 128, 4, 4, 65];
    let (mut graph, normal) = (Graph::new(), Initializer::Normal(0.02));
    let g = &mut graph;
    let [tokens, targets] = ["tokens", "targets"].map(|name| g.input(name, &[context, 1]));
    let words = g.embedding("wte", tokens, vocabulary, width, normal);
    let positions = g.parameter_shaped("wpe.weight", &[context, width], normal);
    let mut x = g.add(words, positions);
    for layer in 0..layers {
        let h = g.layer_norm(&format!("h.{layer}.ln_1"), x);
        let qkv = g.linear_with(&format!("h.{layer}.attn.c_attn"), h, 3 * width, normal);
        let attended = g.attention(qkv, heads);
        let added = g.linear_with(&format!("h.{layer}.attn.c_proj"), attended, width, normal);
        x = g.add(added, x);
        let h = g.layer_norm(&format!("h.{layer}.ln_2"), x);
        let hidden = g.linear_with(&format!("h.{layer}.mlp.c_fc"), h, 4 * width, normal);
        let hidden = g.gelu(hidden);
        let added = g.linear_with(&format!("h.{layer}.mlp.c_proj"), hidden, width, normal);
        x = g.add(added, x);
    }
    let x = g.layer_norm("ln_f", x);
    let logits = g.linear_transposed("lm_head", x, vocabulary, normal);
    let losses = g.head_loss("lm_head", x, targets, vocabulary, normal);
    let line = g.reshape(losses, &[context]);
    let loss = g.mean(line);
    BenchNetwork {
        loss: Some(loss),
        graph,
        outputs: vec![("logits", logits)],
        indices: vec![("tokens", vocabulary), ("targets", vocabulary)],
        // As the language models: several threads share a batch of 12 sequences.
        chunk_rows: Some(3),
    }
}

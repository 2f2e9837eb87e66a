//! Computation graphs of the transformer: whole sequences for training and loss, single tokens for decoding.

use crate::config::{LanguageConfig, LanguageNorm};
use vivarium_graph::{Graph, Initializer, Value};

/// Standard deviation of the weight initialization, as in GPT-2.
const DEVIATION: f32 = 0.02;

/// Computation graph of the transformer and its loss. Shapes are per sequence; a batch has one sequence per
/// row. Parameters have the names of GPT-2's checkpoints.
pub(crate) struct GptGraph {
    /// Computation graph. Inputs: `tokens` and the next tokens `targets`, both \[context, 1\].
    pub graph: Graph,
    /// Cross-entropy of each target token in nats, \[context, 1\].
    pub losses: Value,
    /// Mean cross-entropy over all target tokens in nats: the mean of `losses`.
    pub loss: Value,
}

impl GptGraph {
    /// Builds the computation graph of a model with the hyperparameters `config` and a vocabulary of `vocabulary`
    /// tokens.
    pub fn new(config: &LanguageConfig, vocabulary: usize) -> Self {
        let context = config.context as usize;
        let (mut graph, normal) = (Graph::new(), Initializer::Normal(DEVIATION));
        let g = &mut graph;
        let [tokens, targets] = ["tokens", "targets"].map(|name| g.input(name, &[context, 1]));
        let x = transformer(g, config, vocabulary, tokens);
        let losses = g.head_loss(head(config), x, targets, vocabulary, normal);
        let line = g.reshape(losses, &[context]);
        let loss = g.mean(line);
        Self { graph, losses, loss }
    }
}

/// Computation graph of the transformer for whole sequences without a loss, for export. Shapes are per sequence; a
/// batch has one sequence per row.
pub(crate) struct GptInferenceGraph {
    /// Computation graph. Its input is `tokens` \[context, 1\].
    pub graph: Graph,
    /// Logits of the token after each token, \[context, vocabulary\].
    pub logits: Value,
}

impl GptInferenceGraph {
    /// Builds the computation graph of a model with the hyperparameters `config` and a vocabulary of `vocabulary`
    /// tokens.
    pub fn new(config: &LanguageConfig, vocabulary: usize) -> Self {
        let mut graph = Graph::new();
        let tokens = graph.input("tokens", &[config.context as usize, 1]);
        let x = transformer(&mut graph, config, vocabulary, tokens);
        let normal = Initializer::Normal(DEVIATION);
        let logits = graph.linear_transposed(head(config), x, vocabulary, normal);
        Self { graph, logits }
    }
}

/// Adds the transformer without its output head to the graph: tokens \[context, 1\] give the normalized residual stream
/// \[context, width\].
fn transformer(g: &mut Graph, config: &LanguageConfig, vocabulary: usize, tokens: Value) -> Value {
    let ([context, width], normal) =
        ([config.context, config.width].map(|size| size as usize), Initializer::Normal(DEVIATION));
    let words = g.embedding("wte", tokens, vocabulary, width, normal);
    let positions = g.parameter_shaped("wpe.weight", &[context, width], normal);
    let mut x = g.add(words, positions);
    for layer in 0..config.layers {
        let qkv = qkv_projection(g, config, layer, x);
        let attended = g.attention(qkv, config.heads as usize);
        x = finish_block(g, config, layer, x, attended);
    }
    norm(g, config, "ln_f", x)
}

/// Transformer of [`GptGraph`] without its attention operations, for decoding with a KV cache. Shapes are per token; a
/// batch has one token per row.
///
/// The decoder evaluates the segments between the attention layers and computes attention itself over the cached keys
/// and values.
pub(crate) struct GptDecodingGraph {
    /// Computation graph, divided into segments at the attention layers. Inputs of the first segment: `token` and
    /// `position`, \[1\]. Inputs of every other segment: the residual stream `x` before an attention layer and the
    /// output `found` of its heads, both \[width\].
    pub graph: Graph,
    /// For each attention layer, the outputs of the segment before this layer: the residual stream, \[width\], and
    /// query, key and value, \[3 width\].
    pub layers: Vec<[Value; 2]>,
    /// Logits of the next token, one for each token of the vocabulary, \[vocabulary\].
    pub logits: Value,
}

impl GptDecodingGraph {
    /// Builds the decoding graph of a model with the hyperparameters `config` and a vocabulary of `vocabulary` tokens.
    /// The arguments are the arguments of [`GptGraph::new`].
    pub fn new(config: &LanguageConfig, vocabulary: usize) -> Self {
        let [context, width] = [config.context, config.width].map(|size| size as usize);
        let (mut graph, normal) = (Graph::new(), Initializer::Normal(DEVIATION));
        let g = &mut graph;
        let [token, position] = ["token", "position"].map(|name| g.input(name, &[1]));
        let [residual, attended] = ["x", "found"].map(|name| g.input(name, &[width]));
        let words = g.embedding("wte", token, vocabulary, width, normal);
        let positions = g.embedding("wpe", position, context, width, normal);
        let mut x = g.add(words, positions);
        let mut layers = Vec::with_capacity(config.layers as usize);
        for layer in 0..config.layers {
            layers.push([x, qkv_projection(g, config, layer, x)]);
            x = finish_block(g, config, layer, residual, attended);
        }
        let x = norm(g, config, "ln_f", x);
        let logits = g.linear_transposed(head(config), x, vocabulary, normal);
        Self { graph, layers, logits }
    }
}

/// Returns the name prefix of the output head's parameters: `wte` (token embedding) if the weights are tied, else
/// `lm_head`.
fn head(config: &LanguageConfig) -> &'static str {
    if config.tied { "wte" } else { "lm_head" }
}

/// Adds the start of transformer block number `layer` to the graph: normalization of the residual stream `x`, then the
/// linear layer to query, key and value, \[width\] to \[3 width\].
fn qkv_projection(g: &mut Graph, config: &LanguageConfig, layer: u32, x: Value) -> Value {
    let h = norm(g, config, &format!("h.{layer}.ln_1"), x);
    let name = format!("h.{layer}.attn.c_attn");
    linear(g, config, &name, h, 3 * config.width, Initializer::Normal(DEVIATION))
}

/// Adds the end of transformer block number `layer` to the graph: the output projection of `attended` (the output of
/// the attention heads), and the MLP. The result of each is added to the residual stream `x`.
fn finish_block(g: &mut Graph, config: &LanguageConfig, layer: u32, x: Value, attended: Value) -> Value {
    let (width, name) = (config.width, format!("h.{layer}"));
    // GPT-2 scales the initialization of residual projections by 1/√(2 layers).
    let residual = Initializer::Normal(DEVIATION / (2.0 * config.layers as f32).sqrt());
    let added = linear(g, config, &format!("{name}.attn.c_proj"), attended, width, residual);
    let x = g.add(added, x);
    let h = norm(g, config, &format!("{name}.ln_2"), x);
    let normal = Initializer::Normal(DEVIATION);
    let hidden = linear(g, config, &format!("{name}.mlp.c_fc"), h, 4 * width, normal);
    let hidden = g.gelu(hidden);
    let added = linear(g, config, &format!("{name}.mlp.c_proj"), hidden, width, residual);
    g.add(added, x)
}

fn linear(
    g: &mut Graph,
    config: &LanguageConfig,
    name: &str,
    x: Value,
    width: u32,
    weights: Initializer,
) -> Value {
    match config.bias {
        true => g.linear_with(name, x, width as usize, weights),
        false => g.linear_without_bias(name, x, width as usize, weights),
    }
}

fn norm(g: &mut Graph, config: &LanguageConfig, name: &str, x: Value) -> Value {
    match config.norm {
        LanguageNorm::Layer if config.layer_norm_bias => g.layer_norm(name, x),
        LanguageNorm::Layer => g.layer_norm_without_bias(name, x),
        LanguageNorm::Rms => g.rms_norm(name, x),
    }
}

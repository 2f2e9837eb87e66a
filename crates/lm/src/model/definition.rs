//! The network as a graph. A row of it is a sequence.

use crate::config::LanguageConfig;
use vivarium_graph::{Graph, Initializer, Value};

/// The standard deviation that weights begin with, as GPT-2's do.
const DEVIATION: f32 = 0.02;

/// A transformer with its loss. Parameters are named as in GPT-2's files.
pub(crate) struct Definition {
    /// Inputs: `tokens` and `targets`, the tokens that follow them, both \[context, 1\].
    pub graph: Graph,
    /// The cross-entropy of each target, in nats: \[context, 1\].
    pub losses: Value,
    /// Their mean.
    pub loss: Value,
}

impl Definition {
    /// A model over a vocabulary of this many tokens.
    pub fn new(config: &LanguageConfig, vocabulary: usize) -> Self {
        let [context, width] = [config.context, config.width].map(|size| size as usize);
        let (mut graph, normal) = (Graph::new(), Initializer::Normal(DEVIATION));
        let g = &mut graph;
        let [tokens, targets] = ["tokens", "targets"].map(|name| g.input(name, &[context, 1]));
        let words = g.embedding("wte", tokens, vocabulary, width, normal);
        let positions = g.parameter_shaped("wpe.weight", &[context, width], normal);
        let mut x = g.add(words, positions);
        for layer in 0..config.layers {
            let qkv = ask(g, config, layer, x);
            let found = g.attention(qkv, config.heads as usize);
            x = think(g, config, layer, x, found);
        }
        let x = g.layer_norm("ln_f", x);
        let losses = g.head_loss(head(config), x, targets, vocabulary, normal);
        let line = g.reshape(losses, &[context]);
        let loss = g.mean(line);
        Self { graph, losses, loss }
    }
}

/// The same network, cut at its attentions. A row of it is a token.
pub(crate) struct Stages {
    /// Inputs: `token` and `position`, \[1\], for what comes before the first attention; `x` and `found`, \[width\], for what
    /// comes after one: what stands for the token there, and what it found.
    pub graph: Graph,
    /// For each layer, what stands for the token before it, and its query, key and value.
    pub layers: Vec<[Value; 2]>,
    /// The logits of the next token.
    pub logits: Value,
}

impl Stages {
    /// Those of [`Definition::new`], over the same parameters.
    pub fn new(config: &LanguageConfig, vocabulary: usize) -> Self {
        let [context, width] = [config.context, config.width].map(|size| size as usize);
        let (mut graph, normal) = (Graph::new(), Initializer::Normal(DEVIATION));
        let g = &mut graph;
        let [token, position] = ["token", "position"].map(|name| g.input(name, &[1]));
        let [before, found] = ["x", "found"].map(|name| g.input(name, &[width]));
        let words = g.embedding("wte", token, vocabulary, width, normal);
        let positions = g.embedding("wpe", position, context, width, normal);
        let mut x = g.add(words, positions);
        let mut layers = Vec::with_capacity(config.layers as usize);
        for layer in 0..config.layers {
            layers.push([x, ask(g, config, layer, x)]);
            x = think(g, config, layer, before, found);
        }
        let x = g.layer_norm("ln_f", x);
        let logits = g.linear_transposed(head(config), x, vocabulary, normal);
        Self { graph, layers, logits }
    }
}

/// The layer whose matrix predicts tokens.
fn head(config: &LanguageConfig) -> &'static str {
    if config.tied { "wte" } else { "lm_head" }
}

/// The queries, keys and values of a layer.
fn ask(g: &mut Graph, config: &LanguageConfig, layer: u32, x: Value) -> Value {
    let h = g.layer_norm(&format!("h.{layer}.ln_1"), x);
    let name = format!("h.{layer}.attn.c_attn");
    linear(g, config, &name, h, 3 * config.width, Initializer::Normal(DEVIATION))
}

/// What a layer makes of `x` and of what its attention found: it adds to x twice.
fn think(g: &mut Graph, config: &LanguageConfig, layer: u32, x: Value, found: Value) -> Value {
    let (width, name) = (config.width, format!("h.{layer}"));
    // What is added begins smaller the more often that is done.
    let residual = Initializer::Normal(DEVIATION / (2.0 * config.layers as f32).sqrt());
    let added = linear(g, config, &format!("{name}.attn.c_proj"), found, width, residual);
    let x = g.add(added, x);
    let h = g.layer_norm(&format!("{name}.ln_2"), x);
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

//! Compares a small transformer and the gradient of its loss with the CPU engine.

use vivarium_graph::{Graph, GraphError, Initializer, Parameters, Plan, Value};

use super::plan::{compare, numbers};
use super::result::CheckResult;
use crate::device::Gpu;
use crate::error::GpuError;

const ROWS: usize = 3;
/// Number of tokens in the test sequence, more than a workgroup of the attention kernel processes.
const TOKENS: usize = 40;
const VOCABULARY: usize = 11;
const WIDTH: usize = 16;
const TOLERANCE: f32 = 5e-5;

/// Returns a transformer with one attention block and a head tied to the embedding, with its losses and their gradient.
fn transformer() -> Result<(Plan, Parameters), GraphError> {
    let (mut g, normal) = (Graph::new(), Initializer::Normal(0.5));
    let [tokens, targets] = ["tokens", "targets"].map(|name| g.input(name, &[TOKENS, 1]));
    let words = g.embedding("words", tokens, VOCABULARY, WIDTH, normal);
    let positions = g.parameter_shaped("positions", &[TOKENS, WIDTH], normal);
    let x = g.add(words, positions);
    let h = g.layer_norm("norm", x);
    let qkv = g.linear("qkv", h, 3 * WIDTH);
    let found = g.attention(qkv, 2);
    let x = g.add(x, found);
    let losses = g.head_loss("words", x, targets, VOCABULARY, normal);
    let line = g.reshape(losses, &[TOKENS]);
    let loss = g.mean(line);
    let gradient = g.gradient(loss);
    let losses: Value = gradient.head_losses_beside_gradient().unwrap_or(losses);
    Ok((Plan::compile(&gradient, &[losses, found], ROWS)?, Parameters::new(&g, 1)?))
}

pub(super) async fn check(gpu: &Gpu) -> Result<Vec<CheckResult>, GpuError> {
    let [tokens, targets] = [7, 8].map(|stream| {
        let drawn = numbers(stream, ROWS * TOKENS);
        drawn.iter().map(|x| ((x + 1.0) * 0.5 * VOCABULARY as f32).floor()).collect::<Vec<f32>>()
    });
    let inputs = [&tokens[..], &targets[..]];
    let names = ["a language model's loss", "attention", "a transformer's gradient"];
    compare(gpu, transformer(), ROWS, &inputs, TOLERANCE, names).await
}

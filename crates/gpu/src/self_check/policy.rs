//! Compares a small policy network and the gradient of its loss with the CPU engine.

use vivarium_graph::{Graph, GraphError, Parameters, Plan};

use super::plan::{compare, numbers};
use super::result::CheckResult;
use crate::device::Gpu;
use crate::error::GpuError;

const ROWS: usize = 24;
const TOLERANCE: f32 = 2e-5;

/// Returns the cross-entropy loss of a policy with one hidden layer, and its parameters.
fn policy() -> Result<(Plan, Parameters), GraphError> {
    let mut g = Graph::new();
    let observation = g.input("observation", &[4]);
    let action = g.input("action", &[1]);
    let hidden = g.linear("hidden", observation, 16);
    let hidden = g.tanh(hidden);
    let logits = g.linear("policy", hidden, 3);
    let probabilities = g.softmax(logits);
    let loss = g.cross_entropy(logits, action);
    Ok((Plan::compile(&g.gradient(loss), &[loss, probabilities], ROWS)?, Parameters::new(&g, 1)?))
}

pub(super) async fn check(gpu: &Gpu) -> Result<Vec<CheckResult>, GpuError> {
    let observations = numbers(6, ROWS * 4);
    let actions: Vec<f32> = (0..ROWS).map(|row| (row % 3) as f32).collect();

    let inputs = [&observations[..], &actions[..]];
    let names = ["a policy's loss", "a softmax", "a policy's gradient"];
    compare(gpu, policy(), ROWS, &inputs, TOLERANCE, names).await
}

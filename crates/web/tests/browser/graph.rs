//! Test that the gradients of a residual network agree with finite differences.

use crate::numbers;
use vivarium_graph::{
    BatchInputs, Cpu, Gradients, Graph, Initializer, PackedParameters, Parameters, Plan, PlanWeights, Value,
    Workspaces,
};
use wasm_bindgen_test::wasm_bindgen_test;

pub(crate) const ROWS: usize = 96;

/// Returns the graph of a residual network with a policy head and a value head, and its loss: squared error of the
/// value minus log-probability of the action.
pub(crate) fn network() -> (Graph, Value) {
    let mut g = Graph::new();
    let x = g.input("x", &[5]);
    let action = g.input("action", &[1]);
    let target = g.input("target", &[1]);
    let gain = Initializer::Orthogonal { gain: 1.0 };
    let first = g.linear_with("first", x, 24, gain);
    let first = g.tanh(first);
    let second = g.linear_with("second", first, 24, gain);
    let second = g.layer_norm("norm", second);
    let second = g.gelu(second);
    let torso = g.add(first, second);
    let logits = g.linear_with("policy", torso, 3, gain);
    let log_probabilities = g.log_softmax(logits);
    let log_probability = g.gather(log_probabilities, action);
    let value = g.linear_with("value", torso, 1, gain);
    let error = g.sub(value, target);
    let error = g.square(error);
    let loss = g.sub(error, log_probability);
    (g, loss)
}

/// Returns the three inputs of the graph for 96 rows: observations `[row][5]`, actions `[row]` and value targets
/// `[row]`.
pub(crate) fn batch() -> [Vec<f32>; 3] {
    let actions = (0..ROWS).map(|row| (row % 3) as f32).collect();
    [numbers(1, 5 * ROWS), actions, numbers(2, ROWS)]
}

/// Returns the mean loss over the batch, and the gradient of the loss with respect to the parameters.
pub(crate) fn gradient(cpu: &Cpu, graph: &Graph, loss: Value, parameters: &Parameters) -> (f64, Vec<f32>) {
    let plan = Plan::compile(&graph.gradient(loss), &[loss], 16).expect("a sound graph");
    let packed = PackedParameters::new(cpu.level(), parameters);
    let mut workspaces = Workspaces::default();
    let mut gradients = Gradients::zeros(parameters);
    let batch = batch();
    let mut losses = vec![0.0; ROWS];
    cpu.gradients(
        &plan,
        PlanWeights::new(parameters, &packed),
        &mut workspaces,
        BatchInputs::new(ROWS, &[&batch[0], &batch[1], &batch[2]]).weighted(1.0 / ROWS as f32),
        &mut [&mut losses],
        &mut gradients,
    );
    let mean = losses.iter().map(|&loss| f64::from(loss)).sum::<f64>() / ROWS as f64;
    (mean, gradients.flat().to_vec())
}

#[wasm_bindgen_test]
fn gradients_agree_with_finite_differences() {
    let cpu = Cpu::new(1);
    let (graph, loss) = network();
    let mut parameters = Parameters::new(&graph, 3).expect("a sound graph");
    let (_, gradients) = gradient(&cpu, &graph, loss, &parameters);
    let step = 1.0 / 256.0;
    for index in (0..gradients.len()).step_by(7) {
        let kept = parameters.flat()[index];
        let mut at = |value: f32| {
            parameters.flat_mut()[index] = value;
            gradient(&cpu, &graph, loss, &parameters).0
        };
        let slope = (at(kept + step) - at(kept - step)) / f64::from(2.0 * step);
        parameters.flat_mut()[index] = kept;
        let got = f64::from(gradients[index]);
        assert!((got - slope).abs() < 1e-3 * slope.abs().max(1.0), "parameter {index}: {got}, not {slope}");
    }
}

//! Benchmark suite `graph`: forward and backward passes of complete networks.

use super::{BenchFigure, Reporter, timing};
use vivarium_graph::testing::ppo_loss;
use vivarium_graph::{
    BatchInputs, Cpu, Gradients, Graph, Initializer, PackedParameters, Parameters, Plan, PlanWeights, Value,
    Workspaces,
};

/// Minibatch size of the PPO presets, in environment steps.
const MINIBATCH: usize = 4096;

/// Runs the benchmark suite `graph` and reports the results.
pub fn run(reporter: &mut Reporter) {
    for rows in [64, 256] {
        residual_mlp(reporter, rows);
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for (threads, suffix) in [(1, "1"), (all, "all")] {
        actor_critic(reporter, threads, suffix);
    }
}

/// Benchmarks the forward pass of a residual MLP for board games with 257,961 parameters: 344→128, three residual
/// blocks with layer norm, policy head with 676 logits, value head with 192 hidden units and five outputs. The script
/// in `benches/rivals/onnxruntime` measures the same network.
fn residual_mlp(reporter: &mut Reporter, rows: usize) {
    let name = format!("graph/residual_mlp/{rows}");
    if !reporter.selects(&name) {
        return;
    }
    let mut g = Graph::new();
    let board = g.input("board", &[344]);
    let mut h = add_layer(&mut g, "stem", board, None);
    for block in 0..3 {
        let middle = add_layer(&mut g, &format!("block.{block}.0"), h, None);
        h = add_layer(&mut g, &format!("block.{block}.1"), middle, Some(h));
    }
    let policy = g.linear("policy", h, 676);
    let hidden = g.linear("value.hidden", h, 192);
    let hidden = g.relu(hidden);
    let value = g.linear("value", hidden, 5);

    let cpu = Cpu::new(1);
    let Some((plan, parameters)) = compile(&g, &[policy, value]) else { return };
    let packed = PackedParameters::forward_only(cpu.level(), &parameters);
    let mut workspaces = Workspaces::default();
    let boards = input_values(rows * 344);
    let (mut logits, mut values) = (vec![0.0; rows * 676], vec![0.0; rows * 5]);
    let seconds = timing::fastest(reporter.seconds(), || {
        let outputs: &mut [&mut [f32]] = &mut [&mut logits, &mut values];
        cpu.run(
            &plan,
            PlanWeights::new(&parameters, &packed),
            &mut workspaces,
            BatchInputs::new(rows, &[&boards]),
            outputs,
        );
    });
    reporter.report(BenchFigure::new(name, rows as f64 / seconds, "states/s"));
}

/// Adds a layer of 128 units to the graph: relu(norm(x·W + b) + skip). `skip` is the input of the residual connection,
/// if any.
fn add_layer(g: &mut Graph, name: &str, x: Value, skip: Option<Value>) -> Value {
    let h = g.linear(name, x, 128);
    let h = g.layer_norm(&format!("{name}.norm"), h);
    let h = skip.map_or(h, |skip| g.add(h, skip));
    g.relu(h)
}

/// Benchmarks an actor-critic network 4→64→64→(2, 1) with tanh on `threads` threads: the forward pass, and the
/// gradient of the PPO loss over a minibatch.
fn actor_critic(reporter: &mut Reporter, threads: usize, suffix: &str) {
    let (forward_name, gradient_name) =
        (format!("graph/ppo/forward/{suffix}"), format!("graph/ppo/gradient/{suffix}"));
    if !reporter.selects(&forward_name) && !reporter.selects(&gradient_name) {
        return;
    }
    let mut g = Graph::new();
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
    let loss = ppo_loss(&mut g, log_probabilities, value, batch, |g, negative_entropy| {
        g.scale(negative_entropy, 0.01)
    });

    let cpu = Cpu::new(threads);
    let Some((act, parameters)) = compile(&g, &[log_probabilities, value]) else { return };
    let Some((learn, _)) = compile(&g.gradient(loss), &[loss]) else { return };
    let packed = PackedParameters::new(cpu.level(), &parameters);
    let mut workspaces = Workspaces::default();
    let observations = input_values(MINIBATCH * 4);
    let per_row = input_values(MINIBATCH);
    let mut inputs = vec![&per_row[..]; g.inputs().len()];
    inputs[0] = &observations;
    let (mut logs, mut values) = (vec![0.0; MINIBATCH * 2], vec![0.0; MINIBATCH]);
    let seconds = timing::fastest(reporter.seconds(), || {
        let outputs: &mut [&mut [f32]] = &mut [&mut logs, &mut values];
        cpu.run(
            &act,
            PlanWeights::new(&parameters, &packed),
            &mut workspaces,
            BatchInputs::new(MINIBATCH, &inputs),
            outputs,
        );
    });
    reporter.report(BenchFigure::new(forward_name, MINIBATCH as f64 / seconds, "rows/s").on(threads));

    let mut gradients = Gradients::zeros(&parameters);
    let seconds = timing::fastest(reporter.seconds(), || {
        gradients.clear();
        cpu.gradients(
            &learn,
            PlanWeights::new(&parameters, &packed),
            &mut workspaces,
            BatchInputs::new(MINIBATCH, &inputs),
            &mut [&mut values],
            &mut gradients,
        );
    });
    reporter.report(BenchFigure::new(gradient_name, MINIBATCH as f64 / seconds, "rows/s").on(threads));
}

/// Compiles a plan that computes the values `outputs` of a graph, and initializes the parameters of the graph.
/// Returns `None` for an invalid graph; all graphs of this suite are valid.
fn compile(graph: &Graph, outputs: &[Value]) -> Option<(Plan, Parameters)> {
    Some((Plan::for_cache(graph, outputs).ok()?, Parameters::new(graph, 1).ok()?))
}

/// Returns `count` deterministic input values between 0 and 1.
fn input_values(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7919 % 97) as f32 / 97.0).collect()
}

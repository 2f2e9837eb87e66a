//! Benchmark suite `graph`: forward and backward passes of complete networks.

use super::{BenchFigure, Reporter, timing};
use vivarium_graph::bench_networks::{actor_critic, residual_mlp};
use vivarium_graph::{
    BatchInputs, Cpu, Gradients, Graph, PackedParameters, Parameters, PlanWeights, Workspaces,
};

/// Minibatch size of the PPO presets, in environment steps.
const MINIBATCH: usize = 4096;

/// Runs the benchmark suite `graph` and reports the results.
pub fn run(reporter: &mut Reporter) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for rows in [64, 256] {
        let name = format!("graph/residual_mlp/{rows}");
        report_residual_mlp(reporter, name, rows, 1);
    }
    for rows in [64, 256] {
        let name = format!("graph/residual_mlp/{rows}/all");
        report_residual_mlp(reporter, name, rows, all);
    }
    for (threads, suffix) in [(1, "1"), (all, "all")] {
        report_actor_critic(reporter, threads, suffix);
    }
}

/// Benchmarks the forward pass of the residual MLP for a batch of `rows` states on `threads` threads. The script in
/// `benches/rivals/onnxruntime` measures the same network.
fn report_residual_mlp(reporter: &mut Reporter, name: String, rows: usize, threads: usize) {
    if !reporter.selects(&name) {
        return;
    }
    let network = residual_mlp();
    let cpu = Cpu::new(threads);
    let (Ok(plan), Some(parameters)) = (network.forward_plan(), initial(&network.graph)) else { return };
    let packed = PackedParameters::forward_only(cpu.level(), &parameters);
    let mut workspaces = Workspaces::default();
    let inputs = network.inputs(rows);
    let (mut logits, mut values) = (vec![0.0; rows * 676], vec![0.0; rows * 5]);
    let seconds = timing::fastest(reporter.seconds(), || {
        let outputs: &mut [&mut [f32]] = &mut [&mut logits, &mut values];
        cpu.run(
            &plan,
            PlanWeights::new(&parameters, &packed),
            &mut workspaces,
            BatchInputs::new(rows, &[&inputs[0]]),
            outputs,
        );
    });
    reporter.report(BenchFigure::new(name, rows as f64 / seconds, "states/s").on(threads));
}

/// Benchmarks an actor-critic network on `threads` threads: the forward pass, and the gradient of the PPO loss over a
/// minibatch.
fn report_actor_critic(reporter: &mut Reporter, threads: usize, suffix: &str) {
    let (forward_name, gradient_name) =
        (format!("graph/ppo/forward/{suffix}"), format!("graph/ppo/gradient/{suffix}"));
    if !reporter.selects(&forward_name) && !reporter.selects(&gradient_name) {
        return;
    }
    let network = actor_critic();
    let cpu = Cpu::new(threads);
    let Some(parameters) = initial(&network.graph) else { return };
    let (Ok(act), Ok(Some(learn))) = (network.forward_plan(), network.gradient_plan()) else { return };
    let packed = PackedParameters::new(cpu.level(), &parameters);
    let mut workspaces = Workspaces::default();
    let inputs = network.inputs(MINIBATCH);
    let inputs: Vec<&[f32]> = inputs.iter().map(Vec::as_slice).collect();
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

/// Returns the initial parameters of a graph; `None` for an invalid graph. All graphs of this suite are valid.
fn initial(graph: &Graph) -> Option<Parameters> {
    Parameters::new(graph, 1).ok()
}

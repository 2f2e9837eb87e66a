//! Forward pass of the reference network ([`NetworkSize::REFERENCE`]) on one core.

use super::dense::{DenseForward, decision_states};
use crate::bench::{BenchFigure, Reporter, timing};
use crate::error::CliError;
use serde_json::json;
use std::path::Path;
use vivarium_agents::alphazero::{AlphaZeroGraph, AlphaZeroNetwork, ForwardPass, NetworkSize, SelfPlayGame};
use vivarium_graph::onnx;

/// Runs the forward-pass benchmarks of a game and reports the results. The benchmark `forward` measures a dense
/// forward pass from encoded states to all logits and outcome probabilities. The benchmark `evaluation` measures the
/// evaluation of search leaves: encoding, forward pass and the logits of legal actions. If `onnx` is given, writes
/// the network as ONNX and its outputs for sample states as JSON.
///
/// # Errors
/// [`CliError::Failed`] if a file cannot be written.
pub fn run<G: SelfPlayGame>(reporter: &mut Reporter, onnx: Option<&Path>) -> Result<(), CliError> {
    let names = [64, 256].map(|rows| (rows, format!("{}/forward/{rows}", G::NAME)));
    let evaluations = [64, 256].map(|rows| (rows, format!("{}/evaluation/{rows}", G::NAME)));
    if onnx.is_none() && !names.iter().chain(&evaluations).any(|(_, name)| reporter.selects(name)) {
        return Ok(());
    }
    let network = AlphaZeroNetwork::<G>::new(NetworkSize::REFERENCE, 1).map_err(CliError::failed_by)?;
    if let Some(path) = onnx {
        write_onnx(&network, path)?;
    }
    for (rows, name) in names {
        if reporter.selects(&name) {
            let mut pass = DenseForward::new(&network, rows)?;
            let seconds = timing::fastest(reporter.seconds(), || pass.run());
            reporter.report(BenchFigure::new(name, rows as f64 / seconds, "states/s"));
        }
    }
    for (rows, name) in evaluations {
        if reporter.selects(&name) {
            let seconds = seconds_per_evaluation(&network, rows, reporter.seconds());
            reporter.report(BenchFigure::new(name, rows as f64 / seconds, "states/s"));
        }
    }
    Ok(())
}

/// Number of sample states whose network outputs are written to the JSON file.
const SAMPLE_STATES: usize = 256;

/// Writes the network as ONNX to `path`, and its outputs for sample states to the same path with the extension `json`.
fn write_onnx<G: SelfPlayGame>(network: &AlphaZeroNetwork<G>, path: &Path) -> Result<(), CliError> {
    let AlphaZeroGraph { graph, logits, heads, .. } = network.definition();
    let outputs = [("logits", *logits), ("probabilities", *heads)];
    let model = onnx::export(graph, network.parameters(), &outputs, &[]).map_err(CliError::failed_by)?;
    std::fs::write(path, model).map_err(|error| CliError::file("write", path, error))?;
    let mut pass = DenseForward::new(network, SAMPLE_STATES)?;
    pass.run();
    let beside = path.with_extension("json");
    let of_all = json!({ "states": pass.states, "logits": pass.logits, "probabilities": pass.heads });
    std::fs::write(&beside, of_all.to_string()).map_err(|error| CliError::file("write", &beside, error))
}

/// Returns the duration in seconds of the fastest evaluation of a batch of `rows` search leaves by the network,
/// measured for about `seconds` seconds.
fn seconds_per_evaluation<G: SelfPlayGame>(network: &AlphaZeroNetwork<G>, rows: usize, seconds: f64) -> f64 {
    let mut forward = ForwardPass::new(network, rows);
    let leaves = decision_states::<G>(rows);
    let (mut logits, mut values) = (vec![0.0; leaves.actions().len()], vec![0.0; rows]);
    timing::fastest(seconds, || forward.evaluate(network, &leaves, &mut logits, &mut values))
}

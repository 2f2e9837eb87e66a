//! The forward pass of the reference network on one core.

use super::dense::{Dense, decisions};
use crate::bench::{Figure, Reporter, timing};
use crate::failure::Failure;
use serde_json::json;
use std::path::Path;
use vivarium_agents::alphazero::{AlphaZeroGraph, AlphaZeroNetwork, ForwardPass, NetworkSize, SelfPlayGame};
use vivarium_graph::onnx;

/// Measures and reports. `forward` is the dense pass that other programs make of the same network: from encoded states
/// to all logits and heads. `evaluation` is what a search has done: encoding, trunk, heads, and the logits of the legal
/// actions alone. With a path, the network is written there as ONNX, and beside it as JSON what it makes of some states.
///
/// # Errors
/// [`Failure::Failed`] where it cannot be written.
pub fn run<G: SelfPlayGame>(reporter: &mut Reporter, onnx: Option<&Path>) -> Result<(), Failure> {
    let names = [64, 256].map(|rows| (rows, format!("{}/forward/{rows}", G::NAME)));
    let evaluations = [64, 256].map(|rows| (rows, format!("{}/evaluation/{rows}", G::NAME)));
    if onnx.is_none() && !names.iter().chain(&evaluations).any(|(_, name)| reporter.wants(name)) {
        return Ok(());
    }
    let network = AlphaZeroNetwork::<G>::new(NetworkSize::REFERENCE, 1).map_err(Failure::failed_by)?;
    if let Some(path) = onnx {
        write(&network, path)?;
    }
    for (rows, name) in names {
        if reporter.wants(&name) {
            let mut pass = Dense::new(&network, rows)?;
            let seconds = timing::fastest(reporter.seconds(), || pass.run());
            reporter.report(Figure::new(name, rows as f64 / seconds, "states/s"));
        }
    }
    for (rows, name) in evaluations {
        if reporter.wants(&name) {
            let seconds = evaluation(&network, rows, reporter.seconds());
            reporter.report(Figure::new(name, rows as f64 / seconds, "states/s"));
        }
    }
    Ok(())
}

/// States whose logits and chances are written beside the network.
const WITNESSES: usize = 256;

/// Writes the network with its two outputs, and what it makes of some states.
fn write<G: SelfPlayGame>(network: &AlphaZeroNetwork<G>, path: &Path) -> Result<(), Failure> {
    let AlphaZeroGraph { graph, logits, heads, .. } = network.definition();
    let outputs = [("logits", *logits), ("chances", *heads)];
    let model = onnx::export(graph, network.parameters(), &outputs).map_err(Failure::failed_by)?;
    std::fs::write(path, model).map_err(|error| Failure::file("write", path, error))?;
    let mut pass = Dense::new(network, WITNESSES)?;
    pass.run();
    let beside = path.with_extension("json");
    let of_all = json!({ "states": pass.states, "logits": pass.logits, "chances": pass.heads });
    std::fs::write(&beside, of_all.to_string()).map_err(|error| Failure::file("write", &beside, error))
}

/// Seconds of one batch of a search's leaves.
fn evaluation<G: SelfPlayGame>(network: &AlphaZeroNetwork<G>, rows: usize, seconds: f64) -> f64 {
    let mut forward = ForwardPass::new(network, rows);
    let leaves = decisions::<G>(rows);
    let (mut logits, mut values) = (vec![0.0; leaves.actions().len()], vec![0.0; rows]);
    timing::fastest(seconds, || forward.evaluate(network, &leaves, &mut logits, &mut values))
}

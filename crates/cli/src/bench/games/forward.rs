//! The forward pass of the reference network on one core.

use crate::bench::{Figure, Reporter, timing};
use crate::failure::Failure;
use std::path::Path;
use vivarium_agents::alphazero::{Definition, Forward, Learnable, Network, NetworkSize};
use vivarium_graph::{Plan, Workspace, onnx};
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd;
use vivarium_mcts::{Leaves, Status};

/// Measures and reports. `forward` is the dense pass that other programs make of the same network: from encoded states
/// to all logits and heads. `evaluation` is what a search has done: encoding, trunk, heads, and the logits of the legal
/// actions alone. With a path, the network is written there as ONNX.
///
/// # Errors
/// [`Failure::Failed`] where it cannot be written.
pub fn run<G: Learnable>(reporter: &mut Reporter, onnx: Option<&Path>) -> Result<(), Failure> {
    let names = [64, 256].map(|rows| (rows, format!("{}/forward/{rows}", G::NAME)));
    let evaluations = [64, 256].map(|rows| (rows, format!("{}/evaluation/{rows}", G::NAME)));
    if onnx.is_none() && !names.iter().chain(&evaluations).any(|(_, name)| reporter.wants(name)) {
        return Ok(());
    }
    let network = Network::<G>::new(simd::level(), NetworkSize::REFERENCE, 1).map_err(Failure::failed_by)?;
    if let Some(path) = onnx {
        write(&network, path)?;
    }
    for (rows, name) in names {
        if reporter.wants(&name) {
            let seconds = dense(&network, rows, reporter.seconds())?;
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

/// Writes the network with its two outputs.
fn write<G: Learnable>(network: &Network<G>, path: &Path) -> Result<(), Failure> {
    let Definition { graph, logits, heads, .. } = network.definition();
    let outputs = [("logits", *logits), ("chances", *heads)];
    let model = onnx::export(graph, network.parameters(), &outputs).map_err(Failure::failed_by)?;
    std::fs::write(path, model).map_err(|error| Failure::file("write", path, error))
}

/// Seconds from `[rows, INPUTS]` to `[rows, ACTIONS]` and `[rows, HEADS]`.
fn dense<G: Learnable>(network: &Network<G>, rows: usize, seconds: f64) -> Result<f64, Failure> {
    let Definition { graph, logits, heads, .. } = network.definition();
    let plan = Plan::for_cache(graph, &[*logits, *heads]).map_err(Failure::failed_by)?;
    let mut workspace = Workspace::new(&plan);
    let mut states = vec![0.0; rows * G::INPUTS];
    for (state, row) in decisions::<G>(rows).states().iter().zip(states.chunks_exact_mut(G::INPUTS)) {
        state.encode(row);
    }
    let (mut logits, mut heads) = (vec![0.0; rows * G::ACTIONS], vec![0.0; rows * G::HEADS]);
    let inputs: [&[f32]; Definition::INPUTS + Definition::SETTINGS] = [&states, &[], &[], &[], &[]];
    let (level, parameters, packed) = (network.level(), network.parameters(), network.packed());
    Ok(timing::fastest(seconds, || {
        let outputs: &mut [&mut [f32]] = &mut [&mut logits, &mut heads];
        plan.run(level, parameters, packed, &mut workspace, rows, &inputs, outputs);
    }))
}

/// Seconds of one batch of a search's leaves.
fn evaluation<G: Learnable>(network: &Network<G>, rows: usize, seconds: f64) -> f64 {
    let mut forward = Forward::new(network, rows);
    let leaves = decisions::<G>(rows);
    let (mut logits, mut values) = (vec![0.0; leaves.actions().len()], vec![0.0; rows]);
    timing::fastest(seconds, || forward.evaluate(network, &leaves, &mut logits, &mut values))
}

/// Decisions of games of random moves, a few moves apart.
fn decisions<G: Learnable>(count: usize) -> Leaves<G> {
    let (mut random, mut scratch) = (Stream::new(1, 0), G::Scratch::default());
    let (mut leaves, mut branches) = (Leaves::new(count), Vec::new());
    let mut state = G::START;
    for moves in 0.. {
        let status = state.status();
        if matches!(status, Status::Over(_)) {
            state = G::START;
            continue;
        }
        branches.clear();
        state.branches(&mut scratch, |branch, _| branches.push(branch));
        if status == Status::Decision && moves % 3 == 0 {
            leaves.push(state, branches.iter().copied());
            if leaves.len() == count {
                break;
            }
        }
        state = state.after(branches[random.below(branches.len() as u32) as usize]);
    }
    leaves
}

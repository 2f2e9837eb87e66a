//! The CPU engine as the module `engine` of the tests that all engines share.

#![allow(dead_code, unused_imports)] // Some test programs use only a part of this module.

use vivarium_graph::{BatchInputs, Gradients, Graph, PackedParameters, Plan, PlanWeights, Value, Workspace};
use vivarium_kernels::{Level, simd};

use crate::common::{Run, Sample};

/// Attribute that declares a function of the shared tests as a test.
#[cfg(not(target_arch = "wasm32"))]
pub use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
pub use wasm_bindgen_test::wasm_bindgen_test as test;

/// Returns the number of random graphs that the CPU engine is tested with.
pub fn random_graphs() -> u32 {
    1000
}

/// Returns the tested shapes (width, rows) of operands, around multiples of the SIMD vector length.
pub fn shapes() -> &'static [(usize, usize)] {
    &[(1, 9), (2, 1), (3, 12), (6, 7), (17, 16), (33, 3)]
}

/// Runs a graph single-threaded at each SIMD level, in chunks of 5 rows and in chunks of 64 rows. Returns one result
/// for each level and chunk size.
pub fn runs(graph: &Graph, outputs: &[Value], sample: &Sample) -> Vec<Run> {
    let ways = simd::levels().into_iter().flat_map(|level| [(level, 5), (level, 64)]);
    ways.map(|(level, chunk_rows)| run_at(level, graph, outputs, sample, chunk_rows)).collect()
}

/// Runs a graph single-threaded at the best SIMD level, in chunks of `chunk_rows` rows.
pub fn run(graph: &Graph, outputs: &[Value], sample: &Sample, chunk_rows: usize) -> Run {
    run_at(simd::level(), graph, outputs, sample, chunk_rows)
}

fn run_at(level: Level, graph: &Graph, outputs: &[Value], sample: &Sample, chunk_rows: usize) -> Run {
    let plan = Plan::compile(graph, outputs, chunk_rows).expect("the graph is sound");
    let (outputs, gradients) = run_plan(level, &plan, sample);
    Run { how: format!("{level:?}, {chunk_rows} rows a chunk"), outputs, gradients }
}

/// Runs a plan on a sample at the given SIMD level. Returns the outputs and the parameter gradients.
pub fn run_plan(level: Level, plan: &Plan, sample: &Sample) -> (Vec<Vec<f32>>, Gradients) {
    let Sample { parameters, rows, .. } = sample;
    let packed = PackedParameters::new(level, parameters);
    let mut gradients = Gradients::zeros(parameters);
    let mut found: Vec<Vec<f32>> =
        plan.outputs().iter().map(|shape| vec![0.0; rows * shape.size()]).collect();
    let mut slices: Vec<&mut [f32]> = found.iter_mut().map(Vec::as_mut_slice).collect();
    // Stale workspace contents must not matter.
    let mut workspace = Workspace::new(plan);
    workspace.poison();
    let (weights, batch) = (PlanWeights::new(parameters, &packed), sample.slices());
    plan.gradients(weights, &mut workspace, BatchInputs::new(*rows, &batch), &mut slices, &mut gradients);
    (found, gradients)
}

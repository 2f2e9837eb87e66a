//! The GPU engine as the module `engine` of the tests that all engines share.

use vivarium_gpu::{GpuOptimizer, GpuPlan, GpuRecorder, floats};
use vivarium_graph::{Gradients, Graph, Plan, Value};

use crate::adapter::gpu;
use crate::common::{Run, Sample};
/// Attribute that declares a function of the shared tests as a test.
pub use core::prelude::v1::test;

/// Returns whether the adapter is SwiftShader, the slower of the two software renderers that run the tests. SwiftShader
/// compiles and runs a kernel eight times slower than lavapipe, and therefore gets fewer shapes and graphs.
pub fn is_second_driver() -> bool {
    gpu().adapter_info().name.contains("SwiftShader")
}

/// Returns the number of random graphs that the GPU engine is tested with. Each graph compiles a dozen kernels.
pub fn random_graphs() -> u32 {
    if is_second_driver() { 5 } else { 40 }
}

/// Returns the tested shapes (width, rows) of operands. A vector along the last axis has one element, a few elements,
/// which fit into registers, or too many elements for registers.
pub fn shapes() -> &'static [(usize, usize)] {
    if is_second_driver() { &[(17, 16)] } else { &[(1, 9), (3, 12), (17, 16)] }
}

/// Runs a graph on the device for all rows of `sample`, and returns the only result, because the device has one mode.
pub fn runs(graph: &Graph, outputs: &[Value], sample: &Sample) -> Vec<Run> {
    vec![run(graph, outputs, sample, sample.rows)]
}

/// Runs a graph on the device, and returns its outputs and parameter gradients. The device processes all rows of the
/// batch at once.
pub fn run(graph: &Graph, outputs: &[Value], sample: &Sample, _chunk_rows: usize) -> Run {
    let Sample { parameters, rows, inputs } = sample;
    let gpu = gpu();
    let plan = Plan::compile(graph, outputs, *rows).expect("the graph is sound");
    let network = GpuPlan::new(gpu, &plan, *rows).expect("the network fits");
    let flat = gpu.upload("parameters", parameters.flat()).expect("the parameters fit");
    // Values of an earlier run must not matter.
    gpu.write(network.arena(), 0, &vec![f32::NAN; network.arena().len()]);
    for (index, input) in inputs.iter().enumerate() {
        let range = network.input(index);
        if !range.is_empty() {
            gpu.write(network.arena(), range.start, &input[..range.len()]);
        }
    }
    let slices = network.slices().expect("the gradients fit");
    let optimizer = GpuOptimizer::new(gpu, parameters.flat().len()).expect("the gradient fits");
    let mut recorder = GpuRecorder::new(gpu);
    network.record(&mut recorder, &flat, Some(&slices)).expect("the kernels compile");
    optimizer.record_sum(&mut recorder, &slices).expect("the kernels compile");
    let program = recorder.finish().expect("the program is sound");
    gpu.submit(|encoder| encoder.run(&program)).expect("the device works");

    // A single readback, because waiting for the device takes longer than the work.
    let words = gpu.read_blocking(network.arena(), 0..network.arena().len()).expect("the device works");
    let outputs = (0..outputs.len()).map(|index| floats(&words)[network.output(index)].to_vec()).collect();
    let mut gradients = Gradients::zeros(parameters);
    let len = gradients.flat().len();
    if len > 0 {
        let words = gpu.read_blocking(&optimizer.gradients, 0..len).expect("the device works");
        gradients.flat_mut().copy_from_slice(floats(&words));
    }
    Run { how: gpu.adapter_info().name.clone(), outputs, gradients }
}

/// Asserts that each number differs from the expected number by at most `tolerance`, multiplied by the largest
/// magnitude of the expected numbers (at least 0.01).
pub fn assert_close(what: &str, found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-2f32, |scale, x| scale.max(x.abs()));
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / scale;
        assert!(error <= tolerance, "{what}, {index}: {found} instead of {expected}");
    }
}

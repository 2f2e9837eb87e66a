//! Adapter that runs the engine test suites on the GPU engine in a browser.
//!
//! A test of a suite is a synchronous function, but a browser returns GPU results only between tasks. Each test
//! therefore runs twice. The first pass gets results of the CPU, and its requests are recorded. The second pass gets
//! the results of the GPU for these requests.

use crate::common::{Run, Sample};
use crate::cpu;
use std::cell::RefCell;
use std::collections::VecDeque;
use vivarium_gpu::{Gpu, GpuError, GpuOptimizer, GpuPlan, GpuRecorder, floats};
use vivarium_graph::{Gradients, Graph, Plan, Value};

/// Attribute `#[test]`, which the source files of the suites import from their engine. The module `suites` calls the
/// functions, so the attribute has no effect here.
pub use core::prelude::v1::test;

/// Returns the (width, rows) of the values with which operations are tested. There is one pair, because browsers
/// compile kernels slowly.
pub fn shapes() -> &'static [(usize, usize)] {
    &[(5, 12)]
}

/// Recorded request of a test to run a plan: the plan, its parameters and inputs, and the number of outputs and rows.
struct PlanRequest {
    plan: Plan,
    outputs: usize,
    rows: usize,
    parameters: Vec<f32>,
    gradients: Gradients,
    inputs: Vec<Vec<f32>>,
}

/// Requests recorded in the first pass of a test, and GPU results that the second pass has not used yet.
#[derive(Default)]
struct PlanRequests {
    recorded: Vec<PlanRequest>,
    device_results: VecDeque<Run>,
}

thread_local! {
    static REQUESTS: RefCell<PlanRequests> = RefCell::default();
}

/// Returns outputs and gradients of a graph for `sample`: of the CPU in the first pass of a test, which also records
/// the request; of the GPU in the second pass.
pub fn runs(graph: &Graph, outputs: &[Value], sample: &Sample) -> Vec<Run> {
    if let Some(result) = REQUESTS.with_borrow_mut(|requests| requests.device_results.pop_front()) {
        return vec![result];
    }
    let Sample { parameters, rows, inputs } = sample;
    let request = PlanRequest {
        plan: Plan::compile(graph, outputs, *rows).expect("the graph is sound"),
        outputs: outputs.len(),
        rows: *rows,
        parameters: parameters.flat().to_vec(),
        gradients: Gradients::zeros(parameters),
        inputs: inputs.clone(),
    };
    REQUESTS.with_borrow_mut(|requests| requests.recorded.push(request));
    vec![cpu::run(graph, outputs, sample, *rows)]
}

/// Runs both passes of a test of a suite, and computes the results of the GPU between them.
pub async fn check(test: fn()) {
    REQUESTS.take();
    test();
    let recorded = REQUESTS.take().recorded;
    assert!(!recorded.is_empty(), "the test makes no engine requests");
    let gpu = crate::gpu().await;
    let mut device_results = VecDeque::new();
    for request in recorded {
        device_results
            .push_back(run_on_device(&gpu, request).await.unwrap_or_else(|error| panic!("{error}")));
    }
    gpu.check().unwrap_or_else(|error| panic!("{error}"));
    REQUESTS.with_borrow_mut(|requests| requests.device_results = device_results);
    test();
    let rest = REQUESTS.take();
    assert!(
        rest.recorded.is_empty() && rest.device_results.is_empty(),
        "the two passes of the test make different requests"
    );
}

async fn run_on_device(gpu: &Gpu, request: PlanRequest) -> Result<Run, GpuError> {
    let PlanRequest { plan, outputs, rows, parameters, mut gradients, inputs } = request;
    let network = GpuPlan::new(gpu, &plan, rows)?;
    let flat = gpu.upload("parameters", &parameters)?;
    // Fill the memory with NaN, because values of an earlier run must not affect the results.
    gpu.write(network.arena(), 0, &vec![f32::NAN; network.arena().len()]);
    for (index, input) in inputs.iter().enumerate() {
        let range = network.input(index);
        if !range.is_empty() {
            gpu.write(network.arena(), range.start, &input[..range.len()]);
        }
    }
    let slices = network.slices()?;
    let optimizer = GpuOptimizer::new(gpu, parameters.len())?;
    let mut recorder = GpuRecorder::new(gpu);
    network.record(&mut recorder, &flat, Some(&slices))?;
    optimizer.record_sum(&mut recorder, &slices)?;
    let program = recorder.finish()?;
    gpu.submit(|encoder| encoder.run(&program))?;

    let words = gpu.read(network.arena(), 0..network.arena().len()).await?;
    let outputs = (0..outputs).map(|index| floats(&words)[network.output(index)].to_vec()).collect();
    if !parameters.is_empty() {
        let words = gpu.read(&optimizer.gradients, 0..parameters.len()).await?;
        gradients.flat_mut().copy_from_slice(floats(&words));
    }
    Ok(Run { how: gpu.adapter_info().name.clone(), outputs, gradients })
}

//! The GPU engine in a browser for the engine test suites.
//!
//! Suites are synchronous, but a browser's device returns results only between tasks. Each test of a suite therefore
//! runs twice: first with results of the CPU, while its requests are recorded; then with the results of the device.

use crate::common::{Run, Sample};
use crate::cpu;
use std::cell::RefCell;
use std::collections::VecDeque;
use vivarium_gpu::{Gpu, GpuError, GpuOptimizer, GpuPlan, GpuRecorder, floats};
use vivarium_graph::{Gradients, Graph, Plan, Value};

/// Test attribute of the suite's functions; here without effect, because the module `suites` calls them.
pub use core::prelude::v1::test;

/// Tested (width, rows) of the operations' values; few, because browsers compile kernels slowly.
pub fn shapes() -> &'static [(usize, usize)] {
    &[(5, 12)]
}

/// Recorded request of a test to run a plan.
struct Question {
    plan: Plan,
    outputs: usize,
    rows: usize,
    parameters: Vec<f32>,
    gradients: Gradients,
    inputs: Vec<Vec<f32>>,
}

#[derive(Default)]
struct Talk {
    questions: Vec<Question>,
    answers: VecDeque<Run>,
}

thread_local! {
    static TALK: RefCell<Talk> = RefCell::default();
}

/// Returns the results of a graph: in the first pass of a test those of the CPU, in the second those of the device.
pub fn runs(graph: &Graph, outputs: &[Value], sample: &Sample) -> Vec<Run> {
    if let Some(answer) = TALK.with_borrow_mut(|talk| talk.answers.pop_front()) {
        return vec![answer];
    }
    let Sample { parameters, rows, inputs } = sample;
    let question = Question {
        plan: Plan::compile(graph, outputs, *rows).expect("the graph is sound"),
        outputs: outputs.len(),
        rows: *rows,
        parameters: parameters.flat().to_vec(),
        gradients: Gradients::zeros(parameters),
        inputs: inputs.clone(),
    };
    TALK.with_borrow_mut(|talk| talk.questions.push(question));
    vec![cpu::run(graph, outputs, sample, *rows)]
}

/// Runs a test of a suite on the device.
pub async fn check(test: fn()) {
    TALK.take();
    test();
    let questions = TALK.take().questions;
    assert!(!questions.is_empty(), "the test makes no engine requests");
    let gpu = crate::gpu().await;
    let mut answers = VecDeque::new();
    for question in questions {
        answers.push_back(answer(&gpu, question).await.unwrap_or_else(|error| panic!("{error}")));
    }
    gpu.check().unwrap_or_else(|error| panic!("{error}"));
    TALK.with_borrow_mut(|talk| talk.answers = answers);
    test();
    let rest = TALK.take();
    assert!(rest.questions.is_empty() && rest.answers.is_empty(), "the test asks something else each time");
}

async fn answer(gpu: &Gpu, question: Question) -> Result<Run, GpuError> {
    let Question { plan, outputs, rows, parameters, mut gradients, inputs } = question;
    let network = GpuPlan::new(gpu, &plan, rows)?;
    let flat = gpu.upload("parameters", &parameters)?;
    // Values of an earlier run must not matter.
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

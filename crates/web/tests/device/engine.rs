//! The GPU engine, as the suites run it in a browser.
//!
//! A suite asks and checks in one breath, and a browser's device answers between two tasks alone. So each test of a suite
//! is run twice: the first time the CPU answers, and what was asked is noted; then the device does it; and the second time
//! its answers are given.

use crate::common::{Run, Sample};
use crate::cpu;
use std::cell::RefCell;
use std::collections::VecDeque;
use vivarium_gpu::{Gpu, GpuError, Network, Optimizer, Recorder, floats};
use vivarium_graph::{Gradients, Graph, Plan, Value};

/// What makes a function of a suite a test: here nothing does, as its module `suites` calls it.
pub use core::prelude::v1::test;

/// Widths and rows of the tests of one operation: a kernel of each is compiled, which takes a browser a while.
pub const SHAPES: &[(usize, usize)] = &[(5, 12)];

/// What a test asked for.
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

/// On the device, once; the first time on the CPU.
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
    assert!(!questions.is_empty(), "the test asks the engine for nothing");
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
    let network = Network::new(gpu, &plan, rows)?;
    let flat = gpu.upload("parameters", &parameters)?;
    // Whatever lies in the arena from an earlier run must not matter.
    gpu.write(network.arena(), 0, &vec![f32::NAN; network.arena().len()]);
    for (index, input) in inputs.iter().enumerate() {
        let range = network.input(index);
        if !range.is_empty() {
            gpu.write(network.arena(), range.start, &input[..range.len()]);
        }
    }
    let slices = network.slices()?;
    let optimizer = Optimizer::new(gpu, parameters.len())?;
    let mut recorder = Recorder::new(gpu);
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
    Ok(Run { how: gpu.report().name.clone(), outputs, gradients })
}

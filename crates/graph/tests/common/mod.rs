//! Helpers of engine tests: comparison of outputs and gradients with the f64 reference.
//!
//! The test program that includes this file defines the module `engine`; `engine::runs` runs a plan in one or several
//! modes, such as SIMD levels.

#![allow(dead_code)] // Some test programs use only a part of this module.

use vivarium_graph::{Gradients, Graph, Parameters, Value, reference};
use vivarium_kernels::{rng, simd};

/// Returns deterministic values within ±2 for all rows of each graph input. A sparse input has three quarters zeros. An
/// input whose name starts with `index` has whole numbers from 0 to 2.
pub fn inputs_for(graph: &Graph, rows: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut numbers = Vec::new();
    for (stream, input) in graph.inputs().iter().enumerate() {
        let mut input_numbers = vec![0.0; if input.per_row { rows * input.shape.size() } else { 1 }];
        rng::fill_uniform(simd::level(), seed, stream as u32, 0, &mut input_numbers);
        for x in &mut input_numbers {
            *x = match *x {
                x if input.name.starts_with("index") => (x * 3.0).floor(),
                x if input.sparse && x < 0.75 => 0.0,
                x => x * 4.0 - 2.0,
            };
        }
        numbers.push(input_numbers);
    }
    numbers
}

/// Returns random values for all parameters. Parameters that are initially zero would hide wrong gradients.
pub fn random_parameters(graph: &Graph, seed: u64) -> Parameters {
    let mut parameters = Parameters::new(graph, seed).expect("the graph is sound");
    let specs = parameters.specs().to_vec();
    for (stream, spec) in specs.iter().enumerate() {
        let range = spec.range();
        let deviation = if spec.dims.len() == 2 { 1.0 / (spec.dims[0] as f32).sqrt() } else { 0.5 };
        let flat = &mut parameters.flat_mut()[range];
        rng::fill_normal(simd::level(), seed, 1000 + stream as u32, 0, flat);
        flat.iter_mut().for_each(|x| *x *= deviation);
    }
    parameters
}

/// Converts numbers to double precision.
pub fn to_f64(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().copied().map(f64::from).collect()
}

/// Returns the largest absolute error, divided by the largest magnitude of the expected numbers or 1e-2, whichever is
/// larger.
fn worst_error(found: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-2, |scale: f64, x| scale.max(x.abs()));
    let difference = |(&f, &e): (&f32, &f64)| {
        let difference = (f64::from(f) - e).abs();
        if difference.is_nan() { f64::INFINITY } else { difference }
    };
    found.iter().zip(expected).map(difference).fold(0.0, f64::max) / scale
}

/// Parameters and input values with which a test evaluates a graph.
pub struct Sample {
    pub parameters: Parameters,
    pub rows: usize,
    /// Values of each input, `[rows, width of the input]`.
    pub inputs: Vec<Vec<f32>>,
}

impl Sample {
    /// Creates a sample with [random parameters](random_parameters) and [inputs](inputs_for).
    pub fn of(graph: &Graph, rows: usize, seed: u64) -> Self {
        Self { parameters: random_parameters(graph, seed), rows, inputs: inputs_for(graph, rows, seed) }
    }

    /// Returns the values of each input as a slice, in the form that [`BatchInputs`](vivarium_graph::BatchInputs)
    /// takes.
    pub fn slices(&self) -> Vec<&[f32]> {
        self.inputs.iter().map(Vec::as_slice).collect()
    }

    /// Evaluates the values `wanted` of a graph with the f64 reference, for the flat parameter buffer `parameters`.
    /// Returns the elements of each value, row by row.
    pub fn reference_at(&self, graph: &Graph, parameters: &[f64], wanted: &[Value]) -> Vec<Vec<f64>> {
        let inputs: Vec<Vec<f64>> = self.inputs.iter().map(|input| to_f64(input)).collect();
        let slices: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        reference::evaluate(graph, parameters, self.rows, &slices, wanted)
    }

    /// Evaluates the values `wanted` of a graph with the f64 reference, for the parameters of the sample. Returns the
    /// elements of each value, row by row.
    pub fn reference(&self, graph: &Graph, wanted: &[Value]) -> Vec<Vec<f64>> {
        self.reference_at(graph, &to_f64(self.parameters.flat()), wanted)
    }
}

/// Outputs and gradients that an engine has computed for a plan.
pub struct Run {
    /// Mode of the engine, such as SIMD level and chunk size, for failure messages.
    pub how: String,
    /// Elements of each output, row by row.
    pub outputs: Vec<Vec<f32>>,
    /// Parameter gradients of the mean loss.
    pub gradients: Gradients,
}

/// Checks the loss of each row, and the gradient of the mean loss with respect to each parameter, in all modes of the
/// engine.
///
/// Gradients are compared with central differences of the f64 reference. Tolerances are relative to the largest
/// element, for single-precision sums of a few hundred terms.
pub fn check_gradient(what: &str, graph: &Graph, loss: Value, rows: usize, seed: u64) {
    let sample = Sample::of(graph, rows, seed);
    let mut exact = to_f64(sample.parameters.flat());
    let loss_of = |parameters: &[f64]| sample.reference_at(graph, parameters, &[loss]).remove(0);
    let expected_loss = loss_of(&exact);
    let mut differences = vec![0.0; exact.len()];
    for spec in graph.parameters() {
        for i in spec.range() {
            let step = 1e-5;
            let middle = exact[i];
            let mut mean = |at: f64| {
                exact[i] = at;
                loss_of(&exact).iter().sum::<f64>() / rows as f64
            };
            let (high, low) = (mean(middle + step), mean(middle - step));
            exact[i] = middle;
            differences[i] = (high - low) / (2.0 * step);
        }
    }

    for Run { how, outputs, gradients } in crate::engine::runs(&graph.gradient(loss), &[loss], &sample) {
        let error = worst_error(&outputs[0], &expected_loss);
        assert!(error < 1e-5, "{what}, {rows} rows, {how}: loss is off by {error:.1e}");
        for spec in graph.parameters() {
            let (found, expected) = (&gradients.flat()[spec.range()], &differences[spec.range()]);
            let error = worst_error(found, expected);
            assert!(
                error < 5e-5,
                "{what}, {rows} rows, {how}: gradient of {} is off by {error:.1e}: {found:?} instead of {expected:?}",
                spec.name,
            );
        }
    }
}

/// Checks the values `wanted` of a graph against the f64 reference, for all rows of a random sample and all modes of
/// the engine.
pub fn check_values(what: &str, graph: &Graph, wanted: &[Value], rows: usize, seed: u64) {
    let sample = Sample::of(graph, rows, seed);
    let expected = sample.reference(graph, wanted);
    for Run { how, outputs, .. } in crate::engine::runs(graph, wanted, &sample) {
        for (index, (found, expected)) in outputs.iter().zip(&expected).enumerate() {
            let error = worst_error(found, expected);
            assert!(error < 1e-5, "{what}, {rows} rows, {how}: value {index} is off by {error:.1e}");
        }
    }
}

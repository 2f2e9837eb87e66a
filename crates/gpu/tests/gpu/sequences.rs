//! Tests of sequence operations in realistic sizes, for which finite differences would take too long, against the CPU
//! engine.

use crate::adapter;
use crate::common::{Sample, inputs_for, random_parameters};
use crate::cpu;
use crate::engine::{self, assert_close};
use vivarium_gpu::{GpuPlan, GpuRecorder};
use vivarium_graph::{Graph, Initializer, Plan, Value};
use vivarium_kernels::simd;

/// Adds a learned weighted sum of the elements of a sequence to the graph, one scalar for each batch row, and returns
/// it.
fn weighted_sum(g: &mut Graph, x: Value) -> Value {
    let shape = g.shape(x);
    let weights = g.parameter_shaped("weights", shape.dims(), Initializer::Normal(1.0));
    let products = g.mul(x, weights);
    let sums = g.sum(products);
    let line = g.reshape(sums, &[shape.lines()]);
    g.mean(line)
}

/// Compares outputs and gradients of a loss on the GPU with the CPU engine. The integer inputs are indices into a table
/// of `entries` entries.
fn check(what: &str, g: &Graph, loss: Value, outputs: &[Value], rows: usize, entries: usize) {
    let gradient = g.gradient(loss);
    let outputs = [outputs, &[loss]].concat();
    let plan = Plan::compile(&gradient, &outputs, rows).unwrap();
    let mut sample = Sample::of(g, rows, 3);
    for (input, numbers) in g.inputs().iter().zip(&mut sample.inputs) {
        if input.name.starts_with("index") {
            let mixed = |i: usize| (i * 7919 + i / 3) % entries;
            numbers.iter_mut().enumerate().for_each(|(i, index)| *index = mixed(i) as f32);
        }
    }
    let (expected, gradients) = cpu::run_plan(simd::level(), &plan, &sample);
    let found = engine::run(&gradient, &outputs, &sample, rows);
    for (index, (found, expected)) in found.outputs.iter().zip(&expected).enumerate() {
        assert_close(&format!("{what}, output {index}"), found, expected, 2e-5);
    }
    for spec in g.parameters() {
        let [found, expected] = [&found.gradients, &gradients].map(|all| all.get(&spec.name).unwrap());
        assert_close(&format!("{what}, {}", spec.name), found, expected, 1e-4);
    }
}

#[test]
fn heads_as_wide_as_learners_have_them_on_several_blocks_of_tokens() {
    let shapes = [(70, 2, 64, 2), (33, 3, 20, 3), (40, 1, 136, 1)];
    let shapes = if engine::is_second_driver() { &shapes[..1] } else { &shapes };
    for &(tokens, heads, head_width, rows) in shapes {
        let mut g = Graph::new();
        let x = g.input("x", &[tokens, 8]);
        let qkv = g.linear("qkv", x, 3 * heads * head_width);
        let y = g.attention(qkv, heads);
        let loss = weighted_sum(&mut g, y);
        check(&format!("{heads} heads of {head_width} on {tokens} tokens"), &g, loss, &[y], rows, 1);
    }
}

#[test]
fn a_table_sums_many_tokens_in_several_slices() {
    // More columns than invocations, more tokens than a tile, unused entries.
    for (tokens, each, entries, width, rows) in [(60, 1, 50, 300, 9), (7, 3, 400, 24, 60)] {
        let mut g = Graph::new();
        let index = g.input("index", &[tokens, each]);
        let x = g.embedding("table", index, entries, width, Initializer::Normal(1.0));
        let loss = weighted_sum(&mut g, x);
        check(&format!("{entries} entries of {width}"), &g, loss, &[x], rows, entries + 9);
    }
}

#[test]
fn a_vocabulary_so_large_that_tokens_go_in_blocks() {
    // SwiftShader computes one block, lavapipe several blocks, whose weight gradients accumulate.
    let (tokens, vocabulary) = (70, if engine::is_second_driver() { 1 << 12 } else { 1 << 17 });
    let mut g = Graph::new();
    let (x, target) = (g.input("x", &[tokens, 3]), g.input("index", &[tokens, 1]));
    let x = g.linear("x", x, 4);
    let losses = g.head_loss("head", x, target, vocabulary, Initializer::Normal(1.0));
    let loss = weighted_sum(&mut g, losses);
    check("a large vocabulary", &g, loss, &[losses], 2, vocabulary);
}

#[test]
fn training_on_sequences_creates_nothing_and_is_deterministic() {
    let gpu = adapter::open();
    let (tokens, entries) = (40, 20);
    let mut g = Graph::new();
    let [index, target] = ["index", "index.target"].map(|name| g.input(name, &[tokens, 1]));
    let x = g.embedding("words", index, entries, 8, Initializer::Normal(1.0));
    let qkv = g.linear("qkv", x, 24);
    let found = g.attention(qkv, 2);
    let x = g.add(x, found);
    let losses = g.head_loss("words", x, target, entries, Initializer::Normal(1.0));
    let loss = weighted_sum(&mut g, losses);
    let gradient = g.gradient(loss);
    let plan = Plan::compile(&gradient, &[loss], 10).unwrap();
    let parameters = random_parameters(&g, 1);
    let run = || {
        let network = GpuPlan::new(&gpu, &plan, 10).unwrap();
        let flat = gpu.upload("parameters", parameters.flat()).unwrap();
        let slices = network.slices().unwrap();
        assert!(slices.count > 1, "several slices have an order that could matter");
        let mut recorder = GpuRecorder::new(&gpu);
        network.record(&mut recorder, &flat, Some(&slices)).unwrap();
        let program = recorder.finish().unwrap();
        for (number, input) in inputs_for(&g, 10, 1).iter().enumerate() {
            gpu.write(network.arena(), network.input(number).start, input);
        }
        gpu.submit(|encoder| encoder.run(&program)).unwrap();
        gpu.wait().unwrap();
        let before = (gpu.memory(), gpu.kernels_compiled());
        gpu.submit(|encoder| encoder.repeat(&program, 3)).unwrap();
        gpu.wait().unwrap();
        assert_eq!((gpu.memory(), gpu.kernels_compiled()), before);
        gpu.read_blocking(&slices.buffer, 0..slices.buffer.len()).unwrap()
    };
    let first = run();
    assert!(first.iter().any(|&word| word != 0));
    assert_eq!(first, run());
}

//! Tests of plans on the device: cost, absence of allocations in steady state, large batches, and the optimizer.

use crate::adapter;
use crate::common::{self, Sample, inputs_for, random_parameters};
use crate::cpu;
use crate::engine::{self, assert_close};
use vivarium_gpu::{
    Gpu, GpuOptimizer, GpuPlan, GpuProgram, GpuRecorder, GradientSlices, OptimizerControl, floats,
};
use vivarium_graph::{Graph, Initializer, Parameters, Plan, Value};
use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::{norm, rng, simd};

/// Adds a PPO network with two hidden layers, two actions and a value to the graph. Returns the loss of each row and
/// its metrics.
fn ppo(g: &mut Graph, shared_torso: bool, hidden: usize) -> (Value, Vec<Value>) {
    let observation = g.input("observation", &[4]);
    let [action, old_log_probability, advantage, target, old_value] =
        ["index.action", "old_log_probability", "advantage", "return", "old_value"]
            .map(|name| g.input(name, &[1]));
    let [clip_range, value_coefficient, entropy_coefficient] =
        ["clip_range", "value_coefficient", "entropy_coefficient"].map(|name| g.setting(name));
    let [actor, critic] = ["actor", "critic"].map(|name| {
        let name = if shared_torso { "torso" } else { name };
        (0..2).fold(observation, |x, layer| {
            let x = g.linear(&format!("{name}.{layer}"), x, hidden);
            g.tanh(x)
        })
    });
    // Two definitions of the same torso would be computed twice.
    let critic = if shared_torso { actor } else { critic };
    let logits = g.linear("policy", actor, 2);
    let value = g.linear("value", critic, 1);

    let log_probabilities = g.log_softmax(logits);
    let chosen = g.gather(log_probabilities, action);
    let probabilities = g.exp(log_probabilities);
    let terms = g.mul(probabilities, log_probabilities);
    let sum = g.sum(terms);
    let entropy = g.neg(sum);
    let log_ratio = g.sub(chosen, old_log_probability);
    let ratio = g.exp(log_ratio);
    let excess = g.offset(ratio, -1.0);
    let limited = g.min(excess, clip_range);
    let lower = g.neg(clip_range);
    let limited = g.max(limited, lower);
    let clipped = g.offset(limited, 1.0);
    let [free, clipped] = [ratio, clipped].map(|ratio| g.mul(ratio, advantage));
    let surrogate = g.min(free, clipped);
    let policy_loss = g.neg(surrogate);
    let moved = g.sub(value, old_value);
    let held = g.add(old_value, moved);
    let [free, held] = [value, held].map(|value| {
        let error = g.sub(value, target);
        g.square(error)
    });
    let value_loss = g.max(free, held);
    let value_loss = g.scale(value_loss, 0.5);
    let weighted = g.mul(value_loss, value_coefficient);
    let bonus = g.mul(entropy, entropy_coefficient);
    let loss = g.add(policy_loss, weighted);
    let loss = g.sub(loss, bonus);
    let divergence = g.sub(excess, log_ratio);
    let distance = g.abs(excess);
    let was_clipped = g.less(clip_range, distance);
    (loss, vec![policy_loss, value_loss, entropy, divergence, was_clipped])
}

/// A network on the device with its parameters and optimizer, and the recorded program of a training step.
struct Ready {
    network: GpuPlan,
    parameters: Buffers,
    optimizer: GpuOptimizer,
    program: GpuProgram,
}

/// GPU buffers of a network: the flat parameters and the gradient slices.
struct Buffers {
    flat: vivarium_gpu::Buffer,
    _slices: GradientSlices,
}

/// Uploads parameters and inputs, and records a complete training step: gradients, their sum, gradient clipping and the
/// AdamW update.
fn ready(gpu: &Gpu, plan: &Plan, parameters: &Parameters, rows: usize, inputs: &[Vec<f32>]) -> Ready {
    let network = GpuPlan::new(gpu, plan, rows).unwrap();
    let flat = gpu.upload("parameters", parameters.flat()).unwrap();
    let slices = network.slices().unwrap();
    let optimizer = GpuOptimizer::new(gpu, parameters.flat().len()).unwrap();
    let mut recorder = GpuRecorder::new(gpu);
    network.record(&mut recorder, &flat, Some(&slices)).unwrap();
    optimizer.record_sum(&mut recorder, &slices).unwrap();
    optimizer.record_decision(&mut recorder).unwrap();
    optimizer.record_step(&mut recorder, &flat).unwrap();
    let program = recorder.finish().unwrap();
    for (index, input) in inputs.iter().enumerate() {
        gpu.write(network.arena(), network.input(index).start, input);
    }
    Ready { network, parameters: Buffers { flat, _slices: slices }, optimizer, program }
}

fn read(gpu: &Gpu, buffer: &vivarium_gpu::Buffer) -> Vec<f32> {
    floats(&gpu.read_blocking(buffer, 0..buffer.len()).unwrap()).to_vec()
}

#[test]
fn a_step_of_ppo_takes_few_kernels() {
    let gpu = adapter::gpu();
    // Dispatches of a training step; layers of equal shapes in actor and critic share a kernel. Forward: one kernel per
    // hidden layer, one for both heads, one for the loss and its gradient. Backward: one for the parameter gradients of
    // both heads, and one for their input gradients (two for a shared torso, whose two gradients are added). Each
    // hidden layer has one for its parameters and, except the first layer, one for its input. Then the sum of the
    // gradients, the clipping decision and the optimizer step.
    for (shared_torso, forward, back) in [(true, 2 + 1, 1 + 2 + 3), (false, 2 + 1, 1 + 1 + 3)] {
        let mut g = Graph::new();
        let (loss, measurements) = ppo(&mut g, shared_torso, 64);
        let plan = Plan::compile(&g.gradient(loss), &measurements, 64).unwrap();
        let parameters = random_parameters(&g, 1);
        let ready = ready(gpu, &plan, &parameters, 64, &inputs_for(&g, 64, 1));
        let cost = ready.program.cost();
        assert_eq!((cost.dispatches, cost.bytes_copied), (forward + 1 + back + 3, 0));
        println!(
            "shared torso {shared_torso}: {} steps of the plan, {cost:?}, {:?}",
            plan.steps().len(),
            ready.network
        );
    }
}

#[test]
fn running_a_program_creates_nothing_and_is_deterministic() {
    let gpu = adapter::open();
    let mut g = Graph::new();
    let (loss, measurements) = ppo(&mut g, false, 8);
    let plan = Plan::compile(&g.gradient(loss), &measurements, 64).unwrap();
    let parameters = random_parameters(&g, 2);
    let rows = 520;
    let inputs = inputs_for(&g, rows, 2);
    let run = || {
        let ready = ready(&gpu, &plan, &parameters, rows, &inputs);
        ready.optimizer.set(&gpu, &AdamStep { learning_rate: 1e-3, ..AdamStep::default() }, 0.5);
        gpu.submit(|encoder| encoder.run(&ready.program)).unwrap();
        gpu.wait().unwrap();
        let before = (gpu.memory(), gpu.kernels_compiled());
        for _ in 0..5 {
            gpu.submit(|encoder| encoder.repeat(&ready.program, 3)).unwrap();
        }
        gpu.wait().unwrap();
        assert_eq!((gpu.memory(), gpu.kernels_compiled()), before);
        read(&gpu, &ready.parameters.flat)
    };
    let first = run();
    assert_ne!(first, parameters.flat());
    assert!(first.iter().all(|x| x.is_finite()));
    assert_eq!(first, run());
}

#[test]
fn many_rows_in_many_slices_agree_with_the_cpu() {
    let mut g = Graph::new();
    let (loss, measurements) = ppo(&mut g, true, 32);
    let outputs = [&measurements[..], &[loss]].concat();
    let plan = Plan::compile(&g.gradient(loss), &outputs, 128).unwrap();
    // One row more than whole slices, and fewer than a slice.
    for rows in [2049, 100] {
        let sample = Sample::of(&g, rows, 3);
        let (expected, gradients) = cpu::run_plan(simd::level(), &plan, &sample);
        let found = engine::run(&g.gradient(loss), &outputs, &sample, rows);
        for (index, (found, expected)) in found.outputs.iter().zip(&expected).enumerate() {
            // A ratio at the edge of the clipping range may be clipped or not.
            let off =
                found.iter().zip(expected).filter(|(a, b)| (*a - *b).abs() > 1e-4 * (1.0 + b.abs())).count();
            assert!(off * 1000 <= rows, "output {index}: {off} of {rows} rows differ");
        }
        for spec in g.parameters() {
            let (found, expected) =
                (found.gradients.get(&spec.name).unwrap(), gradients.get(&spec.name).unwrap());
            assert_close(&spec.name, found, expected, 1e-4);
        }
    }
}

#[test]
fn a_layer_that_is_used_twice_gets_both_gradients() {
    let mut g = Graph::new();
    let x = g.input("x", &[6]);
    let once = g.linear("shared", x, 6);
    let once = g.tanh(once);
    let twice = g.linear("shared", once, 6);
    let twice = g.layer_norm("norm", twice);
    let twice = g.relu(twice);
    let thrice = g.layer_norm("norm", twice);
    let offset = g.parameter("offset", 6, Initializer::Constant(0.0));
    let product = g.mul(thrice, offset);
    let product = g.add(product, offset);
    let unused = g.linear("unused", x, 3);
    let loss = g.sum(product);
    // A parameter without a gradient, after one with a gradient.
    common::check_gradient("a shared layer", &g, loss, 700, 4);
    let _ = unused;
}

#[test]
fn more_rows_than_a_dimension_has_workgroups() {
    let mut g = Graph::new();
    let x = g.input("x", &[1]);
    let y = g.scale(x, 2.0);
    let y = g.offset(y, 1.0);
    let wide = g.repeat(y, 17);
    let sum = g.sum(wide);
    let rows = 65_535 * 64 / 16 + 1;
    // The wide value exceeds the workgroups of one dimension, the narrow ones do not.
    let input: Vec<f32> = (0..rows).map(|row| (row % 1000) as f32).collect();
    let sample = Sample { parameters: Parameters::new(&g, 0).unwrap(), rows, inputs: vec![input] };
    let found = engine::run(&g, &[y, sum], &sample, rows);
    for (row, x) in sample.inputs[0].iter().enumerate() {
        let y = 2.0 * x + 1.0;
        assert_eq!((found.outputs[0][row], found.outputs[1][row]), (y, 17.0 * y), "row {row}");
    }
}

#[test]
fn the_weight_of_a_row_scales_the_gradient() {
    let gpu = adapter::gpu();
    let mut g = Graph::new();
    let x = g.input("x", &[3]);
    let y = g.linear("layer", x, 2);
    let loss = g.sum(y);
    let plan = Plan::compile(&g.gradient(loss), &[loss], 8).unwrap();
    let parameters = random_parameters(&g, 5);
    let network = GpuPlan::new(gpu, &plan, 8).unwrap().with_row_weight(2.0);
    let flat = gpu.upload("parameters", parameters.flat()).unwrap();
    let slices = network.slices().unwrap();
    let mut recorder = GpuRecorder::new(gpu);
    network.record(&mut recorder, &flat, Some(&slices)).unwrap();
    let program = recorder.finish().unwrap();
    gpu.submit(|encoder| encoder.run(&program)).unwrap();
    let bias = g.parameters().iter().find(|spec| spec.name == "layer.bias").unwrap().range();
    assert_eq!(read(gpu, &slices.buffer)[bias], [16.0, 16.0]);
}

#[test]
fn steps_of_the_optimizer_are_those_of_the_cpu() {
    // The second length uses the large summation blocks.
    for (len, rounds) in [(16 * 77, 12), ((1 << 19) + 16 * 3, 2)] {
        steps_of_the_optimizer(len, rounds);
    }
}

fn steps_of_the_optimizer(len: usize, rounds: u32) {
    let gpu = adapter::gpu();
    let normal = |stream: u32, scale: f32| {
        let mut numbers = vec![0.0; len];
        rng::fill_normal(simd::level(), 6, stream, 0, &mut numbers);
        numbers.iter_mut().for_each(|x| *x *= scale);
        numbers
    };
    let settings = AdamStep { learning_rate: 0.01, weight_decay: 0.1, epsilon: 1e-5, ..AdamStep::default() };
    let largest_norm = 20.0;
    let mut expected = normal(0, 1.0);
    let [mut first, mut second] = [0, 1].map(|_| vec![0.0; len]);
    let parameters = gpu.upload("parameters", &expected).unwrap();
    let optimizer = GpuOptimizer::new(gpu, len).unwrap();
    optimizer.set(gpu, &settings, largest_norm);
    let slices =
        GradientSlices { buffer: gpu.zeros("slices", 3 * len).unwrap(), count: 3, parameters_len: len };
    let mut recorder = GpuRecorder::new(gpu);
    optimizer.record_sum(&mut recorder, &slices).unwrap();
    optimizer.record_decision(&mut recorder).unwrap();
    optimizer.record_step(&mut recorder, &parameters).unwrap();
    let program = recorder.finish().unwrap();

    let mut steps = 0;
    for round in 0..rounds {
        // Some gradients are clipped, some are not, and one is NaN.
        let parts = [1, 2, 3].map(|part| normal(10 * round + part, if round % 2 == 0 { 1.0 } else { 0.1 }));
        let broken = round == 5;
        let mut words = parts.concat();
        if broken {
            words[len + 3] = f32::NAN;
        }
        gpu.write(&slices.buffer, 0, &words);
        gpu.submit(|encoder| encoder.run(&program)).unwrap();
        let control = OptimizerControl::from_words(
            &gpu.read_blocking(&optimizer.control, 0..OptimizerControl::WORDS).unwrap(),
        );
        assert_eq!((control.applied, control.norm.is_nan()), (!broken, broken));
        if !broken {
            let mut gradient: Vec<f32> = (0..len).map(|i| parts[0][i] + parts[1][i] + parts[2][i]).collect();
            let length = norm::sum_of_squares(simd::level(), &gradient).sqrt();
            norm::scale(simd::level(), &mut gradient, (largest_norm / length).min(1.0));
            assert!((control.norm - length).abs() < 1e-5 * length, "{} instead of {length}", control.norm);
            steps += 1;
            let settings = AdamStep { step: steps, ..settings };
            adam::step(simd::level(), &mut expected, &gradient, &mut first, &mut second, &settings);
        }
        assert_close("parameters", &read(gpu, &parameters), &expected, 2e-6);
        assert_eq!((u64::from(control.steps), control.refused), (steps, u32::from(round >= 5)));
    }
    assert_close("first moment", &read(gpu, &optimizer.first_moment), &first, 1e-6);
    assert_close("second moment", &read(gpu, &optimizer.second_moment), &second, 1e-6);
}

#[test]
fn the_correction_of_the_bias_is_right_for_any_number_of_steps() {
    let gpu = adapter::gpu();
    let optimizer = GpuOptimizer::new(gpu, 16).unwrap();
    let mut recorder = GpuRecorder::new(gpu);
    optimizer.record_decision(&mut recorder).unwrap();
    let program = recorder.finish().unwrap();
    optimizer.set(gpu, &AdamStep::default(), 0.0);
    for steps in [0u32, 1, 10, 100, 499, 500, 693, 694, 10_000, 1_000_000] {
        optimizer.set_steps(gpu, steps);
        gpu.submit(|encoder| encoder.run(&program)).unwrap();
        let words = gpu.read_blocking(&optimizer.control, 0..OptimizerControl::WORDS).unwrap();
        let expected = AdamStep { step: u64::from(steps) + 1, ..AdamStep::default() }.bias_corrections();
        for (found, expected) in floats(&words)[12..14].iter().zip([expected.0, expected.1]) {
            assert!(
                (found - expected).abs() < 1e-6 * expected,
                "{steps} steps: {found} instead of {expected}"
            );
        }
    }
}

//! Tests of gradient steps: results do not depend on threads or slices, and infinite losses are rejected.

use vivarium_graph::{Cpu, Graph, Plan, SavedTensors, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::Stream;
use vivarium_kernels::{reduce, simd};
use vivarium_learn::{Loss, Network, Trainer, WeightAverage};

const ROWS: usize = 70;
const INPUTS: usize = 5;

/// Creates a network whose weights are divided among several parallel tasks, and its losses.
fn network_and_losses() -> (Network, Vec<Loss>) {
    let mut graph = Graph::new();
    let x = graph.input("x", &[INPUTS]);
    let target = graph.input("target", &[1]);
    let mut h = x;
    for layer in 0..2 {
        h = graph.linear(&format!("hidden.{layer}"), h, 260);
        h = graph.tanh(h);
    }
    let y = graph.linear("output", h, 1);
    let error = graph.sub(y, target);
    let loss = graph.square(error);
    let network = Network::new(&graph, vec![Plan::for_cache(&graph, &[y]).unwrap()], 3).unwrap();
    let plan = Plan::compile(&graph.gradient(loss), &[loss, error], 8).unwrap();
    (network, vec![Loss { plan, names: &["the loss"] }])
}

fn learner() -> (Network, Trainer) {
    let (network, losses) = network_and_losses();
    let trainer = Trainer::new(&network, losses);
    (network, trainer)
}

fn batch() -> [Vec<f32>; 2] {
    let mut random = Stream::new(1, 2);
    let states: Vec<f32> = (0..ROWS * INPUTS).map(|_| random.normal()).collect();
    let targets = states.chunks(INPUTS).map(|row| row.iter().sum::<f32>().sin()).collect();
    [states, targets]
}

fn settings(step: u64) -> AdamStep {
    AdamStep { learning_rate: 2e-3, weight_decay: 0.01, step, ..AdamStep::default() }
}

#[test]
fn results_do_not_depend_on_threads_or_slices() {
    let [states, targets] = batch();
    let inputs: [&[f32]; 2] = [&states, &targets];
    let run = |threads: usize, slices: bool| {
        let (cpu, (mut network, mut trainer)) = (Cpu::new(threads), learner());
        let mut average = WeightAverage::new(&network);
        let mut found = Vec::new();
        for step in 1..=20 {
            if slices {
                trainer.begin(0, ROWS);
                while !trainer.add_slice(&cpu, &network, &inputs) {}
            } else {
                trainer.differentiate(&cpu, &network, 0, ROWS, &inputs);
            }
            let norm = trainer.step(&cpu, &mut network, &settings(step), 0.5).unwrap();
            average.update(&cpu, &network, 10, step - 1);
            found.push((norm, trainer.sum(0), trainer.measured(1).to_vec()));
        }
        let mut outputs = vec![0.0; ROWS];
        network.evaluate(&cpu, &mut Workspaces::default(), 0, ROWS, &[&states], &mut [&mut outputs]);
        trainer.differentiate(&cpu, &network, 0, ROWS, &inputs);
        for (output, (target, error)) in outputs.iter().zip(targets.iter().zip(trainer.measured(1))) {
            assert!((output - target - error).abs() < 1e-5, "{output} less {target} is not {error}");
        }
        (found, outputs, network.weights().to_vec(), average.weights().to_vec())
    };
    let one = run(1, false);
    assert!(one.0[19].1 < 0.3 * one.0[0].1, "{} after {}", one.0[19].1, one.0[0].1);
    for (threads, slices) in [(3, false), (1, true), (3, true)] {
        assert!(one == run(threads, slices), "{threads} threads, slices {slices}");
    }
}

#[test]
fn an_infinite_loss_is_reported_and_changes_nothing() {
    let [states, mut targets] = batch();
    targets[7] = f32::INFINITY;
    let (cpu, (mut network, mut trainer)) = (Cpu::new(1), learner());
    let before = network.weights().to_vec();
    trainer.differentiate(&cpu, &network, 0, ROWS, &[&states, &targets]);
    let error = trainer.step(&cpu, &mut network, &settings(5), 0.5).unwrap_err();
    assert!(!error.value.is_finite() && error.updates == 4);
    assert!(error.to_string().contains("after 4 updates; it must be a finite number"), "{error}");
    assert!(network.weights() == before && trainer.moments().iter().all(|m| m.iter().all(|&x| x == 0.0)));
}

#[test]
#[should_panic(expected = "optimizer steps are numbered from 1")]
fn the_first_step_has_the_number_1() {
    let [states, targets] = batch();
    let (cpu, (mut network, mut trainer)) = (Cpu::new(1), learner());
    trainer.differentiate(&cpu, &network, 0, ROWS, &[&states, &targets]);
    let _ = trainer.step(&cpu, &mut network, &settings(0), 0.5);
}

/// Metrics are summed at the SIMD level of the network, because sums at different levels differ by rounding.
#[test]
fn metrics_are_summed_at_the_level_of_the_network() {
    let [states, targets] = batch();
    for level in simd::levels() {
        let (network, losses) = network_and_losses();
        let network = network.at_level(level);
        let mut trainer = Trainer::new(&network, losses);
        trainer.differentiate(&Cpu::new(1), &network, 0, ROWS, &[&states, &targets]);
        for index in [0, 1] {
            let expected = reduce::sum(level, trainer.measured(index));
            assert_eq!(trainer.sum(index), f64::from(expected), "{level:?}");
        }
    }
}

#[test]
fn saved_state_is_restored() {
    let [states, targets] = batch();
    let (cpu, (mut network, mut trainer)) = (Cpu::new(1), learner());
    trainer.differentiate(&cpu, &network, 0, ROWS, &[&states, &targets]);
    trainer.step(&cpu, &mut network, &settings(1), 0.0).unwrap();
    let mut tensors: Vec<_> = network.tensors("weights").chain(trainer.tensors(&network)).collect();
    let (mut other, mut resumed) = learner();
    resumed.read(&other, &SavedTensors(&tensors)).unwrap();
    other.read(&SavedTensors(&tensors), "weights").unwrap();
    assert!(other.weights() == network.weights() && resumed.moments() == trainer.moments());
    tensors.remove(0);
    let error = other.read(&SavedTensors(&tensors), "weights").unwrap_err();
    assert_eq!(error.to_string(), "weights/hidden.0.weight: it is missing");
    // An empty group name gives the parameter names.
    assert_eq!(network.tensors("").next().unwrap().name, "hidden.0.weight");
}

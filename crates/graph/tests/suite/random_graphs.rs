//! Tests of random graphs: outputs and directional derivatives agree with the f64 reference for any fusion and memory
//! layout.

use crate::common::{Sample, random_parameters, to_f64};
use crate::engine;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use vivarium_graph::{Graph, Value};

/// One random operation of a graph: a number that selects the operation, and two numbers that select its operands.
type Choice = (u8, usize, usize);

/// Creates a graph with one operation for each of `choices`. Returns the graph and its values. All operations keep
/// values small, so that single precision suffices.
pub fn random_graph(choices: &[Choice]) -> (Graph, Vec<Value>) {
    let mut g = Graph::new();
    let mut values = vec![g.input("a", &[5]), g.input("b", &[1]), g.input("c", &[17])];
    for (number, &(operation, first, second)) in choices.iter().enumerate() {
        let x = values[first % values.len()];
        let name = format!("layer.{number}");
        let width = g.shape(x).width();
        // The second operand y has the width of x or width 1. A value of another width passes through a linear layer
        // first.
        let y = values[second % values.len()];
        let y = if [1, width].contains(&g.shape(y).width()) {
            y
        } else {
            g.linear(&format!("{name}.other"), y, width)
        };
        let value = match operation % 16 {
            0 | 1 => g.linear(&name, x, [1, 2, 5, 17, 33][second % 5]),
            2 => {
                let h = g.linear(&format!("{name}.linear"), x, [5, 17, 33][second % 3]);
                if first % 2 == 0 { g.layer_norm(&name, h) } else { g.rms_norm(&name, h) }
            }
            3 => g.relu(x),
            4 => g.tanh(x),
            5 => g.gelu(x),
            6 => g.add(x, y),
            7 => {
                let difference = g.sub(y, x);
                g.tanh(difference)
            }
            8 => {
                let x = g.sigmoid(x);
                g.mul(x, y)
            }
            9 => g.min(x, y),
            10 => g.log_softmax(x),
            11 => g.mean(x),
            12 => g.slice(x, second % width, width - second % width),
            13 => g.concat(x, y),
            // The operand is an input, which has no gradient, because finite differences ignore stopped gradients.
            14 => g.stop_gradient(values[first % 3]),
            _ => {
                // A residual layer, the pattern that fusion recognizes.
                let h = g.linear(&format!("{name}.residual"), x, width);
                let h = g.add(h, x);
                g.relu(h)
            }
        };
        let value = if g.shape(value).width() > 64 { g.slice(value, 0, 33) } else { value };
        values.push(value);
    }
    (g, values)
}

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: engine::random_graphs(),
        rng_seed: RngSeed::Fixed(20),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn plans_agree_with_the_reference(
        choices in prop::collection::vec((any::<u8>(), 0usize..100, 0usize..100), 1..25),
        wanted in prop::collection::vec(0usize..100, 1..5),
        (rows, chunk_rows) in (1usize..20, 1usize..20),
        seed in 0u64..1000,
    ) {
        let (mut g, values) = random_graph(&choices);
        let last = *values.last().expect("there is at least one input");
        let bounded = g.tanh(last);
        let loss = g.mean(bounded);
        let sample = Sample::of(&g, rows, seed);
        let flat = to_f64(sample.parameters.flat());

        // Outputs: several values, possibly inputs or duplicates, with and without the gradient.
        let outputs: Vec<Value> = wanted.iter().map(|&i| values[i % values.len()]).collect();
        let expected = sample.reference(&g, &outputs);
        let gradient_graph = g.gradient(loss);
        for graph in [&g, &gradient_graph] {
            let found = engine::run(graph, &outputs, &sample, chunk_rows).outputs;
            for (found, expected) in found.iter().zip(&expected) {
                for (&found, &expected) in found.iter().zip(expected) {
                    prop_assert!(close(found.into(), expected, 1e-4), "{found} instead of {expected}");
                }
            }
        }

        // Directional derivative in a random direction.
        let gradients = engine::run(&gradient_graph, &[loss], &sample, chunk_rows).gradients;
        let direction = to_f64(random_parameters(&g, seed + 1).flat());
        let mean_loss = |step: f64| {
            let moved: Vec<f64> = flat.iter().zip(&direction).map(|(p, d)| p + step * d).collect();
            let losses = sample.reference_at(&g, &moved, &[loss]).remove(0);
            losses.iter().sum::<f64>() / rows as f64
        };
        let slope = (mean_loss(1e-6) - mean_loss(-1e-6)) / 2e-6;
        let found: f64 = to_f64(gradients.flat()).iter().zip(&direction).map(|(g, d)| g * d).sum();
        prop_assert!(close(found, slope, 1e-3), "slope {found} instead of {slope}");

        // Additional outputs prevent some fusions, but change gradients only by rounding.
        let mut more = outputs;
        more.push(loss);
        let again = engine::run(&gradient_graph, &more, &sample, chunk_rows).gradients;
        for (&found, &expected) in again.flat().iter().zip(gradients.flat()) {
            prop_assert!(close(found.into(), expected.into(), 1e-4), "{found} instead of {expected}");
        }
    }
}

//! Tests of each operation: gradients against central differences in f64.

use crate::common::{self, check_gradient, check_values};
use crate::engine::{self, test};
use vivarium_graph::{Graph, Initializer, Value};

/// Returns a value of shape \[width\] that depends on parameters: a linear layer of an input.
fn learned(g: &mut Graph, name: &str, width: usize) -> Value {
    let x = g.input(&format!("{name}.input"), &[3]);
    g.linear(name, x, width)
}

fn positive(g: &mut Graph, x: Value) -> Value {
    let square = g.square(x);
    g.offset(square, 0.5)
}

/// Adds a loss to the graph: the weighted sum of the columns of `x`, with a learned weight for each column.
fn weighted_sum(g: &mut Graph, x: Value) -> Value {
    let weights = g.parameter("weights", g.shape(x).width(), Initializer::Normal(1.0));
    let product = g.mul(x, weights);
    g.sum(product)
}

fn check(what: &str, build: impl Fn(&mut Graph, usize) -> Value) {
    for &(width, rows) in engine::shapes() {
        let mut g = Graph::new();
        let y = build(&mut g, width);
        let loss = weighted_sum(&mut g, y);
        check_gradient(&format!("{what} at width {width}"), &g, loss, rows, 7);
    }
}

macro_rules! unary_tests {
    ($($name:ident),*) => {$(
        #[test]
        pub fn $name() {
            check(stringify!($name), |g, width| {
                let x = learned(g, "x", width);
                g.$name(x)
            });
        }
    )*};
}
unary_tests!(relu, tanh, gelu, sigmoid, exp, square, abs, neg, softmax, log_softmax, sum, mean);

macro_rules! positive_tests {
    ($($name:ident),*) => {$(
        #[test]
        pub fn $name() {
            check(stringify!($name), |g, width| {
                let x = learned(g, "x", width);
                let x = positive(g, x);
                g.$name(x)
            });
        }
    )*};
}
positive_tests!(ln, sqrt);

macro_rules! binary_tests {
    ($($name:ident),*) => {$(
        #[test]
        pub fn $name() {
            check(concat!(stringify!($name), " of equal widths"), |g, width| {
                let (a, b) = (learned(g, "a", width), learned(g, "b", width));
                let b = positive(g, b);
                g.$name(a, b)
            });
            check(concat!(stringify!($name), " of a line and a number"), |g, width| {
                let (a, b) = (learned(g, "a", width), learned(g, "b", 1));
                let b = positive(g, b);
                g.$name(a, b)
            });
            check(concat!(stringify!($name), " of a number and a line"), |g, width| {
                let (a, b) = (learned(g, "a", 1), learned(g, "b", width));
                let b = positive(g, b);
                g.$name(a, b)
            });
            check(concat!(stringify!($name), " of a value with itself"), |g, width| {
                let a = learned(g, "a", width);
                let a = positive(g, a);
                g.$name(a, a)
            });
        }
    )*};
}
binary_tests!(add, sub, mul, div, min, max);

#[test]
pub fn linear_layers_of_many_shapes() {
    for (k, n, rows) in [(1, 1, 1), (3, 1, 9), (1, 5, 6), (4, 2, 33), (17, 33, 5), (33, 18, 8), (64, 3, 20)] {
        let mut g = Graph::new();
        let x = g.input("x", &[4]);
        let x = g.linear("first", x, k);
        let y = g.linear("second", x, n);
        let z = g.linear_without_bias("third", y, n, Initializer::KaimingUniform);
        let loss = weighted_sum(&mut g, z);
        check_gradient(&format!("linear {k}→{n}"), &g, loss, rows, 3);
    }
}

#[test]
pub fn layer_norm() {
    check("layer norm", |g, width| {
        // A single element minus its mean is zero and has no gradient; two elements are ±1 unless they are equal.
        let x = learned(g, "x", width + 2);
        g.layer_norm("norm", x)
    });
    // The widths are multiples of the SIMD vector length; one shape has more rows than a block.
    for (width, rows) in [(16, 5), (32, 40), (64, 3), (128, 18)] {
        let mut g = Graph::new();
        let x = learned(&mut g, "x", width);
        let x = g.layer_norm("norm", x);
        let loss = weighted_sum(&mut g, x);
        check_gradient(&format!("layer norm of {width}"), &g, loss, rows, 8);
    }
}

#[test]
pub fn layer_norm_without_bias() {
    check("layer norm without bias", |g, width| {
        let x = learned(g, "x", width + 2);
        g.layer_norm_without_bias("norm", x)
    });
    for (width, rows) in [(16, 5), (32, 40), (64, 3)] {
        let mut g = Graph::new();
        let x = learned(&mut g, "x", width);
        // The first norm is fused into the linear layer. Both norms add to the gradient of the same gain.
        let x = g.linear("linear", x, width);
        let x = g.layer_norm_without_bias("norm", x);
        let x = g.tanh(x);
        let x = g.layer_norm_without_bias("norm", x);
        let loss = weighted_sum(&mut g, x);
        check_gradient(&format!("layer norm of {width} without bias"), &g, loss, rows, 8);
    }
}

#[test]
pub fn rms_norm() {
    check("RMS norm", |g, width| {
        let x = learned(g, "x", width);
        g.rms_norm("norm", x)
    });
    for (width, rows) in [(16, 5), (32, 40), (64, 3), (128, 18), (301, 2)] {
        let mut g = Graph::new();
        let x = learned(&mut g, "x", width);
        // A gain that two norms share accumulates both gradients.
        let x = g.rms_norm("norm", x);
        let x = g.tanh(x);
        let x = g.rms_norm("norm", x);
        let loss = weighted_sum(&mut g, x);
        check_gradient(&format!("RMS norm of {width}"), &g, loss, rows, 8);
    }
}

#[test]
pub fn scale_offset_and_clamp() {
    check("scale, offset, clamp", |g, width| {
        let x = learned(g, "x", width);
        let x = g.scale(x, -1.5);
        let x = g.offset(x, 0.25);
        g.clamp(x, -0.5, 0.75)
    });
}

#[test]
pub fn select_between_two_values() {
    check("select", |g, width| {
        let [condition, a, b] = ["condition", "a", "b"].map(|name| learned(g, name, width));
        g.select(condition, a, b)
    });
}

#[test]
pub fn gather_picks_a_column() {
    check("gather", |g, width| {
        let x = learned(g, "x", width + 2);
        let index = g.input("index", &[1]);
        g.gather(x, index)
    });
}

#[test]
pub fn cross_entropy() {
    check("cross-entropy", |g, width| {
        let x = learned(g, "x", width + 2);
        let index = g.input("index", &[1]);
        g.cross_entropy(x, index)
    });
}

#[test]
pub fn repeat_concat_and_slice() {
    check("repeat", |g, width| {
        let x = learned(g, "x", 1);
        g.repeat(x, width)
    });
    check("concat and slice", |g, width| {
        let (a, b) = (learned(g, "a", width), learned(g, "b", width + 1));
        let both = g.concat(a, b);
        let x = g.slice(both, 1, width + 1);
        let y = g.slice(both, 0, width);
        g.concat(x, y)
    });
}

#[test]
pub fn parameters_as_values() {
    check("parameter", |g, width| {
        let x = learned(g, "x", width);
        let deviation = g.parameter("log_deviation", width, Initializer::Constant(0.0));
        let deviation = g.exp(deviation);
        g.div(x, deviation)
    });
}

#[test]
pub fn settings_and_constants_scale_a_loss() {
    check("setting", |g, width| {
        let x = learned(g, "x", width);
        let coefficient = g.setting("coefficient");
        let three = g.constant(3.0);
        let factor = g.mul(coefficient, three);
        g.mul(x, factor)
    });
}

#[test]
pub fn a_stopped_gradient_is_a_constant() {
    // The gradient of stop(x)·x with respect to x is the constant stop(x). Finite differences cannot measure it, so the
    // test compares with the gradient of ½·x².
    let mut stopped = Graph::new();
    let x = learned(&mut stopped, "x", 4);
    let constant = stopped.stop_gradient(x);
    let product = stopped.mul(constant, x);
    let loss = stopped.sum(product);

    let mut doubled = Graph::new();
    let y = learned(&mut doubled, "x", 4);
    let square = doubled.square(y);
    let half = doubled.scale(square, 0.5);
    let expected_loss = doubled.sum(half);

    let sample = common::Sample::of(&stopped, 6, 1);
    let [found, expected] = [(&stopped, loss), (&doubled, expected_loss)]
        .map(|(graph, loss)| engine::runs(&graph.gradient(loss), &[loss], &sample).remove(0));
    for (found, expected) in found.gradients.flat().iter().zip(expected.gradients.flat()) {
        assert!((found - expected).abs() < 1e-5, "{found} instead of {expected}");
    }
}

#[test]
pub fn values_with_several_lines_a_row_are_longer_batches() {
    let mut g = Graph::new();
    let x = g.input("tokens", &[3, 5]);
    let x = g.linear("embed", x, 8);
    let x = g.layer_norm("norm", x);
    let scores = g.linear("score", x, 4);
    let probabilities = g.softmax(scores);
    let logs = g.log_softmax(scores);
    let terms = g.mul(probabilities, logs);
    let per_line = g.sum(terms);
    assert_eq!(g.shape(per_line).dims(), [3, 1]);
    check_values("several lines", &g, &[per_line], 6, 5);
}

#[test]
pub fn wide_values_with_several_lines() {
    let mut g = Graph::new();
    let x = g.input("x", &[2, 40]);
    let y = g.input("y", &[2, 1]);
    let index = g.input("index", &[2, 1]);
    let soft = g.softmax(x);
    let log = g.log_softmax(x);
    let mut outputs = vec![g.gather(log, index), g.sum(soft), g.slice(x, 3, 5), g.slice(x, 3, 30)];
    outputs.extend([g.concat(x, y), g.concat(y, x), g.repeat(y, 20), g.mul(x, y), g.sub(y, x)]);
    let z = g.max(soft, x);
    let z = g.gelu(z);
    outputs.extend([soft, log, z, g.cross_entropy(x, index)]);
    check_values("wide values with several lines", &g, &outputs, 9, 6);
}

#[test]
pub fn not_a_number_stays_visible() {
    // A clipped objective must not hide NaN in the loss.
    let mut g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.input(name, &[3]));
    let mut layer = g.linear("layer", x, 64);
    layer = g.layer_norm("norm", layer);
    layer = g.relu(layer);
    let layer = g.slice(layer, 0, 3);
    let outputs =
        [g.min(x, y), g.min(y, x), g.max(x, y), g.max(y, x), g.clamp(x, -1.0, 1.0), g.relu(x), layer];
    let parameters = vivarium_graph::Parameters::new(&g, 0).expect("the graph is sound");
    let rows = 7;
    let inputs = vec![vec![f32::NAN; rows * 3], vec![1.0; rows * 3]];
    for run in engine::runs(&g, &outputs, &common::Sample { parameters, rows, inputs }) {
        for (output, found) in run.outputs.iter().enumerate() {
            assert!(found.iter().all(|x| x.is_nan()), "output {output}, {}: {found:?}", run.how);
        }
    }
}

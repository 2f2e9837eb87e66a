//! Tests of the three matrix products of training (forward pass, input gradient, weight gradient) with several tiles,
//! against sums in f64.
//!
//! The tolerance is 1e-6 of the sum of the magnitudes of the terms, plus 1e-6 after a tanh.

use crate::adapter;
use crate::numbers::{LinearOperands, OperandBuffer, assert_close, numbers, run};
use vivarium_gpu::Gpu;
use vivarium_gpu::ops::{
    GradientSlicesView, LinearInputGradientArgs, LinearParameterGradientArgs, OperandEpilogue, Tile, linear,
    linear_input_gradient, linear_parameter_gradient,
};
use vivarium_graph::{Activation, EpilogueActivation};

const TOLERANCE: f64 = 1e-6;

/// Shape of a linear layer: number of rows, of inputs and of outputs.
type Shape = [usize; 3];

/// Shapes (rows, inputs, outputs) of the tested products: tile edges, single elements, multiples of four and others,
/// narrow and wide. The number of shapes is small, because each shape compiles a kernel.
const SHAPES: [Shape; 9] = [
    [1, 1, 1],
    [2, 3, 5],
    [7, 64, 3],
    [65, 4, 64],
    [127, 129, 31],
    [16, 128, 128],
    [130, 20, 132],
    [3, 300, 8],
    [1000, 3, 2],
];

/// Shapes (rows, inputs, outputs) whose widths are multiples of four. The kernels of these shapes access memory in
/// vectors of four, unless an offset is not a multiple of four.
const BY_FOURS: [Shape; 2] = [[65, 4, 64], [130, 20, 132]];

/// Returns two tiles that the tests select explicitly, because [`Tile::choose`] does not return them for every tested
/// shape.
fn forced() -> [Option<Tile>; 2] {
    let medium = Tile::choose(64, 64, 65_536, 128);
    [Some(Tile::LARGE), Some(medium)]
}

/// Returns Σ a·b and Σ |a·b| over `len` pairs (a, b) in f64: the expected sum and the magnitude for its tolerance.
fn sum_of(len: usize, pair: impl Fn(usize) -> (f32, f32)) -> (f64, f64) {
    (0..len).fold((0.0, 0.0), |(sum, magnitude), i| {
        let (a, b) = pair(i);
        let product = f64::from(a) * f64::from(b);
        (sum + product, magnitude + product.abs())
    })
}

fn check_forward(
    gpu: &Gpu,
    shape: Shape,
    tile: Option<Tile>,
    rest: usize,
    extras: bool,
    last: Option<Activation>,
) {
    let [rows, inputs, outputs] = shape;
    let case = format!("{shape:?} {tile:?} at {rest}, extras {extras}, {last:?}");
    let LinearOperands { mut arena, mut parameters, mut layer, x, weight, bias, residual } =
        LinearOperands::place(shape, rest);
    if !extras {
        (layer.bias, layer.epilogue.residual) = (None, None);
    }
    layer.epilogue.activation = last.map_or(EpilogueActivation::None, EpilogueActivation::Forward);
    let (values, weights) = (arena.upload(gpu, "arena"), parameters.upload(gpu, "parameters"));
    run(gpu, |recorder| linear(recorder, &values, &weights, &[layer], tile));
    let expected: Vec<(f64, f64)> = (0..rows * outputs)
        .map(|i| {
            let (row, column) = (i / outputs, i % outputs);
            let (mut sum, mut size) = sum_of(inputs, |k| (x[row * inputs + k], weight[k * outputs + column]));
            if extras {
                sum += f64::from(bias[column]) + f64::from(residual[i]);
                size += f64::from(bias[column].abs()) + f64::from(residual[i].abs());
            }
            // The derivatives of the activation functions are at most 1.13.
            let of_last = if last.is_none() { 0.0 } else { 1e-6 * (1.0 + sum.abs()) };
            (last.map_or(sum, |last| last.reference(sum)), 1.2 * TOLERANCE * size + of_last)
        })
        .collect();
    let found = arena.read(gpu, &values, &case);
    assert_close(&case, &found[layer.y..][..rows * outputs], &expected);
}

#[test]
fn a_linear_layer_is_the_sum_of_products() {
    let gpu = adapter::gpu();
    for shape in SHAPES {
        check_forward(gpu, shape, None, 0, true, None);
    }
    for shape in BY_FOURS {
        check_forward(gpu, shape, None, 1, false, None);
    }
}

#[test]
fn every_activation_comes_after_bias_and_residual() {
    let gpu = adapter::gpu();
    for &last in Activation::ALL {
        check_forward(gpu, [9, 64, 64], None, 0, true, Some(last));
    }
}

#[test]
fn every_tile_gives_the_same_for_every_shape() {
    let gpu = adapter::gpu();
    for tile in forced() {
        // One kernel for all shapes of multiples of four, and one for all other shapes.
        for shape in SHAPES.into_iter().chain([[260, 132, 260]]) {
            check_forward(gpu, shape, tile, 0, true, None);
        }
    }
}

fn check_input_gradient(
    gpu: &Gpu,
    shape: Shape,
    tile: Option<Tile>,
    rest: usize,
    residual: bool,
    slope: Option<Activation>,
) {
    let [rows, inputs, outputs] = shape;
    let case = format!("{shape:?} {tile:?} at {rest}, residual {residual}, {slope:?}");
    let (dy, w) = (numbers(1, rows * outputs), numbers(2, inputs * outputs));
    let (added, of) = (numbers(3, rows * inputs), numbers(4, rows * inputs));
    let (mut arena, mut parameters) = (OperandBuffer::default(), OperandBuffer::default());
    let dy_at = arena.place(&dy, rest);
    // dx overwrites the residual gradient that is added to it.
    let dx_at = arena.place(&added, rest);
    arena.may_change(dx_at, rows * inputs);
    let output = |slope: Activation| of.iter().map(|&x| slope.reference(x.into()) as f32).collect();
    let saved = slope.filter(|slope| !slope.saves_input()).map_or(of.clone(), output);
    let saved_at = arena.place(&saved, rest);
    let w_at = parameters.place(&w, rest);
    let (values, weights) = (arena.upload(gpu, "arena"), parameters.upload(gpu, "parameters"));
    let layer = LinearInputGradientArgs {
        rows,
        inputs,
        outputs,
        dy: dy_at,
        dx: dx_at,
        weight: w_at,
        epilogue: OperandEpilogue {
            norm: None,
            residual: residual.then_some(dx_at),
            activation: slope.map_or(EpilogueActivation::None, |activation| EpilogueActivation::Gradient {
                activation,
                saved: saved_at,
            }),
        },
    };
    run(gpu, |recorder| linear_input_gradient(recorder, &values, &weights, &[layer], tile));
    let expected: Vec<(f64, f64)> = (0..rows * inputs)
        .map(|i| {
            let (row, column) = (i / inputs, i % inputs);
            let (sum, size) = sum_of(outputs, |k| (dy[row * outputs + k], w[column * outputs + k]));
            let times = slope.map_or(1.0, |slope| slope.reference_derivative(of[i].into()));
            let before = if residual { f64::from(added[i]) } else { 0.0 };
            ((sum + before) * times, 3.0 * TOLERANCE * (size + before.abs()))
        })
        .collect();
    let found = arena.read(gpu, &values, &case);
    assert_close(&case, &found[dx_at..dx_at + rows * inputs], &expected);
}

#[test]
fn the_gradient_of_a_layers_input_goes_through_the_transposed_weight() {
    let gpu = adapter::gpu();
    for shape in SHAPES {
        check_input_gradient(gpu, shape, None, 0, false, None);
    }
    for shape in BY_FOURS {
        check_input_gradient(gpu, shape, None, 2, true, Some(Activation::Tanh));
    }
    for tile in forced() {
        for shape in SHAPES.into_iter().chain([[260, 132, 260]]) {
            check_input_gradient(gpu, shape, tile, 0, true, Some(Activation::Tanh));
        }
    }
}

#[test]
fn the_gradient_includes_the_previous_activation() {
    let gpu = adapter::gpu();
    for &activation in Activation::ALL {
        check_input_gradient(gpu, [9, 64, 64], None, 0, true, Some(activation));
    }
    check_input_gradient(gpu, [9, 64, 64], None, 0, true, None);
}

fn check_parameter_gradient(
    gpu: &Gpu,
    shape: Shape,
    tile: Option<Tile>,
    count: usize,
    rest: usize,
    accumulate: bool,
) {
    let [rows, inputs, outputs] = shape;
    let case = format!("{shape:?} {tile:?} in {count} at {rest}, on top: {accumulate}");
    let (x, dy) = (numbers(1, rows * inputs), numbers(2, rows * outputs));
    let mut arena = OperandBuffer::default();
    let (x_at, dy_at) = (arena.place(&x, rest), arena.place(&dy, rest));
    let values = arena.upload(gpu, "arena");
    // Initial contents of a slice: the weight's gradient, then the bias's.
    let before = numbers(5, inputs * outputs + outputs);
    let mut sums = OperandBuffer::default();
    let mut places = Vec::new();
    for _ in 0..count {
        let w_at = sums.place(&before[..inputs * outputs], rest);
        let b_at = sums.place(&before[inputs * outputs..], rest);
        sums.may_change(w_at, inputs * outputs);
        sums.may_change(b_at, outputs);
        places.push((w_at, b_at));
    }
    let buffer = sums.upload(gpu, "gradients");
    let stride = if count > 1 { places[1].0 - places[0].0 } else { buffer.len() };
    let slices = GradientSlicesView { buffer: &buffer, count, stride };
    let layer = LinearParameterGradientArgs {
        rows,
        inputs,
        outputs,
        x: x_at,
        dy: dy_at,
        weight: places[0].0,
        bias: Some(places[0].1),
        accumulate,
    };
    run(gpu, |recorder| linear_parameter_gradient(recorder, &values, &slices, &[layer], tile));
    let found = sums.read(gpu, &buffer, &case);
    for (s, (w_at, b_at)) in places.into_iter().enumerate() {
        let start = (s * slices.rows(rows)).min(rows);
        let end = (start + slices.rows(rows)).min(rows);
        let with_before = |(sum, size): (f64, f64), before: f32| {
            let before = if accumulate { f64::from(before) } else { 0.0 };
            (sum + before, TOLERANCE * (size + before.abs()))
        };
        let weights: Vec<(f64, f64)> = (0..inputs * outputs)
            .map(|i| {
                let (row, column) = (i / outputs, i % outputs);
                let found = sum_of(end - start, |r| {
                    (x[(start + r) * inputs + row], dy[(start + r) * outputs + column])
                });
                with_before(found, before[i])
            })
            .collect();
        assert_close(&case, &found[w_at..w_at + inputs * outputs], &weights);
        let bias: Vec<(f64, f64)> = (0..outputs)
            .map(|column| {
                let found = sum_of(end - start, |r| (1.0, dy[(start + r) * outputs + column]));
                with_before(found, before[inputs * outputs + column])
            })
            .collect();
        assert_close(&case, &found[b_at..b_at + outputs], &bias);
    }
}

#[test]
fn the_gradients_of_a_layers_parameters_are_sums_over_the_rows_of_a_slice() {
    let gpu = adapter::gpu();
    for shape in SHAPES {
        check_parameter_gradient(gpu, shape, None, 3, 0, false);
    }
    for shape in BY_FOURS {
        check_parameter_gradient(gpu, shape, None, 1, 1, false);
        check_parameter_gradient(gpu, shape, None, 2, 0, true);
    }
    // There are more slices than rows: the last slices are empty.
    check_parameter_gradient(gpu, [5, 4, 64], None, 9, 0, false);
    for tile in forced() {
        for shape in SHAPES.into_iter().chain([[40, 260, 132]]) {
            check_parameter_gradient(gpu, shape, tile, 2, 0, false);
        }
    }
}

#[test]
fn a_layer_without_inputs_is_its_bias() {
    check_forward(adapter::gpu(), [3, 0, 5], None, 0, true, None);
}

//! Tests of layer norm, root-mean-square norm, their gradients and column sums against formulas in f64. The norms are
//! tested alone and in the epilogue of a linear layer. Also tests of WGSL functions that kernels share.
//!
//! The tolerance is 2e-6 of the magnitude of the normalized values. The deviation of a test row is not far below the
//! magnitude of its values; otherwise the norm would amplify rounding errors.

use crate::adapter;
use crate::numbers::{LinearOperands, OperandBuffer, assert_close, numbers, run};
use vivarium_gpu::math_wgsl;
use vivarium_gpu::ops::{
    ColumnSumsArgs, GradientSlicesView, NormArgs, NormGradientArgs, OperandEpilogue, RowSums, column_sums,
    linear, norm, norm_gradient,
};
use vivarium_gpu::{Gpu, Shader, floats};
use vivarium_kernels::Activation;
use vivarium_kernels::epilogue::{EpilogueActivation, NORM_EPSILON, Norm};

/// Tested `[rows, columns]`: a single number, rows shorter than a vector, widths that are no power of two, and rows
/// wider than a workgroup.
const SHAPES: [[usize; 2]; 9] =
    [[1, 1], [3, 2], [5, 7], [9, 64], [33, 100], [64, 128], [2, 300], [7, 1030], [300, 8]];

/// Returns the methods of summing a row in a norm kernel that the adapter supports.
fn forms(gpu: &Gpu) -> Vec<RowSums> {
    let subgroups = gpu.adapter_info().subgroups.then_some(RowSums::Subgroup);
    [Some(RowSums::Memory), subgroups].into_iter().flatten().collect()
}

/// Tested kinds of norm: layer norm with and without shift, and root-mean-square norm.
const NORMS: [Norm<()>; 3] = [
    Norm::Layer { scale: (), shift: Some(()) },
    Norm::Layer { scale: (), shift: None },
    Norm::Rms { scale: () },
];

/// Returns the norm of the kind `kind` whose scale and shift have the given word offsets. The offset of a shift that
/// the kind lacks is ignored.
fn with_parameters(kind: Norm<()>, [scale, shift]: [usize; 2]) -> Norm<usize> {
    match kind {
        Norm::Layer { shift: has_shift, .. } => Norm::Layer { scale, shift: has_shift.map(|()| shift) },
        Norm::Rms { .. } => Norm::Rms { scale },
    }
}

/// Returns mean and 1/√(variance + ε) of a row, in f64. For a root-mean-square norm, the mean is replaced by 0.
fn statistics(kind: Norm<()>, row: &[f64]) -> (f64, f64) {
    let n = row.len() as f64;
    let mean = if kind.is_centered() { row.iter().sum::<f64>() / n } else { 0.0 };
    let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    (mean, 1.0 / (variance + f64::from(NORM_EPSILON)).sqrt())
}

/// Returns, for each element of a row x, the expected result activation((x − mean)/σ·scale + shift + residual) and its
/// absolute tolerance.
fn normed(
    kind: Norm<()>,
    x: &[f64],
    [scale, shift]: [&[f32]; 2],
    residual: Option<&[f32]>,
    activation: Option<Activation>,
) -> Vec<(f64, f64)> {
    let (mean, inverse) = statistics(kind, x);
    (0..x.len())
        .map(|j| {
            let added = kind.shift().map_or(0.0, |()| f64::from(shift[j]))
                + residual.map_or(0.0, |residual| f64::from(residual[j]));
            let value = (x[j] - mean) * inverse * f64::from(scale[j]) + added;
            // The error of the mean is multiplied by 1/σ.
            let tolerance = 2e-6 * (1.0 + inverse + value.abs());
            (activation.map_or(value, |activation| activation.reference(value)), tolerance)
        })
        .collect()
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}

fn check_forward(
    gpu: &Gpu,
    kind: Norm<()>,
    [rows, width]: [usize; 2],
    form: RowSums,
    activation: Option<Activation>,
    in_place: bool,
) {
    let case = format!("{kind:?}, {rows} rows of {width}, {form:?}, {activation:?}, in place: {in_place}");
    let with_residual = activation.is_some();
    // The rows have a mean far from zero.
    let x: Vec<f32> = numbers(1, rows * width).iter().map(|x| x + 3.0).collect();
    let residual = numbers(2, rows * width);
    let (scale, shift) = (numbers(3, width), numbers(4, width));
    let (mut arena, mut parameters) = (OperandBuffer::default(), OperandBuffer::default());
    let x_at = arena.place(&x, 1);
    let residual_at = arena.place(&residual, 2);
    let y_at = if in_place { x_at } else { arena.reserve(rows * width, 3) };
    arena.may_change(y_at, rows * width);
    let places = [parameters.place(&scale, 0), parameters.place(&shift, 1)];
    let (values, learned) = (arena.upload(gpu, "arena"), parameters.upload(gpu, "parameters"));
    let residual_at = with_residual.then_some(residual_at);
    let last = activation.map_or(EpilogueActivation::None, EpilogueActivation::Forward);
    let layer = NormArgs {
        rows,
        width,
        x: x_at,
        y: y_at,
        norm: with_parameters(kind, places),
        residual: residual_at,
        activation: last,
    };
    run(gpu, |recorder| norm(recorder, &values, &learned, &layer, Some(form)));
    let found = arena.read(gpu, &values, &case);
    for row in 0..rows {
        let of = row * width..(row + 1) * width;
        let added = with_residual.then_some(&residual[of.clone()]);
        let expected = normed(kind, &wide(&x[of.clone()]), [&scale, &shift], added, activation);
        assert_close(&format!("{case}, row {row}"), &found[y_at..][of], &expected);
    }
}

#[test]
fn a_norm_takes_each_row_to_deviation_one() {
    let gpu = adapter::gpu();
    for (kind, form) in
        NORMS.into_iter().flat_map(|kind| forms(gpu).into_iter().map(move |form| (kind, form)))
    {
        for shape in SHAPES {
            check_forward(gpu, kind, shape, form, None, false);
        }
        check_forward(gpu, kind, [33, 100], form, Some(Activation::Tanh), true);
        for &activation in Activation::ALL {
            check_forward(gpu, kind, [9, 64], form, Some(activation), false);
        }
    }
}

/// Function that returns the contribution of one row to the gradient of a norm's scale or shift in one column. The
/// arguments are the normalized row x̂, the output gradient dy and the column.
type Term<'a> = &'a dyn Fn(&[f64], &[f64], usize) -> f64;

fn check_gradient(
    gpu: &Gpu,
    kind: Norm<()>,
    [rows, width]: [usize; 2],
    form: RowSums,
    count: usize,
    accumulate: bool,
) {
    let case = format!("{kind:?}, {rows} rows of {width}, {form:?}, in {count}, on top: {accumulate}");
    let (x, dy) = (numbers(1, rows * width), numbers(2, rows * width));
    let (scale, before) = (numbers(3, width), numbers(4, 2 * width));
    let (mut arena, mut parameters, mut sums) =
        (OperandBuffer::default(), OperandBuffer::default(), OperandBuffer::default());
    let (x_at, dy_at) = (arena.place(&x, 0), arena.place(&dy, 3));
    let dx_at = arena.reserve(rows * width, 1);
    let offsets = [parameters.place(&scale, 0), parameters.place(&before[width..], 0)];
    let places: Vec<[usize; 2]> = (0..count)
        .map(|_| {
            let (scale, shift) = (sums.place(&before[..width], 0), sums.place(&before[width..], 0));
            sums.may_change(scale, width);
            if kind.shift().is_some() {
                sums.may_change(shift, width);
            }
            [scale, shift]
        })
        .collect();
    let (values, learned) = (arena.upload(gpu, "arena"), parameters.upload(gpu, "parameters"));
    let gradients = sums.upload(gpu, "gradients");
    // Scale and shift have the same offsets in the parameters and in a slice.
    assert_eq!(offsets, places[0], "both layouts begin alike");
    let stride = if count > 1 { places[1][0] - places[0][0] } else { gradients.len() };
    let slices = GradientSlicesView { buffer: &gradients, count, stride };
    let norm = with_parameters(kind, offsets);
    let layer = NormGradientArgs { rows, width, x: x_at, dy: dy_at, dx: dx_at, norm, accumulate };
    run(gpu, |recorder| norm_gradient(recorder, &values, &learned, &slices, &layer, Some(form)));

    let found = arena.read(gpu, &values, &case);
    let sums_found = sums.read(gpu, &gradients, &case);
    let mut kept = Vec::new();
    for row in 0..rows {
        let of = row * width..(row + 1) * width;
        let (x, dy) = (wide(&x[of.clone()]), wide(&dy[of.clone()]));
        let (mean, inverse) = statistics(kind, &x);
        let hat: Vec<f64> = x.iter().map(|x| (x - mean) * inverse).collect();
        let g: Vec<f64> = dy.iter().zip(&scale).map(|(dy, &scale)| dy * f64::from(scale)).collect();
        let mean_g = if kind.is_centered() { g.iter().sum::<f64>() / width as f64 } else { 0.0 };
        let mean_gx = g.iter().zip(&hat).map(|(g, hat)| g * hat).sum::<f64>() / width as f64;
        let expected: Vec<(f64, f64)> = (0..width)
            .map(|j| {
                let size = g[j].abs() + mean_g.abs() + (hat[j] * mean_gx).abs() + 1.0;
                ((g[j] - mean_g - hat[j] * mean_gx) * inverse, 2e-6 * size * inverse * (1.0 + inverse))
            })
            .collect();
        assert_close(&format!("{case}, row {row}"), &found[dx_at..][of], &expected);
        kept.push((hat, dy, inverse));
    }
    for (s, &[scale_at, shift_at]) in places.iter().enumerate() {
        let each = slices.rows(rows);
        let of = &kept[(s * each).min(rows)..((s + 1) * each).min(rows)];
        let expected = |before: &[f32], value: Term| -> Vec<(f64, f64)> {
            (0..width)
                .map(|j| {
                    let start = if accumulate { f64::from(before[j]) } else { 0.0 };
                    let sum: f64 = of.iter().map(|(hat, dy, _)| value(hat, dy, j)).sum();
                    let size: f64 = of.iter().map(|(_, _, inverse)| 1.0 + inverse).sum();
                    (start + sum, 2e-6 * (1.0 + size))
                })
                .collect()
        };
        let of_scale = expected(&before[..width], &|hat, dy, j| hat[j] * dy[j]);
        assert_close(&format!("{case}, scale"), &sums_found[scale_at..][..width], &of_scale);
        if kind.shift().is_some() {
            let of_shift = expected(&before[width..], &|_, dy, j| dy[j]);
            assert_close(&format!("{case}, shift"), &sums_found[shift_at..][..width], &of_shift);
        }
    }
}

#[test]
fn the_gradient_of_a_norm_is_that_of_its_formula() {
    let gpu = adapter::gpu();
    for (kind, form) in
        NORMS.into_iter().flat_map(|kind| forms(gpu).into_iter().map(move |form| (kind, form)))
    {
        for shape in SHAPES {
            check_gradient(gpu, kind, shape, form, 1, false);
        }
        check_gradient(gpu, kind, [33, 100], form, 4, true);
        check_gradient(gpu, kind, [3, 2], form, 5, false);
    }
}

#[test]
fn a_parameters_gradient_is_the_column_sums_of_each_slice() {
    let gpu = adapter::gpu();
    for ([rows, width], count) in [([1, 1], 1), ([700, 3], 2), ([37, 130], 4), ([2, 64], 3)] {
        let dy = numbers(1, rows * width);
        let (mut arena, mut sums) = (OperandBuffer::default(), OperandBuffer::default());
        let dy_at = arena.place(&dy, 1);
        let places: Vec<usize> = (0..count).map(|_| sums.reserve(width, 2)).collect();
        let (values, gradients) = (arena.upload(gpu, "arena"), sums.upload(gpu, "gradients"));
        let stride = if count > 1 { places[1] - places[0] } else { gradients.len() };
        let slices = GradientSlicesView { buffer: &gradients, count, stride };
        let columns = ColumnSumsArgs { rows, width, dy: dy_at, parameter: places[0], accumulate: false };
        run(gpu, |recorder| column_sums(recorder, &values, &slices, &columns));
        let found = sums.read(gpu, &gradients, "column sums");
        for (s, &place) in places.iter().enumerate() {
            let each = slices.rows(rows);
            let of = (s * each).min(rows)..((s + 1) * each).min(rows);
            let expected: Vec<(f64, f64)> = (0..width)
                .map(|j| {
                    let column = || of.clone().map(|row| f64::from(dy[row * width + j]));
                    (column().sum(), 1e-6 * column().map(f64::abs).sum::<f64>())
                })
                .collect();
            assert_close(
                &format!("slice {s} of {rows} rows of {width}"),
                &found[place..][..width],
                &expected,
            );
        }
    }
}

fn check_fused(
    gpu: &Gpu,
    kind: Norm<()>,
    [rows, inputs, outputs]: [usize; 3],
    rest: usize,
    residual: bool,
    activation: Option<Activation>,
) {
    let case = format!(
        "{kind:?}, {rows} rows, {inputs} to {outputs} at {rest}, residual: {residual}, {activation:?}"
    );
    let operands = LinearOperands::place([rows, inputs, outputs], rest);
    let LinearOperands { mut arena, mut parameters, mut layer, x, weight, bias, residual: added } = operands;
    let (scale, shift) = (numbers(5, outputs), numbers(6, outputs));
    let norm = with_parameters(kind, [&scale, &shift].map(|values| parameters.place(values, rest)));
    layer.epilogue = OperandEpilogue {
        norm: Some(norm),
        residual: layer.epilogue.residual.filter(|_| residual),
        activation: activation.map_or(EpilogueActivation::None, EpilogueActivation::Forward),
    };
    let (values, learned) = (arena.upload(gpu, "arena"), parameters.upload(gpu, "parameters"));
    run(gpu, |recorder| linear(recorder, &values, &learned, &[layer], None));
    let found = arena.read(gpu, &values, &case);
    for row in 0..rows {
        let product: Vec<f64> = (0..outputs)
            .map(|j| {
                let product = |k| f64::from(x[row * inputs + k]) * f64::from(weight[k * outputs + j]);
                (0..inputs).map(product).sum::<f64>() + f64::from(bias[j])
            })
            .collect();
        let of = row * outputs..(row + 1) * outputs;
        let mut expected =
            normed(kind, &product, [&scale, &shift], residual.then_some(&added[of.clone()]), activation);
        // The error of the product is also divided by the deviation.
        let size = product.iter().fold(1.0, |size: f64, value| size.max(value.abs()));
        expected.iter_mut().for_each(|(_, tolerance)| *tolerance *= size);
        assert_close(&format!("{case}, row {row}"), &found[layer.y..][of], &expected);
    }
}

#[test]
fn a_linear_layer_with_a_norm_is_one_after_the_other() {
    let gpu = adapter::gpu();
    for kind in NORMS {
        for shape in
            [[1, 1, 1], [5, 3, 2], [33, 20, 16], [70, 64, 64], [40, 128, 128], [17, 8, 256], [9, 30, 100]]
        {
            check_fused(gpu, kind, shape, 0, true, Some(Activation::Relu));
        }
        // So few inputs that the sums of the rows take more workgroup memory than the operands.
        for shape in [[33, 4, 128], [40, 2, 64], [70, 3, 32]] {
            check_fused(gpu, kind, shape, 0, true, Some(Activation::Relu));
        }
        check_fused(gpu, kind, [33, 20, 16], 1, false, Some(Activation::Tanh));
        // The rows are too wide for a workgroup and take two kernels.
        check_fused(gpu, kind, [9, 12, 260], 0, true, Some(Activation::Gelu));
        check_fused(gpu, kind, [9, 12, 301], 2, false, None);
    }
}

/// Evaluates a WGSL expression on the device. The expression contains `x`, a `vec4<f32>` of four successive values of
/// the slice. Returns one result for each value.
fn evaluate(gpu: &Gpu, expression: &str, x: &[f32]) -> Vec<f32> {
    let text = "var<storage, read_write> numbers: array<vec4<f32>>;
fn each(i: u32) {
    let x = numbers[i];
    numbers[i] = $EXPRESSION;
}";
    let buffer = gpu.upload("numbers", x).unwrap();
    let shader = Shader::new("evaluate", &[math_wgsl(), text]).constants([("EXPRESSION", expression)]);
    run(gpu, |recorder| shader.buffers([("numbers", &buffer)]).record_each(recorder, x.len().div_ceil(4)));
    floats(&gpu.read_blocking(&buffer, 0..x.len()).unwrap()).to_vec()
}

#[test]
fn tanh_and_exp_are_within_their_error_bounds() {
    let gpu = adapter::gpu();
    let mut x: Vec<f32> = (-4000..4000).map(|i| i as f32 * 0.0251).collect();
    x.extend([
        0.0, -0.0, 1e-30, -1e-8, 7.9999, 8.0, 8.0001, 88.0, 88.7, -87.3, -87.4, 1e10, -1e10, 3e38, -3e38,
    ]);
    x.extend([f32::INFINITY, f32::NEG_INFINITY]);
    x.resize(x.len().next_multiple_of(4), 1.0);
    let tanh: Vec<(f64, f64)> = x.iter().map(|&x| (f64::from(x).tanh(), 5e-7)).collect();
    let found = evaluate(gpu, "safe_tanh4(x)", &x);
    assert_close("tanh", &found, &tanh);
    assert!(found.iter().all(|y| y.abs() <= 1.0));
    for (&x, y) in x.iter().zip(evaluate(gpu, "safe_exp4(x)", &x)) {
        let expected = f64::from(x).exp();
        if expected > f64::from(f32::MAX) {
            assert_eq!(y, f32::INFINITY, "e^{x}");
        } else {
            let tolerance = if x < -87.3 { 2e-38 } else { 4e-7 * expected };
            assert!((f64::from(y) - expected).abs() <= tolerance, "e^{x} is {y}, should be {expected}");
        }
    }
    for function in ["safe_tanh4", "safe_exp4", "activate_gelu4", "activate_relu4"] {
        let found = evaluate(gpu, &format!("{function}(x)"), &[f32::NAN, 0.0, -1.0, f32::NAN]);
        let nan: Vec<bool> = found.iter().map(|y| y.is_nan()).collect();
        assert_eq!(nan, [true, false, false, true], "{function}: {found:?}");
    }
}

//! Compares the kernels of layers with the CPU's scalar reference.

use vivarium_kernels::epilogue::{EpilogueActivation, NORM_EPSILON, Norm};
use vivarium_kernels::{Activation, layernorm, reference};

use super::plan::numbers;
use super::result::CheckResult;
use crate::builder::Shader;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::math::math_wgsl;
use crate::ops::{
    GradientSlicesView, LinearArgs, LinearInputGradientArgs, LinearParameterGradientArgs, NormArgs,
    NormGradientArgs, OperandEpilogue, Tile, linear, linear_input_gradient, linear_parameter_gradient, norm,
    norm_gradient,
};
use crate::program::GpuRecorder;
use crate::readback::floats;

/// Maximum allowed difference between device and CPU for sums of some dozens of products of numbers below 1.
const TOLERANCE: f32 = 2e-5;

/// Contents of a test buffer (arena or parameters) of the self-check: the operands and results of the kernels, each at
/// a multiple of four words.
#[derive(Default)]
struct OperandWords(Vec<f32>);

impl OperandWords {
    fn place(&mut self, values: &[f32]) -> usize {
        let start = self.0.len().next_multiple_of(4);
        self.0.resize(start, 0.0);
        self.0.extend_from_slice(values);
        start
    }
}

pub(super) async fn check(gpu: &Gpu) -> Result<Vec<CheckResult>, GpuError> {
    // More than one large tile in both dimensions, with partial tiles.
    let [rows, inputs, outputs] = [130, 20, 132];
    let [x, dy] = [inputs, outputs].map(|width| numbers(width as u32, rows * width));
    let w = numbers(1, inputs * outputs);
    let [b, gain, shift] = [2, 3, 4].map(|stream| numbers(stream, outputs));
    let arguments: Vec<f32> = numbers(5, 64).iter().map(|x| 10.0 * x).collect();

    let (mut arena, mut parameters) = (OperandWords::default(), OperandWords::default());
    let [x_at, dy_at, arguments_at] = [&x, &dy, &arguments].map(|values| arena.place(values));
    // NaN, so that results that are not written fail the comparison.
    let mut reserve = |len: usize| arena.place(&vec![f32::NAN; len]);
    let [y, large, normed, dnormed] = [0; 4].map(|_| reserve(rows * outputs));
    let (dx, elements) = (reserve(rows * inputs), reserve(2 * arguments.len()));
    let [weight, bias] = [&w, &b].map(|values| parameters.place(values));
    let [scale_at, shift_at] = [&gain, &shift].map(|values| parameters.place(values));
    let layer_norm = Norm::Layer { scale: scale_at, shift: Some(shift_at) };

    let values = gpu.upload("the self-check's values", &arena.0)?;
    let learned = gpu.upload("the self-check's parameters", &parameters.0)?;
    let sums = gpu.zeros("the self-check's gradients", parameters.0.len())?;
    let slices = GradientSlicesView { buffer: &sums, count: 1, stride: parameters.0.len() };
    let mut recorder = GpuRecorder::new(gpu);
    let rec = &mut recorder;
    let activation = Activation::Tanh;
    let layer = LinearArgs {
        rows,
        inputs,
        outputs,
        x: x_at,
        y,
        weight,
        bias: Some(bias),
        epilogue: OperandEpilogue {
            activation: EpilogueActivation::Forward(activation),
            ..OperandEpilogue::default()
        },
    };
    linear(rec, &values, &learned, &[layer], None)?;
    // Not in a browser: there the largest tile compiles more slowly than all other kernels, and no product uses it.
    let with_large = cfg!(not(target_arch = "wasm32"));
    if with_large {
        linear(rec, &values, &learned, &[LinearArgs { y: large, ..layer }], Some(Tile::LARGE))?;
    }
    let back = LinearInputGradientArgs {
        rows,
        inputs,
        outputs,
        dy: dy_at,
        dx,
        weight,
        ..LinearInputGradientArgs::default()
    };
    linear_input_gradient(rec, &values, &learned, &[back], None)?;
    let back = LinearParameterGradientArgs {
        rows,
        inputs,
        outputs,
        x: x_at,
        dy: dy_at,
        weight,
        bias: Some(bias),
        accumulate: false,
    };
    linear_parameter_gradient(rec, &values, &slices, &[back], None)?;
    let after = NormArgs {
        rows,
        width: outputs,
        x: dy_at,
        y: normed,
        norm: layer_norm,
        residual: None,
        activation: EpilogueActivation::None,
    };
    norm(rec, &values, &learned, &after, None)?;
    // dy is used as the norm's input and as the gradient of its output.
    let back = NormGradientArgs {
        rows,
        width: outputs,
        x: dy_at,
        dy: dy_at,
        dx: dnormed,
        norm: layer_norm,
        accumulate: false,
    };
    norm_gradient(rec, &values, &learned, &slices, &back, None)?;
    Shader::own("elements", &[math_wgsl(), crate::shader!("elements.wgsl")])
        .buffers([("arena", &values)])
        .uniforms([("from_word", arguments_at), ("to_word", elements)])
        .record_each(rec, arguments.len())?;
    let program = recorder.finish()?;
    gpu.submit(|encoder| encoder.run(&program))?;

    let found = gpu.read(&values, 0..arena.0.len()).await?;
    let found_sums = gpu.read(&sums, 0..parameters.0.len()).await?;
    let of = |start: usize, len: usize| &floats(&found)[start..start + len];
    let sum_of = |start: usize, len: usize| &floats(&found_sums)[start..start + len];

    let mut expected = b.repeat(rows);
    reference::gemm(rows, inputs, outputs, &x, &w, &mut expected, 1.0);
    expected.iter_mut().for_each(|y| *y = activation.reference((*y).into()) as f32);
    let found_y = of(y, rows * outputs);
    let mut checked = vec![CheckResult::compare("a linear layer", found_y, &expected, TOLERANCE)];
    if with_large {
        let found_y = of(large, rows * outputs);
        checked.push(CheckResult::compare("a layer in the largest tile", found_y, &expected, TOLERANCE));
    }
    let transposed: Vec<f32> = (0..inputs * outputs).map(|i| w[i % inputs * outputs + i / inputs]).collect();
    let mut expected = vec![0.0; rows * inputs];
    reference::gemm(rows, outputs, inputs, &dy, &transposed, &mut expected, 0.0);
    let found_dx = of(dx, rows * inputs);
    checked.push(CheckResult::compare("the gradient of a layer's input", found_dx, &expected, TOLERANCE));
    let mut expected = vec![0.0; inputs * outputs];
    reference::gemm_tn(rows, inputs, outputs, &x, &dy, &mut expected);
    let found_dw = sum_of(weight, inputs * outputs);
    checked.push(CheckResult::compare("the gradient of a layer's weight", found_dw, &expected, TOLERANCE));
    let mut expected = vec![0.0; outputs];
    reference::gemm_tn(rows, 1, outputs, &vec![1.0; rows], &dy, &mut expected);
    let found_db = sum_of(bias, outputs);
    checked.push(CheckResult::compare("the gradient of a layer's bias", found_db, &expected, TOLERANCE));

    let of_norm = layernorm::LayerNorm { gain: &gain, shift: Some(&shift), epsilon: NORM_EPSILON };
    let (mut y, mut dx) = (vec![0.0; rows * outputs], vec![0.0; rows * outputs]);
    let (mut dgain, mut dshift) = (vec![0.0; outputs], vec![0.0; outputs]);
    for row in (0..rows).map(|row| row * outputs..(row + 1) * outputs) {
        let x = &dy[row.clone()];
        let (mean, inverse) = reference::layer_norm_row(x, &of_norm, &mut y[row.clone()]);
        let dx = &mut dx[row.clone()];
        reference::layer_norm_backward_row(x, mean, inverse, &gain, x, dx, &mut dgain, &mut dshift);
    }
    let [found_y, found_dx] = [normed, dnormed].map(|start| of(start, rows * outputs));
    let [found_gain, found_shift] = [scale_at, shift_at].map(|start| sum_of(start, outputs));
    let both = [dgain, dshift].concat();
    checked.extend([
        CheckResult::compare("a layer norm", found_y, &y, TOLERANCE),
        CheckResult::compare("the gradient of a layer norm", found_dx, &dx, TOLERANCE),
        CheckResult::compare(
            "the gradient of a layer norm's parameters",
            &[found_gain, found_shift].concat(),
            &both,
            TOLERANCE,
        ),
    ]);

    let count = arguments.len();
    let tanh: Vec<f32> = arguments.iter().map(|&x| f64::from(x).tanh() as f32).collect();
    let exp: Vec<f32> = arguments.iter().map(|&x| f64::from(x).exp() as f32).collect();
    checked.push(CheckResult::compare("the hyperbolic tangent", of(elements, count), &tanh, 1e-6));
    checked.push(CheckResult::compare("the exponential", of(elements + count, count), &exp, 1e-6));
    Ok(checked)
}

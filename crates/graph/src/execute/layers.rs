//! Layers with parameters, through the kernels.

use vivarium_kernels::embedding as kernels;
use vivarium_kernels::layernorm::{self, LayerNorm, LayerNormGradient};
use vivarium_kernels::{Activation, activation, gemm, reduce};

use crate::execute::Call;
use crate::graph::ParameterId;
use crate::op::LAYER_NORM_EPSILON;
use crate::plan::Norm;

/// activation(norm(x·W + b) + residual).
pub(crate) fn linear(
    call: &Call<'_>,
    weight: ParameterId,
    bias: Option<ParameterId>,
    norm: Option<Norm>,
    activation: Activation,
    result: &mut [f32],
) {
    let level = call.run.level;
    let k = call.width(0);
    let [packed, others @ ..] = call.run.packed.forward(weight) else { return };
    let bias = bias.map(|bias| call.parameter(bias));
    let lines = call.lines();
    match call.run.sparse {
        Some(rows) if call.is_sparse(0) => {
            gemm::gemm_sparse_rows(level, rows, call.input_rows(), packed, bias, result, packed.n());
        }
        None if call.is_sparse(0) => {
            gemm::gemm_sparse(level, lines, call.operand(0), k, packed, bias, result, packed.n());
        }
        _ => match bias {
            Some(bias) => {
                gemm::gemm_bias(level, lines, call.operand(0), k, packed, bias, result, packed.n());
            }
            None => gemm::gemm(level, lines, call.operand(0), k, packed, result, packed.n(), 0.0),
        },
    }
    let mut first = packed.k();
    for chunk in others {
        gemm::gemm(level, lines, &call.operand(0)[first..], k, chunk, result, chunk.n(), 1.0);
        first += chunk.k();
    }
    let residual = (call.step.operands.len() > 1).then(|| call.operand(1));
    match norm {
        Some(norm) => layernorm::forward(level, result, &layer_norm_of(call, norm), residual, activation),
        None => {
            if let Some(residual) = residual {
                reduce::add(level, residual, result);
            }
            activation::forward(level, activation, result);
        }
    }
}

/// activation(norm(x) + residual).
pub(crate) fn layer_norm(call: &Call<'_>, norm: Norm, activation: Activation, result: &mut [f32]) {
    result.copy_from_slice(call.operand(0));
    let residual = (call.step.operands.len() > 1).then(|| call.operand(1));
    layernorm::forward(call.run.level, result, &layer_norm_of(call, norm), residual, activation);
}

/// y = x·Wᵀ.
pub(crate) fn linear_transposed(call: &Call<'_>, weight: ParameterId, result: &mut [f32]) {
    let (lines, n) = (call.lines(), call.width(0));
    let k = result.len() / lines;
    let mut first = 0;
    for chunk in call.run.packed.transposed(weight) {
        gemm::gemm(call.run.level, lines, call.operand(0), n, chunk, &mut result[first..], k, 0.0);
        first += chunk.n();
    }
}

/// dW += xᵀ·dy, db += the column sums of dy.
pub(crate) fn linear_parameter_gradient(
    call: &Call<'_>,
    weight: ParameterId,
    bias: Option<ParameterId>,
    gradients: &mut [f32],
) {
    let specs = call.run.plan.parameters();
    let (k, n) = (call.width(0), call.width(1));
    let (x, dy) = (call.operand(0), call.operand(1));
    let level = call.run.level;
    let dw = &mut gradients[specs[weight.0].range()];
    if call.is_sparse(0) {
        gemm::gemm_tn_sparse(level, call.lines(), k, n, x, k, dy, n, dw);
    } else {
        gemm::gemm_tn(level, call.lines(), k, n, x, k, dy, n, dw);
    }
    if let Some(bias) = bias {
        reduce::add_columns(level, call.lines(), n, dy, n, &mut gradients[specs[bias.0].range()]);
    }
}

/// The sums of the rows that indices pick.
pub(crate) fn embedding(call: &Call<'_>, table: ParameterId, result: &mut [f32]) {
    let spec = &call.run.plan.parameters()[table.0];
    kernels::embedding(
        call.run.level,
        call.width(0),
        spec.dims[1],
        call.operand(0),
        call.parameter(table),
        result,
    );
}

/// Adds dy to the gradients of the rows that indices pick.
pub(crate) fn embedding_gradient(call: &Call<'_>, table: ParameterId, gradients: &mut [f32]) {
    let spec = &call.run.plan.parameters()[table.0];
    let (indices, dy) = (call.operand(0), call.operand(1));
    let dtable = &mut gradients[spec.range()];
    kernels::embedding_gradient(call.run.level, call.width(0), spec.dims[1], indices, dy, dtable);
}

/// Adds the sum of dy over the rows.
pub(crate) fn parameter_gradient(call: &Call<'_>, id: ParameterId, gradients: &mut [f32]) {
    let n = call.step.operands[0].shape.size();
    let range = call.run.plan.parameters()[id.0].range();
    let rows = call.reader.chunk.rows;
    reduce::add_columns(call.run.level, rows, n, call.operand(0), n, &mut gradients[range]);
}

/// The gradient of a layer norm from its argument.
pub(crate) fn layer_norm_gradient(
    call: &Call<'_>,
    scale: ParameterId,
    shift: ParameterId,
    result: &mut [f32],
    gradients: &mut [f32],
) {
    let specs = call.run.plan.parameters();
    let level = call.run.level;
    // The two gradients lie in one buffer, in either order.
    let [(low, low_range), (high, high_range)] = {
        let mut both = [(scale, specs[scale.0].range()), (shift, specs[shift.0].range())];
        both.sort_by_key(|(_, range)| range.start);
        both
    };
    debug_assert!(low != high, "a layer norm has two parameters");
    let (front, back) = gradients.split_at_mut(high_range.start);
    let (first, second) = (&mut front[low_range], &mut back[..high_range.len()]);
    let (gain, shift_gradient) = if low == scale { (first, second) } else { (second, first) };
    let norm = layer_norm_of(call, Norm { scale, shift });
    let (x, dy) = (call.operand(0), call.operand(1));
    let gradient = LayerNormGradient { gain, shift: shift_gradient };
    layernorm::backward(level, x, &norm, dy, result, gradient);
}

/// A norm's parameters as the kernels want them.
fn layer_norm_of<'a>(call: &'a Call<'_>, norm: Norm) -> LayerNorm<'a> {
    LayerNorm {
        gain: call.parameter(norm.scale),
        shift: call.parameter(norm.shift),
        epsilon: LAYER_NORM_EPSILON,
    }
}

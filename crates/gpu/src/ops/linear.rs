//! Linear layers and the gradients of their parameters.

use vivarium_graph::{Activation, GradientOp, Op, ParameterId, PlanStep};

use super::layer_norm::{LayerNormArgs, layer_norm};
use super::product::{ProductKind, ProductShader, ProductUniforms, Tile, record};
use crate::emit::LayerRecorder;
use crate::operand::{GradientSlicesView, NormOffsets, are_multiples_of_4, check_bounds};
use crate::{Buffer, GpuError, GpuRecorder};

/// Operands of [`linear`]: y = activation(norm(x·W + b) + residual). Offsets of x, y and the residual are in the arena,
/// all other offsets are in the parameter buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearArgs {
    /// Number of rows of x and y.
    pub rows: usize,
    /// Number of columns of x.
    pub inputs: usize,
    /// Number of columns of y.
    pub outputs: usize,
    /// Word offset of x, \[rows, inputs\].
    pub x: usize,
    /// Word offset of y, \[rows, outputs\]; may overwrite the residual, but not x.
    pub y: usize,
    /// Word offset of W, \[inputs, outputs\].
    pub weight: usize,
    /// Word offset of b, \[outputs\].
    pub bias: Option<usize>,
    /// Offsets of the parameters of a layer norm after the bias, if there is a layer norm.
    pub norm: Option<NormOffsets>,
    /// Word offset of the residual, which is added after the norm, \[rows, outputs\].
    pub residual: Option<usize>,
    /// Activation, applied last.
    pub activation: Activation,
}

/// Operands of [`linear_parameter_gradient`]: dW = xᵀ·dy, and db = the column sums of dy. Offsets of x and dy are in
/// the arena, offsets of dW and db are in each gradient slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearParameterGradientArgs {
    /// Number of rows of x and dy.
    pub rows: usize,
    /// Number of columns of x.
    pub inputs: usize,
    /// Number of columns of dy.
    pub outputs: usize,
    /// Word offset of x, \[rows, inputs\].
    pub x: usize,
    /// Word offset of dy, \[rows, outputs\].
    pub dy: usize,
    /// Word offset of dW, \[inputs, outputs\].
    pub weight: usize,
    /// Word offset of db, \[outputs\].
    pub bias: Option<usize>,
    /// Whether the kernel adds to the gradient slices instead of overwriting them: for a parameter that is used twice.
    pub accumulate: bool,
}

/// Records independent linear layers in as few dispatches as their shapes allow. A layer with a norm over more than 256
/// outputs takes two dispatches. A tile of `None` selects the tile by the shape of the product.
///
/// # Errors
/// [`GpuError`] if a kernel does not compile.
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn linear(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    parameters: &Buffer,
    layers: &[LinearArgs],
    tile: Option<Tile>,
) -> Result<(), GpuError> {
    let mut parts = Vec::with_capacity(layers.len());
    let mut norms = Vec::new();
    for layer in layers.iter().filter(|layer| layer.rows > 0 && layer.outputs > 0) {
        let too_wide = layer.norm.filter(|_| Tile::whole_rows(layer.outputs, layer.inputs).is_none());
        let Some(norm) = too_wide else {
            parts.push(forward(arena, parameters, layer, tile));
            continue;
        };
        let plain = LinearArgs { norm: None, residual: None, activation: Activation::None, ..*layer };
        parts.push(forward(arena, parameters, &plain, tile));
        let LinearArgs { rows, outputs, y, residual, activation, .. } = *layer;
        norms.push(LayerNormArgs { rows, width: outputs, x: y, y, norm, residual, activation });
    }
    record(recorder, "linear", [arena, parameters], parts, 1)?;
    norms.iter().try_for_each(|norm| layer_norm(recorder, arena, parameters, norm, None))
}

/// Returns a linear layer as one matrix product. If the layer has a norm, each workgroup computes whole rows.
fn forward(
    arena: &Buffer,
    parameters: &Buffer,
    layer: &LinearArgs,
    tile: Option<Tile>,
) -> (ProductShader, ProductUniforms) {
    let LinearArgs { rows, inputs, outputs, x, y, weight, bias, norm, residual, activation } = *layer;
    check_bounds(arena, "x", x, rows * inputs);
    check_bounds(arena, "y", y, rows * outputs);
    check_bounds(parameters, "the weight", weight, inputs * outputs);
    bias.iter().for_each(|&at| check_bounds(parameters, "the bias", at, outputs));
    residual.iter().for_each(|&at| check_bounds(arena, "the residual", at, rows * outputs));
    let whole_rows = norm.and_then(|norm| {
        check_bounds(parameters, "the scale", norm.scale, outputs);
        check_bounds(parameters, "the shift", norm.shift, outputs);
        Tile::whole_rows(outputs, inputs)
    });
    let tile = whole_rows.or(tile).unwrap_or_else(|| Tile::choose(rows, outputs, inputs, 1));
    let places = norm.map_or([0; 2], |norm| [norm.scale, norm.shift]);
    let product = ProductShader {
        arena_fours: are_multiples_of_4(&[inputs, outputs, x, y, residual.unwrap_or(0)]),
        other_fours: are_multiples_of_4(&[outputs, weight, bias.unwrap_or(0)]) && are_multiples_of_4(&places),
        bias: bias.is_some(),
        norm: norm.is_some(),
        residual: residual.is_some(),
        activation,
        ..ProductShader::plain(ProductKind::Forward, tile)
    };
    let numbers = ProductUniforms {
        shape: [rows, outputs, inputs],
        operands: [x, weight, y],
        bias: bias.unwrap_or(0),
        residual: residual.unwrap_or(0),
        norm: norm.unwrap_or_default(),
        slice: inputs,
        ..ProductUniforms::default()
    };
    (product, numbers)
}

/// Records the parameter gradients of linear layers with distinct parameters: gradient slice s is the sum over the s-th
/// part of the rows. Dispatches and tiles are selected as in [`linear`].
///
/// # Errors
/// Errors of [`linear`].
///
/// # Panics
/// As [`linear`].
pub fn linear_parameter_gradient(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    slices: &GradientSlicesView,
    layers: &[LinearParameterGradientArgs],
    tile: Option<Tile>,
) -> Result<(), GpuError> {
    let parts = layers.iter().map(|layer| of_parameters(arena, slices, layer, tile)).collect();
    record(recorder, "linear_parameter_gradient", [arena, slices.buffer], parts, slices.count)
}

/// Returns the gradient of a layer's parameters as a matrix product.
fn of_parameters(
    arena: &Buffer,
    slices: &GradientSlicesView,
    layer: &LinearParameterGradientArgs,
    tile: Option<Tile>,
) -> (ProductShader, ProductUniforms) {
    let LinearParameterGradientArgs { rows, inputs, outputs, x, dy, weight, bias, accumulate } = *layer;
    check_bounds(arena, "x", x, rows * inputs);
    check_bounds(arena, "dy", dy, rows * outputs);
    slices.check_bounds("the weight's gradient", weight, inputs * outputs);
    bias.iter().for_each(|&at| slices.check_bounds("the bias's gradient", at, outputs));
    let slice = slices.rows(rows);
    let tile = tile.unwrap_or_else(|| Tile::choose(inputs, outputs, slice, slices.count));
    let product = ProductShader {
        arena_fours: are_multiples_of_4(&[inputs, outputs, x, dy]),
        other_fours: are_multiples_of_4(&[outputs, weight, bias.unwrap_or(0), slices.stride]),
        bias: bias.is_some(),
        accumulate,
        ..ProductShader::plain(ProductKind::ParameterGradient, tile)
    };
    let numbers = ProductUniforms {
        shape: [inputs, outputs, rows],
        operands: [x, dy, weight],
        bias: bias.unwrap_or(0),
        slice,
        stride: slices.stride,
        ..ProductUniforms::default()
    };
    (product, numbers)
}

/// Returns the parameters of a linear layer, or of the gradient of its parameters.
///
/// # Panics
/// Panics for any other operation: a step without a kernel would leave a stale result.
fn weight_and_bias(op: Op) -> (ParameterId, Option<ParameterId>) {
    match op {
        Op::Linear { weight, bias } | Op::Gradient(GradientOp::Linear { weight, bias }) => (weight, bias),
        other => unreachable!("{} is no linear layer", other.name()),
    }
}

/// Records steps of linear layers of the same kind.
pub(super) fn layers(layers: &mut LayerRecorder<'_>, steps: &[&PlanStep]) -> Result<(), GpuError> {
    let layer = |step: &&PlanStep| {
        let (weight, bias) = weight_and_bias(step.op);
        LinearArgs {
            rows: layers.lines(step),
            inputs: layers.width(step.operands[0]),
            outputs: layers.width(step.results[0]),
            x: layers.value(step.operands[0]),
            y: layers.value(step.results[0]),
            weight: layers.parameter(weight),
            bias: bias.map(|id| layers.parameter(id)),
            norm: step.epilogue.norm.map(|norm| layers.norm(norm)),
            residual: step.epilogue.added.then(|| layers.value(step.operands[1])),
            activation: step.epilogue.activation,
        }
    };
    let all: Vec<LinearArgs> = steps.iter().map(layer).collect();
    linear(layers.recorder, layers.arena, layers.parameters, &all, None)
}

/// Records steps of parameter gradients of linear layers of the same kind.
pub(super) fn gradients(layers: &mut LayerRecorder<'_>, steps: &[&PlanStep]) -> Result<(), GpuError> {
    let mut all = Vec::with_capacity(steps.len());
    for step in steps {
        let (weight, bias) = weight_and_bias(step.op);
        let ids: Vec<ParameterId> = [Some(weight), bias].into_iter().flatten().collect();
        let [x, dy] = [0, 1].map(|operand| step.operands[operand]);
        all.push(LinearParameterGradientArgs {
            rows: layers.lines(step),
            inputs: layers.width(x),
            outputs: layers.width(dy),
            x: layers.value(x),
            dy: layers.value(dy),
            weight: layers.parameter(weight),
            bias: bias.map(|id| layers.parameter(id)),
            accumulate: layers.accumulates(&ids),
        });
    }
    let slices = layers.slices();
    linear_parameter_gradient(layers.recorder, layers.arena, &slices, &all, None)
}

#[cfg(test)]
mod tests {
    use vivarium_graph::Op;

    #[test]
    #[should_panic(expected = "is no linear layer")]
    fn a_step_of_another_operation_is_no_linear_layer() {
        super::weight_and_bias(Op::Sum);
    }
}

//! Linear layers and the gradients of their parameters.

use vivarium_graph::op::{LinearGradientOp, LinearOp};
use vivarium_graph::{ParameterId, PlanStep};
use vivarium_kernels::epilogue::Norm;

use super::form::{Form, ProductOp};
use super::norm::{NormArgs, norm};
use super::product::{
    LinearArgs, LinearParameterGradientArgs, Product, ProductArgs, ProductPart, ProductShader,
    ProductUniforms, Tile, record,
};
use crate::emit::LayerRecorder;
use crate::operand::{
    GradientSlicesView, OperandEpilogue, are_multiples_of_4, check_bounds, epilogue_offsets,
};
use crate::{Buffer, GpuError, GpuRecorder};

/// Records independent linear layers. Layers with the same shader share a dispatch; a layer with a norm over more than
/// 256 outputs takes two dispatches. `tile` is the block of the result that a workgroup computes; if it is `None`, the
/// shape of each product selects the tile.
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
    let buffers = [arena, parameters];
    let mut parts = Vec::with_capacity(layers.len());
    let mut norms = Vec::new();
    for layer in layers.iter().filter(|layer| layer.rows > 0 && layer.outputs > 0) {
        let OperandEpilogue { norm: fused, residual, activation } = layer.epilogue;
        let too_wide = fused.filter(|_| Tile::whole_rows(layer.outputs, layer.inputs).is_none());
        let Some(fused) = too_wide else {
            parts.push(forward(buffers, layer, tile));
            continue;
        };
        let plain = LinearArgs { epilogue: OperandEpilogue::default(), ..*layer };
        parts.push(forward(buffers, &plain, tile));
        let LinearArgs { rows, outputs, y, .. } = *layer;
        norms.push(NormArgs { rows, width: outputs, x: y, y, norm: fused, residual, activation });
    }
    record(recorder, "linear", buffers, parts, 1)?;
    norms.iter().try_for_each(|args| norm(recorder, arena, parameters, args, None))
}

/// Returns the shader and uniforms of a linear layer's forward pass, one matrix product. If the epilogue has a
/// norm, each workgroup computes whole rows, because the norm needs them.
fn forward([arena, parameters]: [&Buffer; 2], layer: &LinearArgs, tile: Option<Tile>) -> ProductPart {
    let LinearArgs { rows, inputs, outputs, x, y, weight, bias, epilogue } = *layer;
    check_bounds(arena, "x", x, rows * inputs);
    check_bounds(arena, "y", y, rows * outputs);
    check_bounds(parameters, "the weight", weight, inputs * outputs);
    bias.iter().for_each(|&at| check_bounds(parameters, "the bias", at, outputs));
    epilogue.operands().for_each(|&at| check_bounds(arena, "an operand of the epilogue", at, rows * outputs));
    let whole_rows = epilogue.norm.and_then(|norm| {
        norm.parameters().for_each(|at| check_bounds(parameters, "a parameter of the norm", at, outputs));
        Tile::whole_rows(outputs, inputs)
    });
    let tile = whole_rows.or(tile).unwrap_or_else(|| Tile::choose(rows, outputs, inputs, 1));
    let of_norm: Vec<usize> = epilogue.norm.iter().flat_map(Norm::parameters).collect();
    let [residual, saved] = epilogue_offsets(&epilogue);
    let product = ProductShader {
        product: Product::Forward { bias: bias.is_some(), epilogue: epilogue.parts() },
        tile,
        arena_fours: are_multiples_of_4(&[inputs, outputs, x, y, residual, saved]),
        other_fours: are_multiples_of_4(&[outputs, weight, bias.unwrap_or(0)])
            && are_multiples_of_4(&of_norm),
    };
    let numbers = ProductUniforms {
        shape: [rows, outputs, inputs],
        operands: [x, weight, y],
        bias: bias.unwrap_or(0),
        residual,
        saved,
        norm: epilogue.norm,
        slice: inputs,
        ..ProductUniforms::default()
    };
    (product, numbers)
}

/// Records the parameter gradients of linear layers with distinct parameters. Gradient slice s is the sum over the s-th
/// part of the batch rows. Layers share dispatches and select tiles as in [`linear`].
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

/// Returns the shader and uniforms of the matrix product that computes the parameter gradients of a linear layer.
fn of_parameters(
    arena: &Buffer,
    slices: &GradientSlicesView,
    layer: &LinearParameterGradientArgs,
    tile: Option<Tile>,
) -> ProductPart {
    let LinearParameterGradientArgs { rows, inputs, outputs, x, dy, weight, bias, accumulate } = *layer;
    check_bounds(arena, "x", x, rows * inputs);
    check_bounds(arena, "dy", dy, rows * outputs);
    slices.check_bounds("the weight's gradient", weight, inputs * outputs);
    bias.iter().for_each(|&at| slices.check_bounds("the bias's gradient", at, outputs));
    let slice = slices.rows(rows);
    let tile = tile.unwrap_or_else(|| Tile::choose(inputs, outputs, slice, slices.count));
    let product = ProductShader {
        product: Product::ParameterGradient { bias: bias.is_some(), accumulate },
        tile,
        arena_fours: are_multiples_of_4(&[inputs, outputs, x, dy]),
        other_fours: are_multiples_of_4(&[outputs, weight, bias.unwrap_or(0), slices.stride]),
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

lower!(LinearOp, |op| Form::Product(op));
lower!(LinearGradientOp, |op| Form::Product(op));

impl ProductOp for LinearOp {
    fn product(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> ProductArgs {
        ProductArgs::Forward(LinearArgs {
            rows: layers.lines(step),
            inputs: layers.width(step.operands[0]),
            outputs: layers.width(step.results[0]),
            x: layers.value(step.operands[0]),
            y: layers.value(step.results[0]),
            weight: layers.parameter(self.weight),
            bias: self.bias.map(|id| layers.parameter(id)),
            epilogue: layers.epilogue(step),
        })
    }
}

impl ProductOp for LinearGradientOp {
    fn sums_into(&self) -> [Option<ParameterId>; 2] {
        [Some(self.0.weight), self.0.bias]
    }

    fn product(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> ProductArgs {
        let LinearOp { weight, bias } = self.0;
        let ids: Vec<ParameterId> = self.sums_into().into_iter().flatten().collect();
        let [x, dy] = [0, 1].map(|operand| step.operands[operand]);
        ProductArgs::ParameterGradient(LinearParameterGradientArgs {
            rows: layers.lines(step),
            inputs: layers.width(x),
            outputs: layers.width(dy),
            x: layers.value(x),
            dy: layers.value(dy),
            weight: layers.parameter(weight),
            bias: bias.map(|id| layers.parameter(id)),
            accumulate: layers.accumulates(&ids),
        })
    }
}

//! Products with a transposed weight matrix: input gradients of linear layers, and heads over a vocabulary.

use vivarium_graph::PlanStep;
use vivarium_graph::op::LinearTransposedOp;

use super::form::{Form, ProductOp};
use super::product::{
    LinearInputGradientArgs, Product, ProductArgs, ProductPart, ProductShader, ProductUniforms, Tile, record,
};
use crate::emit::LayerRecorder;
use crate::operand::{are_multiples_of_4, check_bounds, epilogue_offsets};
use crate::{Buffer, GpuError, GpuRecorder};

/// Records the input gradients of independent linear layers, optionally multiplied by the derivatives of the
/// activations before the layers. Layers share dispatches and select tiles as in [`linear`](super::linear()).
///
/// # Errors
/// Errors of [`linear`](super::linear()).
///
/// # Panics
/// As [`linear`](super::linear()).
pub fn linear_input_gradient(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    parameters: &Buffer,
    layers: &[LinearInputGradientArgs],
    tile: Option<Tile>,
) -> Result<(), GpuError> {
    let buffers = [arena, parameters];
    let some = layers.iter().filter(|layer| layer.rows > 0 && layer.inputs > 0);
    let parts = some.map(|layer| backward(buffers, layer, tile)).collect();
    record(recorder, "linear_input_gradient", buffers, parts, 1)
}

/// Returns the shader and uniforms of the matrix product that computes the input gradient of a linear layer.
fn backward(
    [arena, parameters]: [&Buffer; 2],
    layer: &LinearInputGradientArgs,
    tile: Option<Tile>,
) -> ProductPart {
    let LinearInputGradientArgs { rows, inputs, outputs, dy, dx, weight, epilogue } = *layer;
    assert!(epilogue.norm.is_none(), "an input gradient has no norm");
    check_bounds(arena, "dy", dy, rows * outputs);
    check_bounds(arena, "dx", dx, rows * inputs);
    check_bounds(parameters, "the weight", weight, inputs * outputs);
    epilogue.operands().for_each(|&at| check_bounds(arena, "an operand of the epilogue", at, rows * inputs));
    let [residual, saved] = epilogue_offsets(&epilogue);
    let product = ProductShader {
        product: Product::InputGradient { epilogue: epilogue.parts() },
        tile: tile.unwrap_or_else(|| Tile::choose(rows, inputs, outputs, 1)),
        arena_fours: are_multiples_of_4(&[inputs, outputs, dy, dx, residual, saved]),
        other_fours: are_multiples_of_4(&[outputs, weight]),
    };
    let numbers = ProductUniforms {
        shape: [rows, inputs, outputs],
        operands: [dy, weight, dx],
        residual,
        saved,
        slice: outputs,
        ..ProductUniforms::default()
    };
    (product, numbers)
}

lower!(LinearTransposedOp, |op| Form::Product(op));

impl ProductOp for LinearTransposedOp {
    fn product(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> ProductArgs {
        ProductArgs::InputGradient(LinearInputGradientArgs {
            rows: layers.lines(step),
            inputs: layers.width(step.results[0]),
            outputs: layers.width(step.operands[0]),
            dy: layers.value(step.operands[0]),
            dx: layers.value(step.results[0]),
            weight: layers.parameter(self.weight),
            epilogue: layers.epilogue(step),
        })
    }
}

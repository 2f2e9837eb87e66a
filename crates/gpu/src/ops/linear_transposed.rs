//! Products with a transposed weight matrix: input gradients of linear layers, and heads over a vocabulary.

use vivarium_graph::{Activation, Op, ParameterId, PlanStep};

use super::product::{ProductKind, ProductShader, ProductUniforms, Tile, record};
use crate::emit::LayerRecorder;
use crate::operand::{are_multiples_of_4, check_bounds};
use crate::{Buffer, GpuError, GpuRecorder};

/// Operands of [`linear_input_gradient`]: dx = (dy·Wᵀ + added) · activation′. The offset of W is in the parameter
/// buffer, all other offsets are in the arena.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearInputGradientArgs {
    /// Number of rows of dx and dy.
    pub rows: usize,
    /// Number of columns of dx.
    pub inputs: usize,
    /// Number of columns of dy.
    pub outputs: usize,
    /// Word offset of dy, \[rows, outputs\].
    pub dy: usize,
    /// Word offset of dx, \[rows, inputs\]; may overwrite `added`, but not dy.
    pub dx: usize,
    /// Word offset of W, \[inputs, outputs\].
    pub weight: usize,
    /// Word offset of another contribution to the gradient, \[rows, inputs\].
    pub added: Option<usize>,
    /// Activation that computed the layer's input, if any. dx is then the gradient of the activation's argument.
    pub slope: Option<ActivationGradient>,
}

/// Activation that a gradient is propagated through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivationGradient {
    /// Activation function whose derivative multiplies the gradient.
    pub activation: Activation,
    /// Arena offset, in words, of the activation's result (relu, tanh) or of its argument (gelu).
    pub of: usize,
}

/// Records the input gradients of independent linear layers, optionally including the derivatives of the activations
/// before the layers. Dispatches and tiles are selected as in [`linear`](super::linear()).
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
    let some = layers.iter().filter(|layer| layer.rows > 0 && layer.inputs > 0);
    let parts = some.map(|layer| backward(arena, parameters, layer, tile)).collect();
    record(recorder, "linear_input_gradient", [arena, parameters], parts, 1)
}

/// Returns the gradient of a layer's input as a matrix product.
fn backward(
    arena: &Buffer,
    parameters: &Buffer,
    layer: &LinearInputGradientArgs,
    tile: Option<Tile>,
) -> (ProductShader, ProductUniforms) {
    let LinearInputGradientArgs { rows, inputs, outputs, dy, dx, weight, added, slope } = *layer;
    check_bounds(arena, "dy", dy, rows * outputs);
    check_bounds(arena, "dx", dx, rows * inputs);
    check_bounds(parameters, "the weight", weight, inputs * outputs);
    added.iter().for_each(|&at| check_bounds(arena, "what is added", at, rows * inputs));
    slope.iter().for_each(|slope| check_bounds(arena, "the activation", slope.of, rows * inputs));
    let of = slope.map_or(0, |slope| slope.of);
    let tile = tile.unwrap_or_else(|| Tile::choose(rows, inputs, outputs, 1));
    let product = ProductShader {
        arena_fours: are_multiples_of_4(&[inputs, outputs, dy, dx, added.unwrap_or(0), of]),
        other_fours: are_multiples_of_4(&[outputs, weight]),
        residual: added.is_some(),
        slope: slope.map_or(Activation::None, |slope| slope.activation),
        ..ProductShader::plain(ProductKind::InputGradient, tile)
    };
    let numbers = ProductUniforms {
        shape: [rows, inputs, outputs],
        operands: [dy, weight, dx],
        residual: added.unwrap_or(0),
        slope: of,
        slice: outputs,
        ..ProductUniforms::default()
    };
    (product, numbers)
}

/// Returns the weight of a product x·Wᵀ.
///
/// # Panics
/// Panics for any other operation: a step without a kernel would leave a stale result.
fn weight(op: Op) -> ParameterId {
    match op {
        Op::LinearTransposed { weight } => weight,
        other => unreachable!("{} is no product with a transposed weight", other.name()),
    }
}

/// Records steps with products x·Wᵀ of the same kind.
pub(super) fn layers(layers: &mut LayerRecorder<'_>, steps: &[&PlanStep]) -> Result<(), GpuError> {
    let layer = |step: &&PlanStep| {
        let last = step.operands.len() - 1;
        LinearInputGradientArgs {
            rows: layers.lines(step),
            inputs: layers.width(step.results[0]),
            outputs: layers.width(step.operands[0]),
            dy: layers.value(step.operands[0]),
            dx: layers.value(step.results[0]),
            weight: layers.parameter(weight(step.op)),
            added: step.epilogue.added.then(|| layers.value(step.operands[1])),
            slope: (step.epilogue.slope)
                .map(|activation| ActivationGradient { activation, of: layers.value(step.operands[last]) }),
        }
    };
    let all: Vec<LinearInputGradientArgs> = steps.iter().map(layer).collect();
    linear_input_gradient(layers.recorder, layers.arena, layers.parameters, &all, None)
}

#[cfg(test)]
mod tests {
    use vivarium_graph::Op;

    #[test]
    #[should_panic(expected = "is no product with a transposed weight")]
    fn a_step_of_another_operation_has_no_transposed_weight() {
        super::weight(Op::Sum);
    }
}

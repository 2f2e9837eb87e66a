//! Products with a transposed matrix: the gradients of linear layers' inputs, and heads over a vocabulary.

use vivarium_graph::{Activation, Op, Step};

use super::product::{Form, Numbers, Product, Tile, record};
use crate::emit::Layers;
use crate::operand::{fours, holds};
use crate::{Buffer, GpuError, Recorder};

/// dx = (dy·Wᵀ + added) · slope. Offsets as in [`Linear`].
#[derive(Clone, Copy, Debug, Default)]
pub struct InputGradient {
    /// Rows of dx and dy.
    pub rows: usize,
    /// Columns of dx.
    pub inputs: usize,
    /// Columns of dy.
    pub outputs: usize,
    /// dy, \[rows, outputs\].
    pub dy: usize,
    /// dx, \[rows, inputs\]; may be the place of `added`, not that of dy.
    pub dx: usize,
    /// W, \[inputs, outputs\].
    pub weight: usize,
    /// Another part of the gradient, \[rows, inputs\].
    pub added: Option<usize>,
    /// The activation whose result the layer read: dx is the gradient of the activation's argument.
    pub slope: Option<Slope>,
}

/// An activation that a gradient goes back through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slope {
    /// Which.
    pub activation: Activation,
    /// Where in the arena its result lies (relu, tanh), or its argument (gelu).
    pub of: usize,
}

/// Records the gradients of linear layers' inputs, and of the activations before them where wanted. None may read a result of
/// another; kernels and tiles as in [`linear`].
///
/// # Errors
/// Those of [`linear`].
///
/// # Panics
/// Those of [`linear`].
pub fn linear_input_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    layers: &[InputGradient],
    tile: Option<Tile>,
) -> Result<(), GpuError> {
    let some = layers.iter().filter(|layer| layer.rows > 0 && layer.inputs > 0);
    let parts = some.map(|layer| backward(arena, parameters, layer, tile)).collect();
    record(recorder, "linear_input_gradient", [arena, parameters], parts, 1)
}

/// The gradient of a layer's input as a product.
fn backward(
    arena: &Buffer,
    parameters: &Buffer,
    layer: &InputGradient,
    tile: Option<Tile>,
) -> (Product, Numbers) {
    let InputGradient { rows, inputs, outputs, dy, dx, weight, added, slope } = *layer;
    holds(arena, "dy", dy, rows * outputs);
    holds(arena, "dx", dx, rows * inputs);
    holds(parameters, "the weight", weight, inputs * outputs);
    added.iter().for_each(|&at| holds(arena, "what is added", at, rows * inputs));
    slope.iter().for_each(|slope| holds(arena, "the activation", slope.of, rows * inputs));
    let of = slope.map_or(0, |slope| slope.of);
    let tile = tile.unwrap_or_else(|| Tile::choose(rows, inputs, outputs, 1));
    let product = Product {
        arena_fours: fours(&[inputs, outputs, dy, dx, added.unwrap_or(0), of]),
        other_fours: fours(&[outputs, weight]),
        residual: added.is_some(),
        slope: slope.map_or(Activation::None, |slope| slope.activation),
        ..Product::plain(Form::InputGradient, tile)
    };
    let numbers = Numbers {
        shape: [rows, inputs, outputs],
        operands: [dy, weight, dx],
        residual: added.unwrap_or(0),
        slope: of,
        slice: outputs,
        ..Numbers::default()
    };
    (product, numbers)
}

/// Records the steps of such products that are alike.
pub(super) fn layers(layers: &mut Layers<'_>, steps: &[&Step]) -> Result<(), GpuError> {
    let layer = |step: &&Step| {
        let Op::LinearTransposed { weight } = step.op else { return None };
        let last = step.operands.len() - 1;
        Some(InputGradient {
            rows: layers.lines(step),
            inputs: layers.width(step.results[0]),
            outputs: layers.width(step.operands[0]),
            dy: layers.value(step.operands[0]),
            dx: layers.value(step.results[0]),
            weight: layers.parameter(weight),
            added: step.after.added.then(|| layers.value(step.operands[1])),
            slope: (step.after.slope)
                .map(|activation| Slope { activation, of: layers.value(step.operands[last]) }),
        })
    };
    let all: Vec<InputGradient> = steps.iter().filter_map(layer).collect();
    linear_input_gradient(layers.recorder, layers.arena, layers.parameters, &all, None)
}

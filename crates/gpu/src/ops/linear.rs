//! Linear layers and the gradients of their parameters.

use vivarium_graph::{Activation, GradientOp, Op, ParameterId, Step};

use super::layer_norm::{LayerNorm, layer_norm};
use super::product::{Form, Numbers, Product, Tile, record};
use crate::emit::Layers;
use crate::operand::{Norm, Slices, fours, holds};
use crate::{Buffer, GpuError, Recorder};

/// y = activation(norm(x·W + b) + residual). All places are word offsets: of x, y and the residual in the arena, of the others
/// in the parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear {
    /// Rows of x and y.
    pub rows: usize,
    /// Columns of x.
    pub inputs: usize,
    /// Columns of y.
    pub outputs: usize,
    /// x, \[rows, inputs\].
    pub x: usize,
    /// y, \[rows, outputs\]; may be the residual's place, not that of x.
    pub y: usize,
    /// W, \[inputs, outputs\].
    pub weight: usize,
    /// b, \[outputs\].
    pub bias: Option<usize>,
    /// A layer norm after the bias.
    pub norm: Option<Norm>,
    /// Added after the norm, \[rows, outputs\].
    pub residual: Option<usize>,
    /// What comes last.
    pub activation: Activation,
}

/// dW = xᵀ·dy, and db = the column sums of dy. Offsets of x and dy in the arena, of the others in each slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParameterGradient {
    /// Rows of x and dy.
    pub rows: usize,
    /// Columns of x.
    pub inputs: usize,
    /// Columns of dy.
    pub outputs: usize,
    /// x, \[rows, inputs\].
    pub x: usize,
    /// dy, \[rows, outputs\].
    pub dy: usize,
    /// dW, \[inputs, outputs\].
    pub weight: usize,
    /// db, \[outputs\].
    pub bias: Option<usize>,
    /// Adds to what the slices hold in place of overwriting it: for a parameter's second use.
    pub accumulate: bool,
}

/// Records linear layers, none of which reads a result of another, in as few kernels as their shapes allow. A layer with a
/// norm over more than 256 outputs takes two. The kernels' tile follows from each shape unless it is given.
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn linear(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    layers: &[Linear],
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
        let plain = Linear { norm: None, residual: None, activation: Activation::None, ..*layer };
        parts.push(forward(arena, parameters, &plain, tile));
        let Linear { rows, outputs, y, residual, activation, .. } = *layer;
        norms.push(LayerNorm { rows, width: outputs, x: y, y, norm, residual, activation });
    }
    record(recorder, "linear", [arena, parameters], parts, 1)?;
    norms.iter().try_for_each(|norm| layer_norm(recorder, arena, parameters, norm, None))
}

/// A linear layer as one product; with a norm, its rows fit a workgroup.
fn forward(arena: &Buffer, parameters: &Buffer, layer: &Linear, tile: Option<Tile>) -> (Product, Numbers) {
    let Linear { rows, inputs, outputs, x, y, weight, bias, norm, residual, activation } = *layer;
    holds(arena, "x", x, rows * inputs);
    holds(arena, "y", y, rows * outputs);
    holds(parameters, "the weight", weight, inputs * outputs);
    bias.iter().for_each(|&at| holds(parameters, "the bias", at, outputs));
    residual.iter().for_each(|&at| holds(arena, "the residual", at, rows * outputs));
    let whole_rows = norm.and_then(|norm| {
        holds(parameters, "the scale", norm.scale, outputs);
        holds(parameters, "the shift", norm.shift, outputs);
        Tile::whole_rows(outputs, inputs)
    });
    let tile = whole_rows.or(tile).unwrap_or_else(|| Tile::choose(rows, outputs, inputs, 1));
    let places = norm.map_or([0; 2], |norm| [norm.scale, norm.shift]);
    let product = Product {
        arena_fours: fours(&[inputs, outputs, x, y, residual.unwrap_or(0)]),
        other_fours: fours(&[outputs, weight, bias.unwrap_or(0)]) && fours(&places),
        bias: bias.is_some(),
        norm: norm.is_some(),
        residual: residual.is_some(),
        activation,
        ..Product::plain(Form::Forward, tile)
    };
    let numbers = Numbers {
        shape: [rows, outputs, inputs],
        operands: [x, weight, y],
        bias: bias.unwrap_or(0),
        residual: residual.unwrap_or(0),
        norm: norm.unwrap_or_default(),
        slice: inputs,
        ..Numbers::default()
    };
    (product, numbers)
}

/// Records the gradients of linear layers' parameters, no two of the same ones: slice s receives the sums over the s-th part
/// of the rows. Kernels and tiles as in [`linear`].
///
/// # Errors
/// Those of [`linear`].
///
/// # Panics
/// Those of [`linear`].
pub fn linear_parameter_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    slices: &Slices,
    layers: &[ParameterGradient],
    tile: Option<Tile>,
) -> Result<(), GpuError> {
    let parts = layers.iter().map(|layer| of_parameters(arena, slices, layer, tile)).collect();
    record(recorder, "linear_parameter_gradient", [arena, slices.buffer], parts, slices.count)
}

/// The gradient of a layer's parameters as a product.
fn of_parameters(
    arena: &Buffer,
    slices: &Slices,
    layer: &ParameterGradient,
    tile: Option<Tile>,
) -> (Product, Numbers) {
    let ParameterGradient { rows, inputs, outputs, x, dy, weight, bias, accumulate } = *layer;
    holds(arena, "x", x, rows * inputs);
    holds(arena, "dy", dy, rows * outputs);
    slices.hold("the weight's gradient", weight, inputs * outputs);
    bias.iter().for_each(|&at| slices.hold("the bias's gradient", at, outputs));
    let slice = slices.rows(rows);
    let tile = tile.unwrap_or_else(|| Tile::choose(inputs, outputs, slice, slices.count));
    let product = Product {
        arena_fours: fours(&[inputs, outputs, x, dy]),
        other_fours: fours(&[outputs, weight, bias.unwrap_or(0), slices.stride]),
        bias: bias.is_some(),
        accumulate,
        ..Product::plain(Form::ParameterGradient, tile)
    };
    let numbers = Numbers {
        shape: [inputs, outputs, rows],
        operands: [x, dy, weight],
        bias: bias.unwrap_or(0),
        slice,
        stride: slices.stride,
        ..Numbers::default()
    };
    (product, numbers)
}

/// Records the steps of linear layers that are alike.
pub(super) fn layers(layers: &mut Layers<'_>, steps: &[&Step]) -> Result<(), GpuError> {
    let layer = |step: &&Step| {
        let Op::Linear { weight, bias } = step.op else { return None };
        Some(Linear {
            rows: layers.lines(step),
            inputs: layers.width(step.operands[0]),
            outputs: layers.width(step.results[0]),
            x: layers.value(step.operands[0]),
            y: layers.value(step.results[0]),
            weight: layers.parameter(weight),
            bias: bias.map(|id| layers.parameter(id)),
            norm: step.after.norm.map(|norm| layers.norm(norm)),
            residual: step.after.added.then(|| layers.value(step.operands[1])),
            activation: step.after.activation,
        })
    };
    let all: Vec<Linear> = steps.iter().filter_map(layer).collect();
    linear(layers.recorder, layers.arena, layers.parameters, &all, None)
}

/// Records the gradients of the parameters of linear layers that are alike.
pub(super) fn gradients(layers: &mut Layers<'_>, steps: &[&Step]) -> Result<(), GpuError> {
    let mut all = Vec::with_capacity(steps.len());
    for step in steps {
        let Op::Gradient(GradientOp::Linear { weight, bias }) = step.op else { continue };
        let ids: Vec<ParameterId> = [Some(weight), bias].into_iter().flatten().collect();
        let [x, dy] = [0, 1].map(|operand| step.operands[operand]);
        all.push(ParameterGradient {
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

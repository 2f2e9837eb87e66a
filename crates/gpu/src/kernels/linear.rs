//! Linear layers and their gradients, recorded as matrix products.

use vivarium_graph::Activation;

use super::layer_norm::{LayerNorm, layer_norm};
use super::product::{Form, Product};
use super::tile::Tile;
use super::{Norm, Slices, fours, holds};
use crate::{Buffer, GpuError, Recorder, spread};

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

/// The numbers of a product's kernel, in the order of its uniform block.
#[derive(Default)]
struct Numbers {
    shape: [usize; 3],
    operands: [usize; 3],
    bias: usize,
    residual: usize,
    slope: usize,
    norm: Norm,
    slice: usize,
    stride: usize,
}

impl Numbers {
    /// The uniform block.
    fn words(&self, product: &Product) -> [u32; 16] {
        let ([m, n, k], [a, b, c]) = (self.shape, self.operands);
        let tiles_n = n.div_ceil(product.tile.n);
        let Norm { scale, shift } = self.norm;
        let places = [self.bias, self.residual, self.slope, scale, shift, self.slice, self.stride];
        let mut words = [0; 16];
        for (word, number) in words.iter_mut().zip([m, n, k, tiles_n, a, b, c].into_iter().chain(places)) {
            *word = number as u32;
        }
        words
    }
}

/// The most products that one kernel does.
const MOST_TOGETHER: usize = 8;

/// Products with what they are to be given. Those of one kernel are done together, so that none may read or write what
/// another one writes.
fn record(
    recorder: &mut Recorder,
    label: &str,
    buffers: [&Buffer; 2],
    parts: Vec<(Product, Numbers)>,
    slices: usize,
) -> Result<(), GpuError> {
    let mut left = parts;
    while let Some(&(product, _)) = left.first() {
        let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(|(other, _)| *other == product);
        for parts in now.chunks(MOST_TOGETHER) {
            // Its indices into a workgroup's memory follow from the tile; what they are of the buffers, `holds` has seen to.
            let kernel = recorder.gpu().kernel_within_bounds(label, &product.wgsl(parts.len()))?;
            let tiles = |numbers: &Numbers| {
                numbers.shape[0].div_ceil(product.tile.m) * numbers.shape[1].div_ceil(product.tile.n)
            };
            let uniforms: Vec<u32> = parts.iter().flat_map(|(_, numbers)| numbers.words(&product)).collect();
            let mut groups = spread(parts.iter().map(|(_, numbers)| tiles(numbers)).max().unwrap_or(0));
            groups[2] = (parts.len() * slices) as u32;
            recorder.dispatch(&kernel, &buffers, &uniforms, groups);
        }
        left = later;
    }
    Ok(())
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
    norms.iter().try_for_each(|norm| layer_norm(recorder, arena, parameters, norm))
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
        form: Form::Forward,
        tile,
        arena_fours: fours(&[inputs, outputs, x, y, residual.unwrap_or(0)]),
        other_fours: fours(&[outputs, weight, bias.unwrap_or(0)]) && fours(&places),
        bias: bias.is_some(),
        norm: norm.is_some(),
        residual: residual.is_some(),
        activation,
        slope: Activation::None,
        accumulate: false,
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
    let product = Product {
        form: Form::InputGradient,
        tile: tile.unwrap_or_else(|| Tile::choose(rows, inputs, outputs, 1)),
        arena_fours: fours(&[inputs, outputs, dy, dx, added.unwrap_or(0), of]),
        other_fours: fours(&[outputs, weight]),
        bias: false,
        norm: false,
        residual: added.is_some(),
        activation: Activation::None,
        slope: slope.map_or(Activation::None, |slope| slope.activation),
        accumulate: false,
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
    let product = Product {
        form: Form::ParameterGradient,
        tile: tile.unwrap_or_else(|| Tile::choose(inputs, outputs, slice, slices.count)),
        arena_fours: fours(&[inputs, outputs, x, dy]),
        other_fours: fours(&[outputs, weight, bias.unwrap_or(0), slices.stride]),
        bias: bias.is_some(),
        norm: false,
        residual: false,
        activation: Activation::None,
        slope: Activation::None,
        accumulate,
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

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

/// How a product's kernel is chosen; by default by its shape.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProductOptions {
    /// This tile.
    pub tile: Option<Tile>,
    /// Both operands rounded to half precision, sums in single precision. Needs an adapter with
    /// [`half_precision`](crate::Report::half_precision).
    pub half: bool,
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

fn dispatch(
    recorder: &mut Recorder,
    label: &str,
    product: &Product,
    buffers: [&Buffer; 2],
    numbers: &Numbers,
    slices: usize,
) -> Result<(), GpuError> {
    if product.half && !recorder.gpu().report().half_precision {
        let reason = "it needs half precision, which this adapter does not offer".to_owned();
        return Err(GpuError::Shader { kernel: label.to_owned(), reason });
    }
    // Its indices into a workgroup's memory follow from the tile; what they are of the buffers, `holds` has seen to.
    let kernel = recorder.gpu().kernel_within_bounds(label, &product.wgsl())?;
    let ([m, n, k], [a, b, c]) = (numbers.shape, numbers.operands);
    let tiles_n = n.div_ceil(product.tile.n);
    let Norm { scale, shift } = numbers.norm;
    let uniforms = [
        [m, n, k, tiles_n, a, b, c].as_slice(),
        &[numbers.bias, numbers.residual, numbers.slope, scale, shift, numbers.slice, numbers.stride],
    ]
    .concat();
    let uniforms: Vec<u32> = uniforms.iter().map(|&word| word as u32).collect();
    let mut groups = spread(m.div_ceil(product.tile.m) * tiles_n);
    groups[2] = slices as u32;
    recorder.dispatch(&kernel, &buffers, &uniforms, groups);
    Ok(())
}

/// Records a linear layer. With a norm over more than 256 outputs it takes two kernels, else one.
///
/// # Errors
/// [`GpuError`] where the device refuses the kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn linear(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    layer: &Linear,
) -> Result<(), GpuError> {
    linear_with(recorder, arena, parameters, layer, ProductOptions::default())
}

/// [`linear`] with a kernel of the caller's choice.
///
/// # Errors
/// Those of [`linear`].
pub fn linear_with(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    layer: &Linear,
    options: ProductOptions,
) -> Result<(), GpuError> {
    let Linear { rows, inputs, outputs, x, y, weight, bias, norm, residual, activation } = *layer;
    if rows == 0 || outputs == 0 {
        return Ok(());
    }
    holds(arena, "x", x, rows * inputs);
    holds(arena, "y", y, rows * outputs);
    holds(parameters, "the weight", weight, inputs * outputs);
    bias.iter().for_each(|&at| holds(parameters, "the bias", at, outputs));
    residual.iter().for_each(|&at| holds(arena, "the residual", at, rows * outputs));
    let tile = match norm {
        None => options.tile.unwrap_or_else(|| Tile::choose(rows, outputs, inputs, 1)),
        Some(norm) => {
            let Some(tile) = Tile::whole_rows(outputs, inputs) else {
                let plain = Linear { norm: None, residual: None, activation: Activation::None, ..*layer };
                linear_with(recorder, arena, parameters, &plain, options)?;
                let after = LayerNorm { rows, width: outputs, x: y, y, norm, residual, activation };
                return layer_norm(recorder, arena, parameters, &after);
            };
            holds(parameters, "the scale", norm.scale, outputs);
            holds(parameters, "the shift", norm.shift, outputs);
            tile
        }
    };
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
        half: options.half,
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
    dispatch(recorder, "linear", &product, [arena, parameters], &numbers, 1)
}

/// Records the gradient of a linear layer's input, and of the activation before it where wanted.
///
/// # Errors
/// [`GpuError`] where the device refuses the kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn linear_input_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    layer: &InputGradient,
) -> Result<(), GpuError> {
    linear_input_gradient_with(recorder, arena, parameters, layer, ProductOptions::default())
}

/// [`linear_input_gradient`] with a kernel of the caller's choice.
///
/// # Errors
/// Those of [`linear_input_gradient`].
pub fn linear_input_gradient_with(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    layer: &InputGradient,
    options: ProductOptions,
) -> Result<(), GpuError> {
    let InputGradient { rows, inputs, outputs, dy, dx, weight, added, slope } = *layer;
    if rows == 0 || inputs == 0 {
        return Ok(());
    }
    holds(arena, "dy", dy, rows * outputs);
    holds(arena, "dx", dx, rows * inputs);
    holds(parameters, "the weight", weight, inputs * outputs);
    added.iter().for_each(|&at| holds(arena, "what is added", at, rows * inputs));
    slope.iter().for_each(|slope| holds(arena, "the activation", slope.of, rows * inputs));
    let of = slope.map_or(0, |slope| slope.of);
    let product = Product {
        form: Form::InputGradient,
        tile: options.tile.unwrap_or_else(|| Tile::choose(rows, inputs, outputs, 1)),
        arena_fours: fours(&[inputs, outputs, dy, dx, added.unwrap_or(0), of]),
        other_fours: fours(&[outputs, weight]),
        bias: false,
        norm: false,
        residual: added.is_some(),
        activation: Activation::None,
        slope: slope.map_or(Activation::None, |slope| slope.activation),
        accumulate: false,
        half: options.half,
    };
    let numbers = Numbers {
        shape: [rows, inputs, outputs],
        operands: [dy, weight, dx],
        residual: added.unwrap_or(0),
        slope: of,
        slice: outputs,
        ..Numbers::default()
    };
    dispatch(recorder, "linear_input_gradient", &product, [arena, parameters], &numbers, 1)
}

/// Records the gradients of a linear layer's parameters: slice s gets the sums over the s-th part of the rows.
///
/// # Errors
/// [`GpuError`] where the device refuses the kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn linear_parameter_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    slices: &Slices,
    layer: &ParameterGradient,
) -> Result<(), GpuError> {
    linear_parameter_gradient_with(recorder, arena, slices, layer, ProductOptions::default())
}

/// [`linear_parameter_gradient`] with a kernel of the caller's choice.
///
/// # Errors
/// Those of [`linear_parameter_gradient`].
pub fn linear_parameter_gradient_with(
    recorder: &mut Recorder,
    arena: &Buffer,
    slices: &Slices,
    layer: &ParameterGradient,
    options: ProductOptions,
) -> Result<(), GpuError> {
    let ParameterGradient { rows, inputs, outputs, x, dy, weight, bias, accumulate } = *layer;
    holds(arena, "x", x, rows * inputs);
    holds(arena, "dy", dy, rows * outputs);
    slices.hold("the weight's gradient", weight, inputs * outputs);
    bias.iter().for_each(|&at| slices.hold("the bias's gradient", at, outputs));
    let slice = slices.rows(rows);
    let product = Product {
        form: Form::ParameterGradient,
        tile: options.tile.unwrap_or_else(|| Tile::choose(inputs, outputs, slice, slices.count)),
        arena_fours: fours(&[inputs, outputs, x, dy]),
        other_fours: fours(&[outputs, weight, bias.unwrap_or(0), slices.stride]),
        bias: bias.is_some(),
        norm: false,
        residual: false,
        activation: Activation::None,
        slope: Activation::None,
        accumulate,
        half: options.half,
    };
    let numbers = Numbers {
        shape: [inputs, outputs, rows],
        operands: [x, dy, weight],
        bias: bias.unwrap_or(0),
        slice,
        stride: slices.stride,
        ..Numbers::default()
    };
    let label = "linear_parameter_gradient";
    dispatch(recorder, label, &product, [arena, slices.buffer], &numbers, slices.count)
}

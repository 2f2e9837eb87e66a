//! Matrix products: shaders and recording.

mod access;
mod epilogue;
mod kind;
mod shader;
mod tile;

pub(super) use access::finished;
pub(crate) use kind::{Product, ProductShader};
pub use tile::Tile;

use super::linear::{LinearArgs, LinearParameterGradientArgs, linear, linear_parameter_gradient};
use super::linear_transposed::{LinearInputGradientArgs, linear_input_gradient};
use crate::emit::LayerRecorder;
use crate::kernel::RuntimeChecks;
use crate::operand::NormOffsets;
use crate::{Buffer, GpuError, GpuRecorder, dispatch_size};

/// Operands of a product in a plan.
pub(crate) enum ProductArgs {
    Forward(LinearArgs),
    InputGradient(LinearInputGradientArgs),
    ParameterGradient(LinearParameterGradientArgs),
}

/// Records independent products of a plan.
pub(crate) fn record_products(
    layers: &mut LayerRecorder<'_>,
    products: Vec<ProductArgs>,
) -> Result<(), GpuError> {
    let (mut forward, mut of_inputs, mut of_parameters) = (Vec::new(), Vec::new(), Vec::new());
    for product in products {
        match product {
            ProductArgs::Forward(args) => forward.push(args),
            ProductArgs::InputGradient(args) => of_inputs.push(args),
            ProductArgs::ParameterGradient(args) => of_parameters.push(args),
        }
    }
    let LayerRecorder { arena, parameters, .. } = *layers;
    linear(layers.recorder, arena, parameters, &forward, None)?;
    linear_input_gradient(layers.recorder, arena, parameters, &of_inputs, None)?;
    if of_parameters.is_empty() {
        return Ok(());
    }
    let slices = layers.slices();
    linear_parameter_gradient(layers.recorder, arena, &slices, &of_parameters, None)
}

/// Uniforms of a product's shader, in the order of its uniform block.
#[derive(Default)]
pub(crate) struct ProductUniforms {
    pub shape: [usize; 3],
    pub operands: [usize; 3],
    pub bias: usize,
    pub residual: usize,
    pub saved: usize,
    pub norm: NormOffsets,
    pub slice: usize,
    pub stride: usize,
}

impl ProductUniforms {
    /// Returns the words of the uniform block.
    fn words(&self, product: &ProductShader) -> [u32; 16] {
        let ([m, n, k], [a, b, c]) = (self.shape, self.operands);
        let tiles_n = n.div_ceil(product.tile.n);
        let NormOffsets { scale, shift } = self.norm;
        let places = [self.bias, self.residual, self.saved, scale, shift, self.slice, self.stride];
        let mut words = [0; 16];
        for (word, number) in words.iter_mut().zip([m, n, k, tiles_n, a, b, c].into_iter().chain(places)) {
            *word = number as u32;
        }
        words
    }
}

/// Maximum number of products in one dispatch.
const MOST_TOGETHER: usize = 8;

/// Records independent products. Products with the same shader share a dispatch.
pub(crate) fn record(
    recorder: &mut GpuRecorder,
    label: &str,
    buffers: [&Buffer; 2],
    parts: Vec<(ProductShader, ProductUniforms)>,
    slices: usize,
) -> Result<(), GpuError> {
    let mut left = parts;
    while let Some(&(product, _)) = left.first() {
        let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(|(other, _)| *other == product);
        for parts in now.chunks(MOST_TOGETHER) {
            // Workgroup-memory indices are bounded by the tile, buffer indices by `check_bounds`.
            let kernel = recorder.gpu().compile(label, &product.wgsl(parts.len()), RuntimeChecks::None)?;
            let tiles = |numbers: &ProductUniforms| {
                numbers.shape[0].div_ceil(product.tile.m) * numbers.shape[1].div_ceil(product.tile.n)
            };
            let uniforms: Vec<u32> = parts.iter().flat_map(|(_, numbers)| numbers.words(&product)).collect();
            let mut groups =
                dispatch_size(parts.iter().map(|(_, numbers)| tiles(numbers)).max().unwrap_or(0));
            groups[2] = (parts.len() * slices) as u32;
            recorder.dispatch(&kernel, &buffers, &uniforms, groups);
        }
        left = later;
    }
    Ok(())
}

//! Matrix products: operands, shaders and recording.

mod args;
mod kind;
mod shader;
mod tile;

pub(crate) use args::ProductArgs;
pub use args::{LinearArgs, LinearInputGradientArgs, LinearParameterGradientArgs};
pub(crate) use kind::{Product, ProductShader};
pub(super) use shader::epilogue_values;
pub use tile::Tile;

use vivarium_kernels::epilogue::{Epilogue, EpilogueActivation, Norm};

use crate::operand::norm_uniforms;
use crate::{Buffer, GpuError, GpuRecorder, dispatch_size};

/// Uniforms of a matrix product's shader: sizes and word offsets of the operands. A shader reads only the uniforms that
/// its kind of product and its epilogue need.
#[derive(Default)]
pub(crate) struct ProductUniforms {
    pub shape: [usize; 3],
    pub operands: [usize; 3],
    pub bias: usize,
    pub residual: usize,
    pub saved: usize,
    pub norm: Option<Norm<usize>>,
    pub slice: usize,
    pub stride: usize,
}

/// Shader and uniforms of one matrix product.
pub(crate) type ProductPart = (ProductShader, ProductUniforms);

impl ProductUniforms {
    /// Returns names and values of the uniforms that the shader of `product` reads.
    fn named(&self, product: &ProductShader) -> Vec<(&'static str, usize)> {
        let ([m, n, k], [a, b, c]) = (self.shape, self.operands);
        let tiles_n = n.div_ceil(product.tile.n);
        let (bias, epilogue) = match product.product {
            Product::Forward { bias, epilogue } => (bias, epilogue),
            Product::InputGradient { epilogue } => (false, epilogue),
            Product::ParameterGradient { bias, .. } => (bias, Epilogue::default()),
        };
        let has_slope = matches!(epilogue.activation, EpilogueActivation::Gradient { .. });
        let all = [
            ("m", m, true),
            ("n", n, true),
            ("k", k, true),
            ("tiles_n", tiles_n, true),
            ("a", a, true),
            ("b", b, true),
            ("c", c, true),
            ("bias", self.bias, bias),
            ("residual", self.residual, epilogue.residual.is_some()),
            ("saved", self.saved, has_slope),
            ("slice", self.slice, true),
            ("stride", self.stride, product.is_parameter_gradient()),
        ];
        let used = all.into_iter().filter(|&(_, _, is_used)| is_used).map(|(name, word, _)| (name, word));
        used.chain(self.norm.iter().flat_map(norm_uniforms)).collect()
    }
}

/// Maximum number of matrix products that share a dispatch.
const MOST_TOGETHER: usize = 8;

/// Records independent matrix products, each divided into `slices` partial sums. Products with the same shader share a
/// dispatch.
pub(crate) fn record(
    recorder: &mut GpuRecorder,
    label: &str,
    [arena, other]: [&Buffer; 2],
    parts: Vec<ProductPart>,
    slices: usize,
) -> Result<(), GpuError> {
    let mut left = parts;
    while let Some(&(product, _)) = left.first() {
        let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(|(other, _)| *other == product);
        for parts in now.chunks(MOST_TOGETHER) {
            let tiles = |numbers: &ProductUniforms| {
                numbers.shape[0].div_ceil(product.tile.m) * numbers.shape[1].div_ceil(product.tile.n)
            };
            let mut groups =
                dispatch_size(parts.iter().map(|(_, numbers)| tiles(numbers)).max().unwrap_or(0));
            groups[2] = (parts.len() * slices) as u32;
            let shader = product.shader(label, parts.len()).buffers([("arena", arena), ("other", other)]);
            let shader = shader.uniform_sets(parts.iter().map(|(_, numbers)| numbers.named(&product)));
            // SAFETY: loops count to sizes of tiles and of the product. Workgroup-memory indices are bounded by the
            // tile, buffer indices by `check_bounds`.
            unsafe { shader.without_checks() }.record(recorder, groups)?;
        }
        left = later;
    }
    Ok(())
}

//! Matrix products: their shaders, and how they are recorded.

mod access;
mod epilogue;
mod form;
mod shader;
mod tile;

pub(crate) use access::activated;
pub(crate) use form::{Form, Product};
pub use tile::Tile;

use crate::operand::Norm;
use crate::{Buffer, GpuError, Recorder, spread};

/// The numbers of a product's shader, in the order of its uniform block.
#[derive(Default)]
pub(crate) struct Numbers {
    pub shape: [usize; 3],
    pub operands: [usize; 3],
    pub bias: usize,
    pub residual: usize,
    pub slope: usize,
    pub norm: Norm,
    pub slice: usize,
    pub stride: usize,
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

/// The most products that one shader computes.
const MOST_TOGETHER: usize = 8;

/// Records products with their numbers. Those of one shader run together, so that none may read or write what another one
/// writes.
pub(crate) fn record(
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

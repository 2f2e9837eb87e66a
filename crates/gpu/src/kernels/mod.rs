//! The kernels that networks are made of, recorded into a [`Recorder`](crate::Recorder).
//!
//! All values of a network lie in one buffer, the arena; its parameters in a second; the gradients of its parameters in a
//! third, as partial sums over parts of the rows ([`Slices`]), so that they can be added up in the same order on every run.
//! Operands are named by their word offsets in these. Matrices are row-major and contiguous.

mod access;
mod epilogue;
mod layer_norm;
mod linear;
mod product;
#[cfg(feature = "sequences")]
mod sequences;
mod tile;

pub use layer_norm::{
    ColumnSums, LayerNorm, LayerNormGradient, RowSums, column_sums, layer_norm, layer_norm_gradient,
    layer_norm_gradient_with, layer_norm_with,
};
pub use linear::{
    InputGradient, Linear, ParameterGradient, Slope, linear, linear_input_gradient, linear_parameter_gradient,
};
#[cfg(feature = "sequences")]
pub use sequences::{
    Attention, AttentionGradient, EmbeddingGradient, Head, HeadGradient, WIDEST_HEAD, attention,
    attention_gradient, embedding_gradient, head_gradient, head_loss,
};
pub use tile::Tile;

use crate::Buffer;

/// WGSL functions for kernels to include: `safe_tanh`, `safe_exp`, `safe_sigmoid` on numbers, `safe_tanh4`, `safe_exp4`,
/// `relu4`, `gelu4` and the slopes `relu_slope4`, `tanh_slope4`, `gelu_slope4` on vectors of four, with the CPU engine's
/// formulas and stated errors.
pub const MATH_WGSL: &str = include_str!("math.wgsl");

/// Where a layer norm's parameters lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Norm {
    /// \[width\].
    pub scale: usize,
    /// \[width\].
    pub shift: usize,
}

/// Gradients as partial sums: slice s holds, at `s * stride`, one number a parameter, summed over the s-th part of the rows.
#[derive(Clone, Copy, Debug)]
pub struct Slices<'a> {
    /// Where they lie.
    pub buffer: &'a Buffer,
    /// How many.
    pub count: usize,
    /// From one to the next, in words: the length of the parameters, or a little more.
    pub stride: usize,
}

impl Slices<'_> {
    /// Rows of a slice.
    pub fn rows(&self, rows: usize) -> usize {
        rows.div_ceil(self.count)
    }

    fn hold(&self, what: &str, start: usize, len: usize) {
        holds(self.buffer, what, (self.count - 1) * self.stride + start, len);
    }

    /// How many slices to cut so many rows into for a network of so many parameters: enough for a large GPU to be busy, few
    /// enough that adding them up costs little.
    pub fn count_for(rows: usize, parameters: usize) -> usize {
        /// Rows that are worth a slice.
        const ROWS: usize = 128;
        const MOST: usize = 128;
        /// Numbers that all slices may hold together (64 MiB).
        const NUMBERS: usize = 16 << 20;
        (rows / ROWS).min(MOST).min(NUMBERS / parameters.max(1)).max(1)
    }
}

/// That an operand lies within its buffer.
fn holds(buffer: &Buffer, what: &str, start: usize, len: usize) {
    assert!(start + len <= buffer.len(), "{what} ({len} words at {start}) goes beyond {buffer:?}");
}

/// Whether all of these are multiples of four.
fn fours(words: &[usize]) -> bool {
    words.iter().all(|&word| word.is_multiple_of(4))
}

//! Kinds of matrix products, and the parameters of their shaders.

use vivarium_graph::Activation;

use super::tile::Tile;

/// Kind of matrix product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProductKind {
    /// y = x·W, x in the arena and W in the other buffer.
    Forward,
    /// dx = dy·Wᵀ, dy in the arena and W in the other buffer.
    InputGradient,
    /// dW = xᵀ·dy, with x and dy in the arena, as partial sums over slices of the rows. The result is in the other
    /// buffer.
    ParameterGradient,
}

/// Parameters of the generated WGSL of a product. The shader binds two buffers: the arena and the *other buffer*, which
/// holds parameters or gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProductShader {
    pub kind: ProductKind,
    pub tile: Tile,
    /// Whether the arena is accessed as vectors of four: all its widths and offsets are multiples of four.
    pub arena_fours: bool,
    /// Whether the other buffer is accessed as vectors of four.
    pub other_fours: bool,
    /// Forward: whether a bias is added. Parameter gradient: whether the bias gradient, the column sums of dy, is
    /// computed.
    pub bias: bool,
    /// Forward: whether a layer norm follows the bias. The tile then contains whole rows.
    pub norm: bool,
    /// Whether a residual, a matrix in the arena, is added.
    pub residual: bool,
    /// Forward: the activation, applied last.
    pub activation: Activation,
    /// Input gradient: the activation whose derivative multiplies the result.
    pub slope: Activation,
    /// Parameter gradient: whether the result is added to the gradient slice instead of overwriting it.
    pub accumulate: bool,
}

/// The components of a vector in WGSL.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

impl ProductShader {
    /// Returns a product without epilogue.
    pub(crate) fn plain(kind: ProductKind, tile: Tile) -> Self {
        Self {
            kind,
            tile,
            arena_fours: false,
            other_fours: false,
            bias: false,
            norm: false,
            residual: false,
            activation: Activation::None,
            slope: Activation::None,
            accumulate: false,
        }
    }

    /// Returns the number of quads (four adjacent columns) in a row of an invocation's result.
    pub(super) fn quads(&self) -> usize {
        self.tile.per_n / 4
    }
}

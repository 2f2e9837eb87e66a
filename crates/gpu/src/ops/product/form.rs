//! The forms of a matrix product, and what a shader of one depends on.

use vivarium_graph::Activation;

use super::tile::Tile;

/// Which product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// y = x·W, x in the arena and W in the other buffer.
    Forward,
    /// dx = dy·Wᵀ, dy in the arena and W in the other buffer.
    InputGradient,
    /// dW = xᵀ·dy, both in the arena, slice by slice of the rows; the result goes to the other buffer.
    ParameterGradient,
}

/// A shader, but for its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Product {
    pub form: Form,
    pub tile: Tile,
    /// Whether the arena is read and written by fours: all its widths and offsets are multiples of four.
    pub arena_fours: bool,
    /// Likewise for the other buffer.
    pub other_fours: bool,
    /// Forward: adds a bias. Parameter gradient: sums the columns of dy for one.
    pub bias: bool,
    /// Forward: a layer norm after the bias; the tile holds whole rows.
    pub norm: bool,
    /// Adds a matrix of the arena.
    pub residual: bool,
    /// Forward: the activation after all else.
    pub activation: Activation,
    /// Input gradient: what the result is multiplied with the slope of.
    pub slope: Activation,
    /// Parameter gradient: adds to the slice in place of overwriting it.
    pub accumulate: bool,
}

/// The components of a vector in WGSL.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

impl Product {
    /// A product by itself: nothing is added, normalized or activated.
    pub(crate) fn plain(form: Form, tile: Tile) -> Self {
        Self {
            form,
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

    /// Quads of columns that an invocation holds.
    pub(super) fn quads(&self) -> usize {
        self.tile.per_n / 4
    }
}

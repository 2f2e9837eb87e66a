//! Kinds of matrix products, and the parameters of their shaders.

use vivarium_kernels::epilogue::Epilogue;

use super::tile::Tile;

/// Kind of a linear layer's matrix product, with its epilogue. The shader binds two buffers: the arena (all values of
/// the plan) and the *other buffer*, which holds the parameters or their gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Product {
    /// Forward pass y = epilogue(x·W + b), with x in the arena, W and b in the other buffer.
    Forward {
        /// Whether the kernel adds a bias b to the product x·W.
        bias: bool,
        /// Operations that the kernel applies to its result: norm, residual, activation. With a norm, a workgroup
        /// computes whole rows of the result.
        epilogue: Epilogue<(), ()>,
    },
    /// Input gradient dx = epilogue(dy·Wᵀ), with dy in the arena and W in the other buffer.
    InputGradient { epilogue: Epilogue<(), ()> },
    /// Weight gradient dW = xᵀ·dy as partial sums over slices of the rows, with x and dy in the arena. The gradient is
    /// written to the other buffer.
    ParameterGradient {
        /// Whether the kernel also computes the bias gradient, the column sums of the output gradient dy.
        bias: bool,
        /// Whether the kernel adds the gradients to the gradient slices (gradients summed over parts of the batch)
        /// instead of overwriting them.
        accumulate: bool,
    },
}

/// Parameters from which the WGSL of a matrix product is generated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProductShader {
    pub product: Product,
    pub tile: Tile,
    /// Whether the shader accesses the arena as vectors of four f32 values. This requires that all widths and offsets
    /// of the operands in the arena are multiples of four.
    pub arena_fours: bool,
    /// Whether the shader accesses the other buffer (parameters or gradients) as vectors of four f32 values.
    pub other_fours: bool,
}

impl ProductShader {
    /// Returns whether the product computes the gradient of parameters, which the shader writes to the other buffer.
    pub(super) fn is_parameter_gradient(&self) -> bool {
        matches!(self.product, Product::ParameterGradient { .. })
    }

    /// Returns whether the shader also computes the bias gradient, the column sums of the output gradient dy.
    pub(super) fn sums_columns(&self) -> bool {
        matches!(self.product, Product::ParameterGradient { bias: true, .. })
    }

    /// Returns the number of quads (groups of four adjacent columns) in a row of the result elements that one
    /// invocation computes.
    pub(super) fn quads(&self) -> usize {
        self.tile.per_n / 4
    }
}

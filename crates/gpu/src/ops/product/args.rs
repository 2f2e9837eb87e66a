//! Operands of matrix products: offsets in the arena, in the parameter buffer and in gradient slices.

use crate::operand::OperandEpilogue;

/// Operands of [`linear`](crate::ops::linear()): y = epilogue(x·W + b). Offsets of x and y are in the arena, offsets of
/// W and b in the parameter buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearArgs {
    /// Number of rows of the input x and of the output y.
    pub rows: usize,
    /// Number of columns of the input x.
    pub inputs: usize,
    /// Number of columns of the output y.
    pub outputs: usize,
    /// Word offset in the arena of the input x, \[rows, inputs\].
    pub x: usize,
    /// Word offset in the arena to which the output y is written, `[rows, outputs]`. The output may overwrite the
    /// residual, but not x.
    pub y: usize,
    /// Word offset of the weight W in the parameter buffer, \[inputs, outputs\].
    pub weight: usize,
    /// Word offset of the bias b in the parameter buffer, \[outputs\].
    pub bias: Option<usize>,
    /// Norm, residual addition and activation that the kernel applies to x·W + b.
    pub epilogue: OperandEpilogue,
}

/// Operands of [`linear_input_gradient`](crate::ops::linear_input_gradient()): dx = epilogue(dy·Wᵀ). The offset of W is
/// in the parameter buffer, all other offsets are in the arena.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearInputGradientArgs {
    /// Number of rows of the input gradient dx and of the output gradient dy.
    pub rows: usize,
    /// Number of columns of the input gradient dx.
    pub inputs: usize,
    /// Number of columns of the output gradient dy.
    pub outputs: usize,
    /// Word offset in the arena of the output gradient dy, \[rows, outputs\].
    pub dy: usize,
    /// Word offset in the arena to which the input gradient dx is written, `[rows, inputs]`. The gradient may overwrite
    /// the residual, but not dy.
    pub dx: usize,
    /// Word offset of the weight W in the parameter buffer, \[inputs, outputs\].
    pub weight: usize,
    /// Operations that the kernel applies to the input gradient dy·Wᵀ: addition of another contribution to the gradient
    /// (the residual), and multiplication by the derivative of the activation that computed the layer's input. A norm
    /// is not allowed.
    pub epilogue: OperandEpilogue,
}

/// Operands of [`linear_parameter_gradient`](crate::ops::linear_parameter_gradient()): dW = xᵀ·dy, and db = the column
/// sums of dy. Offsets of x and dy are in the arena, offsets of dW and db are in each gradient slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearParameterGradientArgs {
    /// Number of rows of the input x and of the output gradient dy.
    pub rows: usize,
    /// Number of columns of the input x.
    pub inputs: usize,
    /// Number of columns of the output gradient dy.
    pub outputs: usize,
    /// Word offset in the arena of the input x, \[rows, inputs\].
    pub x: usize,
    /// Word offset in the arena of the output gradient dy, \[rows, outputs\].
    pub dy: usize,
    /// Word offset of the weight gradient dW, `[inputs, outputs]`, in each gradient slice (gradients summed over a part
    /// of the batch).
    pub weight: usize,
    /// Word offset of the bias gradient db, `[outputs]`, in each gradient slice (gradients summed over a part of the
    /// batch).
    pub bias: Option<usize>,
    /// Whether the kernel adds dW and db to the gradient slices (gradients summed over parts of the batch) instead of
    /// overwriting them. True for a parameter that is used twice.
    pub accumulate: bool,
}

/// Operands of a plan step that the matrix-product kernel computes: one variant for each kind of product.
pub(crate) enum ProductArgs {
    Forward(LinearArgs),
    InputGradient(LinearInputGradientArgs),
    ParameterGradient(LinearParameterGradientArgs),
}

//! The operations of a graph: the whole vocabulary that an engine must speak.
//!
//! Shapes are per row; `…` stands for any leading dimensions (lines), which an operation leaves as they are. What an
//! operation does is in the file of `ops` that has its name: how it is built, its shape, gradient and reference, and how the
//! CPU runs it. A match over operations names every one, so that the compiler finds each place that a new one needs.

use crate::elementwise::{Binary, Unary};
use crate::ids::{InputId, ParameterId};
use crate::shape::Shape;

/// ε, which [`Op::LayerNorm`] adds to the variance.
pub const LAYER_NORM_EPSILON: f32 = 1e-5;

/// The two parameters of a layer norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerNormParameters {
    /// \[n\].
    pub scale: ParameterId,
    /// \[n\].
    pub shift: ParameterId,
}

/// One operation of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    // Sources.
    /// () → the declared shape. Rows that the caller passes in.
    Input(InputId),
    /// () → \[1\]. One number that the caller passes in, the same for every row: a coefficient that changes while training.
    Setting(InputId),
    /// () → the parameter's shape, repeated on every row.
    Parameter(ParameterId),
    /// () → \[1\]. The same number on every row.
    Constant(f32),
    /// () → \[1\]. The weight of a row in the summed loss (1/B for a mean): where a gradient starts.
    Seed,

    // Layers.
    /// x \[…, k\] → \[…, n\]: x·W + b with W \[k, n\] and b \[n\].
    Linear {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// b.
        bias: Option<ParameterId>,
    },
    /// x \[…, n\] → \[…, k\]: x·Wᵀ with W \[k, n\]. Also the gradient of a linear layer's input.
    LinearTransposed {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },
    /// index \[…, k\] → \[…, n\]: the sum of the rows of the table \[entries, n\] that the indices pick. An index is a whole
    /// number stored as f32, exact up to 2²⁴; one out of range picks the nearest end.
    Embedding {
        /// Row-major \[entries, n\].
        table: ParameterId,
    },
    /// x \[…, n\] → \[…, n\]: (x − mean)/√(variance + ε)·scale + shift over each line (Ba, Kiros and Hinton 2016).
    LayerNorm(LayerNormParameters),
    /// qkv \[tokens, 3·width\] → \[tokens, width\] and \[tokens, heads\]: causal self-attention over the queries, keys and
    /// values of all heads; the second result is the logarithm of the sum of each head's exponentiated scores.
    Attention {
        /// The number of heads.
        heads: usize,
    },
    /// (x \[…, n\], target \[…, 1\]) → \[…, 1\]: the cross-entropy of the logits x·Wᵀ with W \[k, n\], −log softmax at the
    /// target, an index as [`Op::Gather`] has it.
    HeadLoss {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },

    // Element by element.
    /// x \[…, n\] → \[…, n\].
    Unary(Unary),
    /// (a \[…, n\], b \[…, n\]) → \[…, n\], where either width may be 1.
    Binary(Binary),
    /// (condition \[…, n\], a \[…, n\], b \[…, n\]) → \[…, n\]: a where the condition is above 0, else b.
    Select,

    // Line by line.
    /// x \[…, n\] → \[…, n\]: eˣ over its sum.
    Softmax,
    /// x \[…, n\] → \[…, n\]: the logarithm of the softmax, computed without overflow.
    LogSoftmax,
    /// (x \[…, n\], index \[…, 1\]) → \[…, 1\]: the number that the index picks. An index is a whole number stored as f32,
    /// exact up to 2²⁴; one out of range picks the nearest end.
    Gather,
    /// x \[…, n\] → \[…, 1\]: the sum of each line.
    Sum,
    /// x \[…, 1\] → \[…, n\]: each number, n times.
    Repeat(usize),
    /// (a \[…, m\], b \[…, n\]) → \[…, m + n\].
    Concat,
    /// x \[…, n\] → \[…, width\]: a run of columns.
    Slice {
        /// The first column.
        start: usize,
        /// The number of columns.
        width: usize,
    },
    /// x → the same numbers in another shape, or in another place.
    Reshape(Shape),
    /// x → x, where a gradient stops.
    StopGradient,

    /// The operations that only gradients use.
    Gradient(GradientOp),
}

/// An operation that only gradients use. "Adds to the gradient of a parameter" is a side effect: such operations are the
/// sinks of a gradient graph, and the only ones that combine several rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GradientOp {
    /// dy: adds the sum over the rows to the gradient of a parameter of its shape.
    Parameter(ParameterId),
    /// (x \[…, k\], dy \[…, n\]): adds xᵀ·dy to the gradient of the weight, and the column sums of dy to that of the bias.
    Linear {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// b.
        bias: Option<ParameterId>,
    },
    /// (index \[…, k\], dy \[…, n\]): adds dy to the gradients of the rows that the indices pick.
    Embedding {
        /// Row-major \[entries, n\].
        table: ParameterId,
    },
    /// (x, dy) → dx for the layer norm of x; adds to the gradients of scale and shift.
    LayerNorm(LayerNormParameters),
    /// (qkv, y, log-sums, dy) → dqkv, from the operand and both results of the attention.
    Attention {
        /// The number of heads.
        heads: usize,
    },
    /// (x \[…, n\], target \[…, 1\], d \[…, 1\]) → dx \[…, n\] and the losses \[…, 1\] again; adds to the gradient of the weight.
    HeadLoss {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },
    /// (x or y, dy) → dx. [`Unary::slope`] says which of the two.
    Unary(Unary),
    /// (y, dy) → dx, from the softmax y.
    Softmax,
    /// (y, dy) → dx, from the log-softmax y.
    LogSoftmax,
    /// (index \[…, 1\], d \[…, 1\], y \[…, n\]) → \[…, n\]: the gradient of y\[index\] weighted by d, for a log-softmax y, with
    /// respect to the log-softmax's operand: d − eʸ·d where the index points, −eʸ·d elsewhere.
    CrossEntropy,
    /// (index \[…, 1\], d \[…, 1\]) → \[…, n\]: zeros, and d where the index points.
    Scatter(usize),
    /// x \[…, width\] → \[…, n\]: zeros, and x from the column `start` on.
    Pad {
        /// The first column of x.
        start: usize,
        /// n.
        width: usize,
    },
}

impl Op {
    /// The name that errors and listings use.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Input(_) => "input",
            Op::Setting(_) => "setting",
            Op::Parameter(_) => "parameter",
            Op::Constant(_) => "constant",
            Op::Seed => "seed",
            Op::Linear { .. } => "linear",
            Op::LinearTransposed { .. } => "linear_transposed",
            Op::Embedding { .. } => "embedding",
            Op::LayerNorm(_) => "layer_norm",
            Op::Attention { .. } => "attention",
            Op::HeadLoss { .. } => "head_loss",
            Op::Unary(unary) => unary.name(),
            Op::Binary(binary) => binary.name(),
            Op::Select => "select",
            Op::Softmax => "softmax",
            Op::LogSoftmax => "log_softmax",
            Op::Gather => "gather",
            Op::Sum => "sum",
            Op::Repeat(_) => "repeat",
            Op::Concat => "concat",
            Op::Slice { .. } => "slice",
            Op::Reshape(_) => "reshape",
            Op::StopGradient => "stop_gradient",
            Op::Gradient(op) => op.name(),
        }
    }
}

impl GradientOp {
    /// The name that errors and listings use.
    pub fn name(&self) -> &'static str {
        match self {
            GradientOp::Parameter(_) => "parameter_gradient",
            GradientOp::Linear { .. } => "linear_gradient",
            GradientOp::Embedding { .. } => "embedding_gradient",
            GradientOp::LayerNorm(_) => "layer_norm_gradient",
            GradientOp::Attention { .. } => "attention_gradient",
            GradientOp::HeadLoss { .. } => "head_loss_gradient",
            GradientOp::Unary(_) => "unary_gradient",
            GradientOp::Softmax => "softmax_gradient",
            GradientOp::LogSoftmax => "log_softmax_gradient",
            GradientOp::CrossEntropy => "cross_entropy_gradient",
            GradientOp::Scatter(_) => "scatter",
            GradientOp::Pad { .. } => "pad",
        }
    }

    /// Whether running it changes gradients, so that it must run even if nothing reads its results.
    pub fn adds_to_gradients(&self) -> bool {
        match self {
            GradientOp::Parameter(_)
            | GradientOp::Linear { .. }
            | GradientOp::Embedding { .. }
            | GradientOp::LayerNorm(_)
            | GradientOp::HeadLoss { .. } => true,
            GradientOp::Attention { .. }
            | GradientOp::Unary(_)
            | GradientOp::Softmax
            | GradientOp::LogSoftmax
            | GradientOp::CrossEntropy
            | GradientOp::Scatter(_)
            | GradientOp::Pad { .. } => false,
        }
    }
}

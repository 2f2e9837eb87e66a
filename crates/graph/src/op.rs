//! The operations of a graph.
//!
//! All shapes are per row; `…` stands for any leading dimensions. The file of the same name in `ops` defines the
//! builder method, shape rule, gradient rule, f64 reference and CPU kernel of an operation. Matches over [`Op`] have no
//! wildcard, so that the compiler reports each place where a new operation needs code.

use crate::elementwise::{Binary, Unary};
use crate::ids::{InputId, ParameterId};
use crate::shape::Shape;

/// ε of [`Op::LayerNorm`], added to the variance.
pub const LAYER_NORM_EPSILON: f32 = 1e-5;

/// Learned parameters of a layer norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerNormParameters {
    /// Gain γ, \[n\].
    pub scale: ParameterId,
    /// Offset β, \[n\].
    pub shift: ParameterId,
}

/// An operation of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    // Sources.
    /// () → the declared shape: rows of an input.
    Input(InputId),
    /// () → \[1\]: a scalar input that all rows share, such as a coefficient that changes during training.
    Setting(InputId),
    /// () → the parameter's shape: the parameter, repeated for each row.
    Parameter(ParameterId),
    /// () → \[1\]: a constant.
    Constant(f32),
    /// () → \[1\]: weight of a row in the summed loss (1/B for the mean), the seed of backpropagation.
    Seed,

    // Layers.
    /// x \[…, k\] → \[…, n\]: x·W + b with W \[k, n\] and b \[n\].
    Linear {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// Bias b, \[n\].
        bias: Option<ParameterId>,
    },
    /// x \[…, n\] → \[…, k\]: x·Wᵀ with W \[k, n\]. Also the input gradient of a linear layer.
    LinearTransposed {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },
    /// index \[…, k\] → \[…, n\]: sum of the rows of a table \[entries, n\] that the indices select. Indices are whole
    /// numbers stored as f32 (exact up to 2²⁴); an index out of range is clamped.
    Embedding {
        /// Embedding table, row-major \[entries, n\].
        table: ParameterId,
    },
    /// x \[…, n\] → \[…, n\]: layer norm over the last dimension, (x − mean)/√(variance + ε)·γ + β (Ba, Kiros and
    /// Hinton 2016, <https://arxiv.org/abs/1607.06450>).
    LayerNorm(LayerNormParameters),
    /// qkv \[tokens, 3·width\] → \[tokens, width\] and \[tokens, heads\]: causal multi-head self-attention. The second
    /// result is the log-sum-exp of the attention scores of each head, which the gradient reads.
    Attention {
        /// Number of heads.
        heads: usize,
    },
    /// (x \[…, n\], target \[…, 1\]) → \[…, 1\]: cross-entropy of the logits x·Wᵀ, with W \[k, n\], at the target
    /// index.
    HeadLoss {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },

    // Element-wise.
    /// x \[…, n\] → \[…, n\].
    Unary(Unary),
    /// (a \[…, n\], b \[…, n\]) → \[…, n\], where either width may be 1.
    Binary(Binary),
    /// (condition \[…, n\], a \[…, n\], b \[…, n\]) → \[…, n\]: a where the condition is greater than 0, else b.
    Select,

    // Along the last dimension.
    /// x \[…, n\] → \[…, n\]: softmax over the last dimension.
    Softmax,
    /// x \[…, n\] → \[…, n\]: log-softmax over the last dimension.
    LogSoftmax,
    /// (x \[…, n\], index \[…, 1\]) → \[…, 1\]: x\[index\]. Indices are whole numbers stored as f32 (exact up to 2²⁴);
    /// an index out of range is clamped.
    Gather,
    /// x \[…, n\] → \[…, 1\]: sum over the last dimension.
    Sum,
    /// x \[…, 1\] → \[…, n\]: repeats the last dimension n times.
    Repeat(usize),
    /// (a \[…, m\], b \[…, n\]) → \[…, m + n\]: concatenation along the last dimension.
    Concat,
    /// x \[…, n\] → \[…, width\]: x\[start .. start + width\] along the last dimension.
    Slice {
        /// First column.
        start: usize,
        /// Number of columns.
        width: usize,
    },
    /// x → the same elements in another shape (a copy in a compiled plan).
    Reshape(Shape),
    /// x → x, with a zero gradient.
    StopGradient,

    /// An operation of the gradient graph.
    Gradient(GradientOp),
}

/// An operation that only gradient graphs contain.
///
/// Some operations add to the gradient of a parameter, as a side effect. Only these operations combine several rows of
/// a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GradientOp {
    /// dy: adds the sum of dy over the rows to the gradient of a parameter.
    Parameter(ParameterId),
    /// (x \[…, k\], dy \[…, n\]): adds xᵀ·dy to the weight gradient, and the column sums of dy to the bias gradient.
    Linear {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// Bias b, \[n\].
        bias: Option<ParameterId>,
    },
    /// (index \[…, k\], dy \[…, n\]): adds dy to the gradients of the table rows that the indices select.
    Embedding {
        /// Embedding table, row-major \[entries, n\].
        table: ParameterId,
    },
    /// (x, dy) → dx of a layer norm; also accumulates the gradients of its gain and offset.
    LayerNorm(LayerNormParameters),
    /// (qkv, y, log-sum-exp, dy) → dqkv, where y and log-sum-exp are the results of [`Op::Attention`].
    Attention {
        /// Number of heads.
        heads: usize,
    },
    /// (x \[…, n\], target \[…, 1\], d \[…, 1\]) → dx \[…, n\] and the losses \[…, 1\]; also accumulates the weight
    /// gradient.
    HeadLoss {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },
    /// (x or y, dy) → dx; [`Unary::slope`] defines which of the two the derivative reads.
    Unary(Unary),
    /// (y, dy) → dx, with the softmax result y.
    Softmax,
    /// (y, dy) → dx, with the log-softmax result y.
    LogSoftmax,
    /// (index \[…, 1\], d \[…, 1\], y \[…, n\]) → \[…, n\]: gradient of d·y\[index\] with respect to the logits, where
    /// y is a log-softmax: d·(onehot(index) − eʸ).
    CrossEntropy,
    /// (index \[…, 1\], d \[…, 1\]) → \[…, n\]: d at the index, zeros elsewhere.
    Scatter(usize),
    /// x \[…, width\] → \[…, n\]: x from column `start` on, zeros elsewhere.
    Pad {
        /// First column of x in the result.
        start: usize,
        /// Width of the result, n.
        width: usize,
    },
}

impl Op {
    /// Returns the operation's name for error messages and listings.
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
    /// Returns the operation's name for error messages and listings.
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

    /// Returns whether the operation accumulates parameter gradients. Such an operation runs even if its results are
    /// not read.
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

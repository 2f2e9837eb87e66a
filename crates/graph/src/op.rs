//! The operations of a graph, as data: the type of each operation, [`Op`] as the type of any, and their list.
//!
//! [`for_each_op!`](crate::for_each_op) is the only list of operations. [`Op`] is generated from the list here, the
//! dispatch to an operation's file in `ops`, and the dispatch to the GPU in `vivarium-gpu`. To add an operation, add its
//! type and its row here, its file in `ops`, and its file in `gpu/src/ops`; the compiler reports what is missing.
//!
//! All shapes are per row; `…` stands for any leading dimensions.

use vivarium_kernels::epilogue::Norm;

pub use crate::elementwise::{Binary, Unary};
use crate::ids::{InputId, ParameterId};
use crate::shape::Shape;

/// () → the declared shape: an input, with one entry from the caller for each row of the batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InputOp(pub InputId);

/// () → \[1\]: a scalar input that all rows share, such as a coefficient that changes during training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SettingOp(pub InputId);

/// () → \[1\]: a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantOp(pub f32);

/// () → \[1\]: weight of a row in the summed loss (1/B for the mean), the seed of backpropagation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeedOp;

/// () → the parameter's shape: the parameter as a value, the same for each row of the batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterOp(pub ParameterId);

/// dy → (): adds the sum of dy over the rows of the batch to the gradient of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterGradientOp(pub ParameterId);

/// x \[…, k\] → \[…, n\]: linear layer x·W + b with weight W \[k, n\] and bias b \[n\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearOp {
    /// Weight W, row-major \[k, n\].
    pub weight: ParameterId,
    /// Bias b, \[n\].
    pub bias: Option<ParameterId>,
}

/// (x \[…, k\], dy \[…, n\]): adds xᵀ·dy to the weight gradient, and the column sums of dy to the bias gradient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearGradientOp(pub LinearOp);

/// x \[…, n\] → \[…, k\]: x·Wᵀ with W \[k, n\]. Also the input gradient of a linear layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearTransposedOp {
    /// Weight W, row-major \[k, n\].
    pub weight: ParameterId,
}

/// index \[…, k\] → \[…, n\]: sum of the rows of the embedding table that the k indices select. Indices are whole
/// numbers stored as f32 (exact up to 2²⁴); an index out of range is clamped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbeddingOp {
    /// Embedding table, row-major \[entries, n\].
    pub table: ParameterId,
}

/// (index \[…, k\], dy \[…, n\]): adds dy to the gradients of the table rows that the indices select.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbeddingGradientOp {
    /// Embedding table, row-major \[entries, n\].
    pub table: ParameterId,
}

/// x \[…, n\] → \[…, n\]: layer norm over the last dimension, (x − mean)/√(variance + ε)·γ + β (Ba, Kiros and Hinton
/// 2016, <https://arxiv.org/abs/1607.06450>), or root-mean-square norm, γ·x/√(mean(x²) + ε) (Zhang and Sennrich 2019,
/// <https://arxiv.org/abs/1910.07467>). Each parameter is \[n\].
pub type NormOp = Norm<ParameterId>;

/// (x, dy) → dx of a norm; also accumulates the gradients of its gain and offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NormGradientOp(pub NormOp);

/// (x or y, dy) → dx; [`Unary::slope`] defines which of the two the derivative reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnaryGradientOp(pub Unary);

/// (condition \[…, n\], a \[…, n\], b \[…, n\]) → \[…, n\]: a where the condition is greater than 0, else b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectOp;

/// x \[…, n\] → \[…, n\]: softmax over the last dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftmaxOp;

/// x \[…, n\] → \[…, n\]: log-softmax over the last dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogSoftmaxOp;

/// (y, dy) → dx: gradient of the softmax y = softmax(x), computed from y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftmaxGradientOp;

/// (y, dy) → dx: gradient of the log-softmax y = log_softmax(x), computed from y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogSoftmaxGradientOp;

/// (index \[…, 1\], d \[…, 1\], y \[…, n\]) → \[…, n\]: gradient of d·y\[index\] with respect to the logits, where y is
/// their log-softmax: d·(onehot(index) − eʸ).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossEntropyGradientOp;

/// (x \[…, n\], index \[…, 1\]) → \[…, 1\]: x\[index\] along the last dimension. Indices are whole numbers stored as
/// f32 (exact up to 2²⁴); an index out of range is clamped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GatherOp;

/// (index \[…, 1\], d \[…, 1\]) → \[…, n\]: d in the column that the index selects, zeros elsewhere. The field is n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScatterOp(pub usize);

/// x \[…, n\] → \[…, 1\]: sum over the last dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SumOp;

/// x \[…, 1\] → \[…, n\]: repeats each element n times along the last dimension. The field is n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepeatOp(pub usize);

/// (a \[…, m\], b \[…, n\]) → \[…, m + n\]: concatenation along the last dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConcatOp;

/// x \[…, n\] → \[…, width\]: the columns `start .. start + width` of x along the last dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SliceOp {
    /// First column of x in the slice.
    pub start: usize,
    /// Number of columns of the slice.
    pub width: usize,
}

/// x \[…, m\] → \[…, n\]: zero padding. x becomes the columns `start .. start + m` of the result; all other columns are
/// zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PadOp {
    /// Column of the result at which x starts.
    pub start: usize,
    /// Width of the result, n.
    pub width: usize,
}

/// x → the same elements in another shape (a copy in a compiled plan).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReshapeOp(pub Shape);

/// x → x, with a zero gradient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopGradientOp;

/// qkv \[tokens, 3·width\] → \[tokens, width\] and \[tokens, heads\]: causal multi-head self-attention. The second
/// result is the log-sum-exp of the attention scores of each head, which the gradient reads.
#[cfg(feature = "sequences")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttentionOp {
    /// Number of attention heads.
    pub heads: usize,
}

/// (qkv, y, log-sum-exp, dy) → dqkv, where y and log-sum-exp are the results of [`AttentionOp`].
#[cfg(feature = "sequences")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttentionGradientOp {
    /// Number of attention heads.
    pub heads: usize,
}

/// (x \[…, n\], target \[…, 1\]) → \[…, 1\]: cross-entropy of the logits x·Wᵀ at the target index.
#[cfg(feature = "sequences")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadLossOp {
    /// Weight W of the output head, row-major \[k, n\], for a vocabulary of k entries.
    pub weight: ParameterId,
}

/// (x \[…, n\], target \[…, 1\], d \[…, 1\]) → dx \[…, n\] and the losses \[…, 1\] of a [`HeadLossOp`], where d is the
/// gradient of the losses; also accumulates the weight gradient.
#[cfg(feature = "sequences")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadLossGradientOp {
    /// Weight W of the output head, row-major \[k, n\], for a vocabulary of k entries.
    pub weight: ParameterId,
}

/// Calls a macro with the list of operations: for each file in `ops`, the variants of [`Op`] with their types.
#[macro_export]
macro_rules! for_each_op {
    ($with:ident) => {
        $crate::with_sequence_ops! { $with {
            source: Input(InputOp), Setting(SettingOp), Constant(ConstantOp), Seed(SeedOp);
            parameter: Parameter(ParameterOp), ParameterGradient(ParameterGradientOp);
            linear: Linear(LinearOp), LinearGradient(LinearGradientOp);
            linear_transposed: LinearTransposed(LinearTransposedOp);
            embedding: Embedding(EmbeddingOp), EmbeddingGradient(EmbeddingGradientOp);
            norm: Norm(NormOp), NormGradient(NormGradientOp);
            unary: Unary(Unary), UnaryGradient(UnaryGradientOp);
            binary: Binary(Binary);
            select: Select(SelectOp);
            softmax: Softmax(SoftmaxOp), LogSoftmax(LogSoftmaxOp), SoftmaxGradient(SoftmaxGradientOp),
                LogSoftmaxGradient(LogSoftmaxGradientOp), CrossEntropyGradient(CrossEntropyGradientOp);
            gather: Gather(GatherOp), Scatter(ScatterOp);
            sum: Sum(SumOp), Repeat(RepeatOp);
            columns: Concat(ConcatOp), Slice(SliceOp), Pad(PadOp);
            reshape: Reshape(ReshapeOp), StopGradient(StopGradientOp);
        } }
    };
}

/// Adds the operations of the feature `sequences` to the list of [`for_each_op!`](crate::for_each_op).
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "sequences")]
macro_rules! with_sequence_ops {
    ($with:ident { $($rows:tt)+ }) => {
        $with! {
            $($rows)+
            attention: Attention(AttentionOp), AttentionGradient(AttentionGradientOp);
            head_loss: HeadLoss(HeadLossOp), HeadLossGradient(HeadLossGradientOp);
        }
    };
}

/// Calls the macro `$with` with the unchanged list of [`for_each_op!`](crate::for_each_op), because the feature
/// `sequences` is disabled.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "sequences"))]
macro_rules! with_sequence_ops {
    ($with:ident { $($rows:tt)+ }) => {
        $with! { $($rows)+ }
    };
}

macro_rules! define_op {
    ($($file:ident: $($variant:ident($op:ident)),+;)+) => {
        /// An operation of a graph.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Op {
            $($(#[doc = concat!("See [`", stringify!($op), "`].")]
            $variant($op),)+)+
        }

        $($(impl From<$op> for Op {
            fn from(op: $op) -> Self {
                Op::$variant(op)
            }
        })+)+
    };
}
for_each_op!(define_op);

//! The operations of a graph, as data: the type of each operation, [`Op`] as the type of any, and their list.
//!
//! [`for_each_op!`](crate::for_each_op) is the only list of operations. [`Op`] is generated from the list here, the
//! dispatch to an operation's file in `ops`, and the dispatch to the GPU in `vivarium-gpu`. To add an operation, add
//! its type and its row here, its file in `ops`, and its file in `gpu/src/ops`; the compiler reports what is missing.
//!
//! Comments state shapes as operands → results. All shapes are per row; `…` stands for any leading dimensions.

use vivarium_kernels::epilogue::Norm;

pub use crate::elementwise::{Binary, Unary};
use crate::ids::{InputId, ParameterId};
#[cfg(feature = "sequences")]
pub use crate::sequence_ops::*;
use crate::shape::Shape;

/// Graph input: the caller passes one entry for each row of the batch. () → the declared shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InputOp(pub InputId);

/// Scalar graph input that all rows share, such as a coefficient that changes during training. () → \[1\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SettingOp(pub InputId);

/// Constant scalar. () → \[1\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantOp(pub f32);

/// Seed of backpropagation: weight of each row in the summed loss, 1/B for the mean over B rows. () → \[1\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeedOp;

/// Parameter as a value that is the same for each row of the batch. () → the shape of the parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterOp(pub ParameterId);

/// Gradient of [`ParameterOp`]: adds the result's gradient dy, summed over the rows of the batch, to the gradient of
/// the parameter. dy → ().
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterGradientOp(pub ParameterId);

/// Linear layer x·W + b: x \[…, k\] → \[…, n\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearOp {
    /// Weight matrix W of the layer, row-major \[k, n\].
    pub weight: ParameterId,
    /// Bias b of the layer, \[n\]; `None` for a layer without bias.
    pub bias: Option<ParameterId>,
}

/// Parameter gradients of a [`LinearOp`]: adds xᵀ·dy to the gradient of the weight W, and the column sums of dy to the
/// gradient of the bias b. (x \[…, k\], dy \[…, n\]) → ().
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearGradientOp(pub LinearOp);

/// Product x·Wᵀ with a weight W \[k, n\]: x \[…, n\] → \[…, k\]. Output head of a language model, and input gradient of
/// a linear layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearTransposedOp {
    /// Weight matrix W of the product, row-major \[k, n\].
    pub weight: ParameterId,
}

/// Embedding lookup: sum of the k table rows that the indices select, index \[…, k\] → \[…, n\]. Indices are whole
/// numbers stored as f32 (exact up to 2²⁴); an index out of range is clamped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbeddingOp {
    /// Embedding table, row-major \[entries, n\].
    pub table: ParameterId,
}

/// Gradient of an [`EmbeddingOp`]: adds the rows of the output gradient dy to the gradients of the table rows that the
/// indices select. (index \[…, k\], dy \[…, n\]) → ().
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbeddingGradientOp {
    /// Embedding table, row-major \[entries, n\].
    pub table: ParameterId,
}

/// Normalization over the last dimension, x \[…, n\] → \[…, n\], with parameters γ and β of shape \[n\]. Layer norm: (x
/// − mean)/√(variance + ε)·γ + β (Ba, Kiros and Hinton 2016, <https://arxiv.org/abs/1607.06450>). Root-mean-square
/// norm: γ·x/√(mean(x²) + ε) (Zhang and Sennrich 2019, <https://arxiv.org/abs/1910.07467>).
pub type NormOp = Norm<ParameterId>;

/// Gradient of a [`NormOp`]: (x, dy) → dx. Also adds to the gradients of the norm's parameters γ and β.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NormGradientOp(pub NormOp);

/// Gradient dx = f′·dy of a unary function y = f(x): (x, dy) → dx or (y, dy) → dx. [`Unary::derivative_input`] states
/// whether the first operand is x or y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnaryGradientOp(pub Unary);

/// Element-wise selection: a where the condition is greater than 0, else b. (condition \[…, n\], a \[…, n\], b \[…,
/// n\]) → \[…, n\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectOp;

/// Softmax over the last dimension: x \[…, n\] → \[…, n\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftmaxOp;

/// Log-softmax over the last dimension: x \[…, n\] → \[…, n\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogSoftmaxOp;

/// Gradient of y = softmax(x), computed from y: (y, dy) → dx.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftmaxGradientOp;

/// Gradient of y = log_softmax(x), computed from y: (y, dy) → dx.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogSoftmaxGradientOp;

/// Gradient of a gathered log-probability d·y\[index\], where y = log_softmax(x), with respect to the logits x:
/// d·(onehot(index) − eʸ). (index \[…, 1\], d \[…, 1\], y \[…, n\]) → \[…, n\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossEntropyGradientOp;

/// Gather along the last dimension: (x \[…, n\], index \[…, 1\]) → x\[index\] \[…, 1\]. Indices are whole numbers
/// stored as f32 (exact up to 2²⁴); an index out of range is clamped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GatherOp;

/// Scatter along the last dimension, the gradient of [`GatherOp`]: d in the column that the index selects, zeros
/// elsewhere. (index \[…, 1\], d \[…, 1\]) → \[…, n\], where n is the first field of the operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScatterOp(pub usize);

/// Sum over the last dimension: x \[…, n\] → \[…, 1\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SumOp;

/// Repetition of each element n times along the last dimension: x \[…, 1\] → \[…, n\], where n is the first field of
/// the operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepeatOp(pub usize);

/// Concatenation along the last dimension: (a \[…, m\], b \[…, n\]) → \[…, m + n\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConcatOp;

/// Slice along the last dimension, the columns `start .. start + width` of x: x \[…, n\] → \[…, width\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SliceOp {
    /// Index of the first column of the slice, in the operand x.
    pub start: usize,
    /// Number of columns of the slice.
    pub width: usize,
}

/// Zero padding along the last dimension, the gradient of [`SliceOp`]: x \[…, m\] → \[…, width\]. x becomes the columns
/// `start .. start + m` of the result; all other columns are zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PadOp {
    /// Index of the first column that the operand x occupies in the result.
    pub start: usize,
    /// Number of columns of the result.
    pub width: usize,
}

/// Reshape to the shape in the first field: the elements and their order are unchanged. A compiled plan copies the
/// elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReshapeOp(pub Shape);

/// Identity with a zero gradient: x → x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopGradientOp;

/// Calls the macro `$with` with the list of operations. Each row of the list names a file in `ops`, and the variants of
/// [`Op`] with their types that this file implements.
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

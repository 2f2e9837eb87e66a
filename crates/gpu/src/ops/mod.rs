//! GPU kernels of the graph's operations. The list of operations and their files is that of `graph/src/ops`
//! ([`vivarium_graph::for_each_op!`]); each file here implements `GpuOp` for the operations of the file with the same
//! name.
//!
//! Operands are word offsets in three buffers: the arena with all values of a network, its parameters, and the
//! gradients of its parameters as partial sums ([`GradientSlicesView`]), which are added in a fixed order. Matrices are
//! row-major and contiguous.

mod column_sums;
mod product;
mod reduction;

#[cfg(feature = "sequences")]
pub use attention::{AttentionArgs, AttentionGradientArgs, WIDEST_HEAD, attention, attention_gradient};
pub use column_sums::{ColumnSumsArgs, column_sums};
#[cfg(feature = "tables")]
pub use embedding_gradient::{EmbeddingGradientArgs, embedding_gradient};
#[cfg(feature = "sequences")]
pub use head_loss::{HeadLossArgs, HeadLossGradientArgs, head_gradient, head_loss};
pub use layer_norm::{LayerNormArgs, LayerNormGradientArgs, RowSums, layer_norm, layer_norm_gradient};
pub use linear::{LinearArgs, LinearParameterGradientArgs, linear, linear_parameter_gradient};
pub use linear_transposed::{LinearInputGradientArgs, linear_input_gradient};
pub use product::Tile;
pub(crate) use product::record_products;
pub(crate) use reduction::Reduction;

pub use crate::operand::{GradientSlicesView, NormOffsets, OperandEpilogue};

use product::ProductArgs;
use vivarium_graph::ops::*;
use vivarium_graph::{ParameterId, PlanStep};

use crate::emit::{Column, ElementOperands, InlineValue, LayerRecorder, LineShader, PlanSizes};
use crate::error::GpuError;

/// The way in which the device computes an operation: inline, in a generated shader, or by separate kernels.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// A value without operands, which shaders compute inline.
    Inline(InlineValue),
    /// Element by element, in a shader that is shared with other operations. Each element depends only on the same
    /// element of each operand, where operands of width 1 are broadcast.
    Pointwise(&'a dyn ElementOp),
    /// As [`Form::Pointwise`], but the operand has another shape; elements correspond by their row-major index.
    Reshape(&'a dyn ElementOp),
    /// As [`Form::Pointwise`], but each element may depend on all elements of the same line (vector along the last
    /// axis) of the operands.
    Element(&'a dyn ElementOp),
    /// As [`Form::Element`], but always with one invocation for each element, because its operands are not contiguous.
    Scattered(&'a dyn ElementOp),
    /// One invocation for each line (vector along the last axis), in a shader that is shared with other operations.
    Line(&'a dyn LineOp),
    /// As [`Form::Line`], but a line that is too wide for registers is processed by several invocations.
    Reduction(Reduction),
    /// By one or more separate kernels, as for attention.
    Layer(&'a dyn LayerOp),
    /// By a matrix product. Independent products share a kernel.
    Product(&'a dyn ProductOp),
    /// The device cannot compute the operation: this build lacks the kernels, or plans have no steps of this operation.
    Unsupported,
}

/// An operation of the graph, with the way in which the device computes it.
pub(crate) trait GpuOp {
    fn form(&self) -> Form<'_>;
}

/// An operation that a generated shader computes element by element.
pub(crate) trait ElementOp {
    /// Returns the WGSL expression of the result's element in one column of the line that the invocation processes.
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String;
}

/// An operation that a shader computes with one invocation for each line (vector along the last axis).
pub(crate) trait LineOp {
    /// Appends the WGSL that computes the elements of the result in all columns of a line.
    fn lines(&self, step: &PlanStep, lines: &mut LineShader<'_>);
}

/// An operation that separate kernels compute, such as attention or layer norm.
pub(crate) trait LayerOp {
    /// Returns the size in words of the scratch memory that a step of this operation needs.
    fn scratch_len(&self, _: &PlanSizes<'_>, _: &PlanStep) -> usize {
        0
    }

    /// Records the kernels of a step of this operation.
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError>;
}

/// An operation that is computed as a matrix product, such as a linear layer.
pub(crate) trait ProductOp {
    /// Returns the parameters whose gradients the product adds to.
    fn sums_into(&self) -> [Option<ParameterId>; 2] {
        [None; 2]
    }

    /// Returns the arena and parameter offsets of a step's operands, for the kernel of the matrix product.
    fn product(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> ProductArgs;
}

/// Implements [`GpuOp`] for the operation type `$op`: `$form` is the expression of its [`Form`].
macro_rules! lower {
    ($op:ty, |$name:pat_param| $form:expr) => {
        impl crate::ops::GpuOp for $op {
            fn form(&self) -> crate::ops::Form<'_> {
                let $name = self;
                $form
            }
        }
    };
}

#[cfg(feature = "tables")]
mod embedding_gradient;

macro_rules! define_form {
    ($($file:ident: $($variant:ident($op:ident)),+;)+) => {
        $(mod $file;)+

        /// Returns the way in which the device computes an operation of the graph.
        pub(crate) fn form(op: &Op) -> Form<'_> {
            match op { $($(Op::$variant(op) => <$op as GpuOp>::form(op),)+)+ }
        }
    };
}
vivarium_graph::for_each_op!(define_form);

//! Kinds of GPU implementation of a graph operation ([`Form`]), and one trait for the operations of each kind.

use vivarium_graph::{ParameterId, PlanStep};

use super::product::ProductArgs;
use super::reduction::Reduction;
use crate::emit::{Column, ElementOperands, InlineValue, LayerRecorder, LineShader, PlanSizes};
use crate::error::GpuError;

/// Kind of GPU implementation of a graph operation: inline expression, part of a generated shader, or separate kernels.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// The operation has no operands. Shaders compute its value where they read it.
    Inline(InlineValue),
    /// A generated shader, which may contain other operations too, computes each element of the result from the same
    /// element of each operand. Operands of width 1 are broadcast.
    Pointwise(&'a dyn ElementOp),
    /// A generated shader computes each element of the result from the operand's element with the same row-major index.
    /// The shapes of operand and result may differ.
    Reshape(&'a dyn ElementOp),
    /// A generated shader computes each element of the result from elements of the same line (vector along the last
    /// axis) of the operands.
    Element(&'a dyn ElementOp),
    /// A generated shader computes each element of the result by a separate invocation, because the operands of an
    /// element are not contiguous in memory.
    Scattered(&'a dyn ElementOp),
    /// A generated shader computes each line (vector along the last axis) of the result by one invocation.
    Line(&'a dyn LineOp),
    /// The operation reduces each line (vector along the last axis), such as a softmax. One invocation processes a line
    /// that fits in registers, several invocations a wider line.
    Reduction(Reduction),
    /// The operation has one or more kernels of its own, which compute no other operations. Example: attention.
    Layer(&'a dyn LayerOp),
    /// The matrix-product kernel computes the operation, such as a linear layer. Independent products share a dispatch.
    Product(&'a dyn ProductOp),
    /// The device cannot compute the operation, because this build lacks the kernels or execution plans never contain
    /// the operation.
    Unsupported,
}

/// A graph operation that states the kind of its GPU implementation, a [`Form`].
pub(crate) trait GpuOp {
    fn form(&self) -> Form<'_>;
}

/// An operation that a generated shader computes element by element.
pub(crate) trait ElementOp {
    /// Returns the WGSL expression of the result's element in the column `column` of the line (vector along the last
    /// axis) that the invocation processes. `cells` provides the WGSL expressions of the operands.
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String;
}

/// An operation that a shader computes with one invocation for each line (vector along the last axis).
pub(crate) trait LineOp {
    /// Appends to the shader `lines` the WGSL that computes all elements of one line (vector along the last axis) of
    /// the result.
    fn lines(&self, step: &PlanStep, lines: &mut LineShader<'_>);
}

/// An operation that separate kernels compute, such as attention or layer norm.
pub(crate) trait LayerOp {
    /// Returns the size, in words, of the scratch memory in the arena that the kernels of a plan step need. The default
    /// is 0.
    fn scratch_len(&self, _: &PlanSizes<'_>, _: &PlanStep) -> usize {
        0
    }

    /// Records the dispatches of the kernels that compute a plan step.
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError>;
}

/// An operation that is computed as a matrix product, such as a linear layer.
pub(crate) trait ProductOp {
    /// Returns the weight and the bias to whose gradients the product adds, each `None` if the product computes no such
    /// gradient.
    fn sums_into(&self) -> [Option<ParameterId>; 2] {
        [None; 2]
    }

    /// Returns the operands of a plan step for the matrix-product kernel: sizes, and word offsets in the arena, the
    /// parameters and the gradient slices.
    fn product(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> ProductArgs;
}

/// Implements [`GpuOp`] for the operation type `$op`. `$form` is an expression for the [`Form`] of the operation, which
/// the expression may access by the name `$name`.
macro_rules! lower {
    ($op:ty, |$name:pat_param| $form:expr) => {
        impl crate::ops::form::GpuOp for $op {
            fn form(&self) -> crate::ops::form::Form<'_> {
                let $name = self;
                $form
            }
        }
    };
}

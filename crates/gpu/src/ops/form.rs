//! Ways in which the device computes an operation, with the traits that the operations' files implement.

use vivarium_graph::{ParameterId, PlanStep};

use super::product::ProductArgs;
use super::reduction::Reduction;
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
    /// Returns the WGSL expression of the result's element in the given column of the line (vector along the last axis)
    /// that the invocation processes. `cells` provides the WGSL expressions of the operands.
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String;
}

/// An operation that a shader computes with one invocation for each line (vector along the last axis).
pub(crate) trait LineOp {
    /// Appends to the shader the WGSL that computes all elements of the result's line (vector along the last axis).
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
    /// Returns the parameters (weight and bias) to whose gradients the product adds; `None` for each absent one.
    fn sums_into(&self) -> [Option<ParameterId>; 2] {
        [None; 2]
    }

    /// Returns the arena and parameter offsets of a step's operands, for the kernel of the matrix product.
    fn product(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> ProductArgs;
}

/// Implements [`GpuOp`] for the operation type `$op`. `$form` is the expression of the [`Form`] in which the device
/// computes the operation `$name`.
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

//! GPU kernels of the graph's operations. The list of operations and their files is that of `graph/src/ops`
//! ([`vivarium_graph::for_each_op!`]); each file here implements `GpuOp` for the operations of the file with the same name.
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

/// How the device computes an operation.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// A value without operands, which shaders compute inline.
    Inline(InlineValue),
    /// Element by element, in a shader that is shared with other operations. Each element depends only on the same
    /// element of each operand, where operands of width 1 are broadcast.
    Pointwise(&'a dyn ElementOp),
    /// As [`Form::Pointwise`], from an operand of another shape that has the same elements.
    Reshape(&'a dyn ElementOp),
    /// As [`Form::Pointwise`], from any elements of the same line of the operands.
    Element(&'a dyn ElementOp),
    /// As [`Form::Element`], but always with one invocation for each element, because its operands are not contiguous.
    Scattered(&'a dyn ElementOp),
    /// Line by line, in a shader that is shared with other operations.
    Line(&'a dyn LineOp),
    /// As [`Form::Line`], but lines too wide for registers have several invocations.
    Reduction(Reduction),
    /// By separate kernels.
    Layer(&'a dyn LayerOp),
    /// By a matrix product. Independent products share a kernel.
    Product(&'a dyn ProductOp),
    /// Not at all: this build lacks the kernels, or plans have no steps of this operation.
    Unsupported,
}

/// An operation of the graph on the device.
pub(crate) trait GpuOp {
    fn form(&self) -> Form<'_>;
}

/// An operation that is computed element by element.
pub(crate) trait ElementOp {
    /// Returns the WGSL expression of one element of the result.
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String;
}

/// An operation that is computed line by line.
pub(crate) trait LineOp {
    /// Defines all columns of the result.
    fn lines(&self, step: &PlanStep, lines: &mut LineShader<'_>);
}

/// An operation with separate kernels.
pub(crate) trait LayerOp {
    /// Returns the size of a step's scratch memory in words.
    fn scratch_len(&self, _: &PlanSizes<'_>, _: &PlanStep) -> usize {
        0
    }

    /// Records a step.
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError>;
}

/// An operation that is a matrix product.
pub(crate) trait ProductOp {
    /// Returns the parameters whose gradients the product adds to.
    fn sums_into(&self) -> [Option<ParameterId>; 2] {
        [None; 2]
    }

    /// Returns the operands of a step.
    fn product(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> ProductArgs;
}

/// Implements [`GpuOp`] for an operation.
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

        /// Returns how the device computes an operation.
        pub(crate) fn form(op: &Op) -> Form<'_> {
            match op { $($(Op::$variant(op) => <$op as GpuOp>::form(op),)+)+ }
        }
    };
}
vivarium_graph::for_each_op!(define_form);

//! GPU kernels of the graph's operations. [`vivarium_graph::for_each_op!`] lists the operations and their files. Each
//! file here implements the trait `GpuOp` of `form.rs` for the operations of the file with the same name in
//! `graph/src/ops`. This module contains the dispatch to these files.
//!
//! Operands are word offsets in three buffers: the arena with all values of a network, its parameters, and the
//! gradients of its parameters as partial sums ([`GradientSlicesView`]), which are added in a fixed order. Matrices are
//! row-major and contiguous.

mod column_sums;
#[macro_use]
mod form;
mod product;
mod reduction;

#[cfg(feature = "sequences")]
pub use attention::{AttentionArgs, AttentionGradientArgs, WIDEST_HEAD, attention, attention_gradient};
pub use column_sums::{ColumnSumsArgs, column_sums};
#[cfg(feature = "tables")]
pub use embedding_gradient::{EmbeddingGradientArgs, embedding_gradient};
pub(crate) use form::Form;
#[cfg(feature = "sequences")]
pub use head_loss::{HeadLossArgs, HeadLossGradientArgs, head_gradient, head_loss};
pub use linear::{linear, linear_parameter_gradient};
pub use linear_transposed::linear_input_gradient;
pub use norm::{NormArgs, NormGradientArgs, RowSums, norm, norm_gradient};
pub use product::{LinearArgs, LinearInputGradientArgs, LinearParameterGradientArgs, Tile};
pub(crate) use reduction::Reduction;

pub use crate::operand::{GradientSlicesView, OperandEpilogue};

use form::GpuOp;
use product::ProductArgs;
use vivarium_graph::op::*;

use crate::emit::LayerRecorder;
use crate::error::GpuError;

#[cfg(feature = "tables")]
mod embedding_gradient;

macro_rules! define_form {
    ($($file:ident: $($variant:ident($op:ident)),+;)+) => {
        $(mod $file;)+

        /// Returns the kind of GPU kernel that computes an operation of the graph, such as a generated element-wise
        /// shader or the matrix-product kernel.
        pub(crate) fn form(op: &Op) -> Form<'_> {
            match op { $($(Op::$variant(op) => <$op as GpuOp>::form(op),)+)+ }
        }
    };
}
vivarium_graph::for_each_op!(define_form);

/// Records the matrix products of independent plan steps. `products` holds the operands of each step.
pub(crate) fn record_products(
    layers: &mut LayerRecorder<'_>,
    products: Vec<ProductArgs>,
) -> Result<(), GpuError> {
    let (mut forward, mut of_inputs, mut of_parameters) = (Vec::new(), Vec::new(), Vec::new());
    for product in products {
        match product {
            ProductArgs::Forward(args) => forward.push(args),
            ProductArgs::InputGradient(args) => of_inputs.push(args),
            ProductArgs::ParameterGradient(args) => of_parameters.push(args),
        }
    }
    let LayerRecorder { arena, parameters, .. } = *layers;
    linear(layers.recorder, arena, parameters, &forward, None)?;
    linear_input_gradient(layers.recorder, arena, parameters, &of_inputs, None)?;
    if of_parameters.is_empty() {
        return Ok(());
    }
    let slices = layers.slices();
    linear_parameter_gradient(layers.recorder, arena, &slices, &of_parameters, None)
}

//! GPU kernels of the graph's operations, one module each, and the lowering of an execution plan's steps to these
//! kernels.
//!
//! Operands are word offsets in three buffers: the arena with all values of a network, its parameters, and the
//! gradients of its parameters as partial sums ([`GradientSlicesView`]), which are added in a fixed order. Matrices are
//! row-major and contiguous.

#[cfg(feature = "sequences")]
mod attention;
mod column_sums;
mod columns;
mod embedding;
#[cfg(feature = "tables")]
mod embedding_gradient;
mod gather;
#[cfg(feature = "sequences")]
mod head_loss;
mod layer_norm;
mod linear;
mod linear_transposed;
mod pairs;
mod product;
mod reduction;
mod softmax;
mod unary;

#[cfg(feature = "sequences")]
pub use attention::{AttentionArgs, AttentionGradientArgs, WIDEST_HEAD, attention, attention_gradient};
pub use column_sums::{ColumnSumsArgs, column_sums};
#[cfg(feature = "tables")]
pub use embedding_gradient::{EmbeddingGradientArgs, embedding_gradient};
#[cfg(feature = "sequences")]
pub use head_loss::{HeadLossArgs, HeadLossGradientArgs, head_gradient, head_loss};
pub use layer_norm::{LayerNormArgs, LayerNormGradientArgs, RowSums, layer_norm, layer_norm_gradient};
pub use linear::{LinearArgs, LinearParameterGradientArgs, linear, linear_parameter_gradient};
pub use linear_transposed::{ActivationGradient, LinearInputGradientArgs, linear_input_gradient};
pub use product::Tile;
pub(crate) use reduction::Reduction;

pub use crate::operand::{GradientSlicesView, NormOffsets};

use vivarium_graph::{GradientOp, Op, PlanStep};

use crate::emit::{Column, ElementOperands, LayerRecorder, LineShader, PlanSizes};
use crate::error::GpuError;

/// Lowering of an operation: how the device computes it.
pub(crate) enum Lowering {
    /// Computed element by element, by an expression in a shader that is shared with other operations.
    Point(Expression),
    /// As [`Lowering::Point`], but always with one invocation for each element, because its operands are not
    /// contiguous.
    Scattered(Expression),
    /// Computed line by line, in a shader that is shared with other operations. Lines too wide for registers use the
    /// [`Reduction`], if there is one, with several invocations per line.
    Line(InLine, Option<Reduction>),
    /// Computed by one or several separate kernels.
    Layer(Layer),
}

/// Function that generates the WGSL expression of one element of the result.
pub(crate) type Expression =
    Box<dyn Fn(&PlanStep, &mut dyn ElementOperands<'_>, &Column) -> String + Send + Sync>;

/// Function that generates the WGSL expressions of all columns of the result.
pub(crate) type InLine = Box<dyn Fn(&PlanStep, &mut LineShader<'_>) + Send + Sync>;

/// Function that records independent steps of the same kind.
type Record = Box<dyn Fn(&mut LayerRecorder<'_>, &[&PlanStep]) -> Result<(), GpuError> + Send + Sync>;

/// Function that returns the size of a step's scratch memory in words.
type ScratchLen = Box<dyn Fn(&PlanSizes<'_>, &PlanStep) -> usize + Send + Sync>;

/// An operation with separate kernels.
pub(crate) struct Layer {
    pub(crate) record: Record,
    pub(crate) scratch_len: ScratchLen,
}

fn point(
    expression: impl Fn(&PlanStep, &mut dyn ElementOperands<'_>, &Column) -> String + Send + Sync + 'static,
) -> Lowering {
    Lowering::Point(Box::new(expression))
}

fn reduced(reduction: Reduction) -> Lowering {
    Lowering::Line(Box::new(move |step, lines| softmax::lines(reduction, step, lines)), Some(reduction))
}

/// Creates the lowering of an operation whose independent steps are recorded together by one call of `record`.
fn together(
    record: impl Fn(&mut LayerRecorder<'_>, &[&PlanStep]) -> Result<(), GpuError> + Send + Sync + 'static,
) -> Lowering {
    Lowering::Layer(Layer { record: Box::new(record), scratch_len: Box::new(|_, _| 0) })
}

/// Creates the lowering of an operation whose steps are recorded one by one, each by a call of `record`.
fn each(
    record: impl Fn(&mut LayerRecorder<'_>, &PlanStep) -> Result<(), GpuError> + Send + Sync + 'static,
) -> Lowering {
    together(move |layers, steps| steps.iter().try_for_each(|step| record(layers, step)))
}

impl Lowering {
    /// Returns the lowering with scratch memory; `scratch_len` returns its size for a step, in words.
    #[cfg(feature = "sequences")]
    fn with_scratch(
        self,
        scratch_len: impl Fn(&PlanSizes<'_>, &PlanStep) -> usize + Send + Sync + 'static,
    ) -> Self {
        match self {
            Lowering::Layer(layer) => Lowering::Layer(Layer { scratch_len: Box::new(scratch_len), ..layer }),
            Lowering::Point(_) | Lowering::Scattered(_) | Lowering::Line(..) => self,
        }
    }
}

/// Returns the lowering of an operation.
///
/// # Errors
/// [`GpuError::Unsupported`] for an operation that this build lacks: sequences, or the gradient of a table.
pub(crate) fn lowering(op: Op) -> Result<Lowering, GpuError> {
    Ok(match op {
        // Inline values that are stored, because a shader reads them from memory.
        Op::Setting(_) | Op::Parameter(_) | Op::Constant(_) | Op::Seed => {
            point(|step, cells, column| cells.number(step.results[0], column))
        }
        Op::Linear { .. } => together(linear::layers),
        Op::LinearTransposed { .. } => together(linear_transposed::layers),
        Op::Embedding { table } => Lowering::Scattered(Box::new(move |step, cells, column| {
            embedding::expression(table, step, cells, column)
        })),
        Op::LayerNorm(norm) => each(move |layers, step| layer_norm::layer(norm, layers, step)),
        #[cfg(feature = "sequences")]
        Op::Attention { heads } => each(move |layers, step| attention::layer(heads, layers, step)),
        #[cfg(feature = "sequences")]
        Op::HeadLoss { weight } => each(move |layers, step| head_loss::layer(weight, layers, step))
            .with_scratch(move |sizes, step| head_loss::scratch_len(weight, sizes, step)),
        Op::Unary(function) => {
            point(move |step, cells, column| unary::expression(function, step, cells, column))
        }
        Op::Binary(function) => {
            point(move |step, cells, column| pairs::binary(function, step, cells, column))
        }
        Op::Select => point(pairs::select),
        Op::Softmax => reduced(Reduction::Softmax),
        Op::LogSoftmax => reduced(Reduction::LogSoftmax),
        Op::Gather => Lowering::Line(Box::new(gather::lines), None),
        Op::Sum => reduced(Reduction::Sum),
        Op::Repeat(_) => point(|step, cells, _| columns::repeat(step, cells)),
        Op::Concat => point(columns::concat),
        Op::Slice { start, .. } => {
            point(move |step, cells, column| columns::slice(start, step, cells, column))
        }
        // Plans have no steps for inputs and stop-gradients. The lowering, a copy, is not used.
        Op::Input(_) | Op::Reshape(_) | Op::StopGradient => point(columns::reshape),
        Op::Gradient(op) => return gradient_lowering(op),
        #[cfg(not(feature = "sequences"))]
        Op::Attention { .. } | Op::HeadLoss { .. } => {
            return Err(GpuError::Unsupported { operation: op.name() });
        }
    })
}

fn gradient_lowering(op: GradientOp) -> Result<Lowering, GpuError> {
    Ok(match op {
        GradientOp::Parameter(id) => each(move |layers, step| column_sums::gradient(id, layers, step)),
        GradientOp::Linear { .. } => together(linear::gradients),
        #[cfg(feature = "tables")]
        GradientOp::Embedding { table } => {
            each(move |layers, step| embedding_gradient::gradient(table, layers, step))
        }
        GradientOp::LayerNorm(norm) => each(move |layers, step| layer_norm::gradient(norm, layers, step)),
        #[cfg(feature = "sequences")]
        GradientOp::Attention { heads } => each(move |layers, step| attention::gradient(heads, layers, step)),
        #[cfg(feature = "sequences")]
        GradientOp::HeadLoss { weight } => {
            each(move |layers, step| head_loss::gradient(weight, layers, step))
                .with_scratch(move |sizes, step| head_loss::scratch_len(weight, sizes, step))
        }
        GradientOp::Unary(function) => {
            point(move |step, cells, column| unary::gradient(function, step, cells, column))
        }
        GradientOp::Softmax => reduced(Reduction::SoftmaxGradient),
        GradientOp::LogSoftmax => reduced(Reduction::LogSoftmaxGradient),
        GradientOp::CrossEntropy => point(softmax::cross_entropy),
        GradientOp::Scatter(n) => point(move |step, cells, column| gather::scatter(n, step, cells, column)),
        GradientOp::Pad { start, .. } => {
            point(move |step, cells, column| columns::pad(start, step, cells, column))
        }
        #[cfg(not(feature = "tables"))]
        GradientOp::Embedding { .. } => return Err(GpuError::Unsupported { operation: op.name() }),
        #[cfg(not(feature = "sequences"))]
        GradientOp::Attention { .. } | GradientOp::HeadLoss { .. } => {
            return Err(GpuError::Unsupported { operation: op.name() });
        }
    })
}

//! The operations on the device, one a file: the shader of each, and how a step of a plan is recorded with it.
//!
//! All values of a network lie in one buffer, the arena; its parameters in a second; the gradients of its parameters in a
//! third, as partial sums over parts of the rows ([`Slices`]), so that they can be added up in the same order on every run.
//! Operands are named by their word offsets in these. Matrices are row-major and contiguous.

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
pub use attention::{Attention, AttentionGradient, WIDEST_HEAD, attention, attention_gradient};
pub use column_sums::{ColumnSums, column_sums};
#[cfg(feature = "tables")]
pub use embedding_gradient::{EmbeddingGradient, embedding_gradient};
#[cfg(feature = "sequences")]
pub use head_loss::{Head, HeadGradient, head_gradient, head_loss};
pub use layer_norm::{LayerNorm, LayerNormGradient, RowSums, layer_norm, layer_norm_gradient};
pub use linear::{Linear, ParameterGradient, linear, linear_parameter_gradient};
pub use linear_transposed::{InputGradient, Slope, linear_input_gradient};
pub use product::Tile;
pub(crate) use reduction::Reduction;

pub use crate::operand::{Norm, Slices};

use vivarium_graph::{GradientOp, Op, Step};

use crate::emit::{Cells, Column, Layers, Lines, Sizes};
use crate::error::GpuError;

/// How the device computes an operation.
pub(crate) enum Form {
    /// Number by number: an expression in a shader that other operations share.
    Point(Expression),
    /// [`Form::Point`], but with an invocation for each number however narrow the lines: their operands lie apart in memory.
    Scattered(Expression),
    /// Line by line, in a shader that other operations share. Lines too wide for registers are reduced by several
    /// invocations each, unless the operation reads little of them.
    Line(InLine, Option<Reduction>),
    /// By a shader of its own, or several.
    Layer(Layer),
}

/// Writes the expression of one number of the result.
pub(crate) type Expression = Box<dyn Fn(&Step, &mut dyn Cells<'_>, &Column) -> String + Send + Sync>;

/// Writes the columns of the result.
pub(crate) type InLine = Box<dyn Fn(&Step, &mut Lines<'_>) + Send + Sync>;

/// Records steps that are alike and do not wait for each other.
type Record = Box<dyn Fn(&mut Layers<'_>, &[&Step]) -> Result<(), GpuError> + Send + Sync>;

/// How many numbers of working memory a step needs in the arena.
type Room = Box<dyn Fn(&Sizes<'_>, &Step) -> usize + Send + Sync>;

/// An operation with a shader of its own.
pub(crate) struct Layer {
    pub(crate) record: Record,
    pub(crate) room: Room,
}

fn point(expression: impl Fn(&Step, &mut dyn Cells<'_>, &Column) -> String + Send + Sync + 'static) -> Form {
    Form::Point(Box::new(expression))
}

fn reduced(reduction: Reduction) -> Form {
    Form::Line(Box::new(move |step, lines| softmax::lines(reduction, step, lines)), Some(reduction))
}

/// Steps that are recorded together.
fn together(
    record: impl Fn(&mut Layers<'_>, &[&Step]) -> Result<(), GpuError> + Send + Sync + 'static,
) -> Form {
    Form::Layer(Layer { record: Box::new(record), room: Box::new(|_, _| 0) })
}

/// Steps that are recorded one after the other.
fn each(record: impl Fn(&mut Layers<'_>, &Step) -> Result<(), GpuError> + Send + Sync + 'static) -> Form {
    together(move |layers, steps| steps.iter().try_for_each(|step| record(layers, step)))
}

impl Form {
    /// The same with working memory.
    #[cfg(feature = "sequences")]
    fn with_room(self, room: impl Fn(&Sizes<'_>, &Step) -> usize + Send + Sync + 'static) -> Self {
        match self {
            Form::Layer(layer) => Form::Layer(Layer { room: Box::new(room), ..layer }),
            Form::Point(_) | Form::Scattered(_) | Form::Line(..) => self,
        }
    }
}

/// How the device computes an operation.
///
/// # Errors
/// [`GpuError::Unsupported`] for an operation that this crate was built without: on sequences, or the gradient of a table.
pub(crate) fn form(op: Op) -> Result<Form, GpuError> {
    Ok(match op {
        // Written down wherever they are needed; here they are needed in memory.
        Op::Setting(_) | Op::Parameter(_) | Op::Constant(_) | Op::Seed => {
            point(|step, cells, column| cells.number(step.results[0], column))
        }
        Op::Linear { .. } => together(linear::layers),
        Op::LinearTransposed { .. } => together(linear_transposed::layers),
        Op::Embedding { table } => Form::Scattered(Box::new(move |step, cells, column| {
            embedding::expression(table, step, cells, column)
        })),
        Op::LayerNorm(norm) => each(move |layers, step| layer_norm::layer(norm, layers, step)),
        #[cfg(feature = "sequences")]
        Op::Attention { heads } => each(move |layers, step| attention::layer(heads, layers, step)),
        #[cfg(feature = "sequences")]
        Op::HeadLoss { weight } => each(move |layers, step| head_loss::layer(weight, layers, step))
            .with_room(move |sizes, step| head_loss::room(weight, sizes, step)),
        Op::Unary(function) => {
            point(move |step, cells, column| unary::expression(function, step, cells, column))
        }
        Op::Binary(function) => {
            point(move |step, cells, column| pairs::binary(function, step, cells, column))
        }
        Op::Select => point(pairs::select),
        Op::Softmax => reduced(Reduction::Softmax),
        Op::LogSoftmax => reduced(Reduction::LogSoftmax),
        Op::Gather => Form::Line(Box::new(gather::lines), None),
        Op::Sum => reduced(Reduction::Sum),
        Op::Repeat(_) => point(|step, cells, _| columns::repeat(step, cells)),
        Op::Concat => point(columns::concat),
        Op::Slice { start, .. } => {
            point(move |step, cells, column| columns::slice(start, step, cells, column))
        }
        // A plan has no steps for inputs and where gradients stop; a copy is what they mean.
        Op::Input(_) | Op::Reshape(_) | Op::StopGradient => point(columns::reshape),
        Op::Gradient(op) => return form_of_gradient(op),
        #[cfg(not(feature = "sequences"))]
        Op::Attention { .. } | Op::HeadLoss { .. } => {
            return Err(GpuError::Unsupported { operation: op.name() });
        }
    })
}

fn form_of_gradient(op: GradientOp) -> Result<Form, GpuError> {
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
                .with_room(move |sizes, step| head_loss::room(weight, sizes, step))
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

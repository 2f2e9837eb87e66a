//! What can be wrong with a graph, a plan or the slices handed to one.

use crate::Shape;

/// A mistake in the definition of a graph, found while it is built and returned when it is compiled.
///
/// The builder's methods return values, not results, so that a network reads like its formula. The first mistake is
/// kept and every later step goes on with a stand-in; [`crate::Plan::compile`] and [`crate::Parameters::new`] return it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// The operands' shapes do not fit the operation.
    #[error("{operation}: got shapes {got:?}; allowed: {allowed}")]
    Shapes {
        /// The operation as the builder names it.
        operation: &'static str,
        /// The per-row shapes of its operands.
        got: Vec<Shape>,
        /// What would have been right, in words.
        allowed: &'static str,
    },
    /// One parameter name stands for two different things.
    #[error(
        "parameter `{name}` is used with shape {first:?} and with shape {second:?}; a name means one parameter"
    )]
    ParameterTwice {
        /// The name.
        name: String,
        /// Its shape at the first use.
        first: Vec<usize>,
        /// Its shape at the other use.
        second: Vec<usize>,
    },
    /// A matrix is multiplied with both as it is and, as a head, as its transpose.
    #[error("parameter `{name}` is the matrix of a linear layer and of a head; use two parameters")]
    TwoProducts {
        /// The name.
        name: String,
    },
    /// One input name was declared twice.
    #[error("input `{name}` is declared twice; a name means one input")]
    InputTwice {
        /// The name.
        name: String,
    },
    /// An operation that only gradients are made of stands in a graph that is to be differentiated.
    #[error("{operation} is part of a gradient and has none itself: differentiate the graph without it")]
    SecondDerivative {
        /// The operation.
        operation: &'static str,
    },
    /// A shape with no numbers in it.
    #[error(
        "`{name}` has the empty shape {dims:?}; every dimension must be at least 1, and there are 1 to 3 of them"
    )]
    EmptyShape {
        /// What has the shape.
        name: String,
        /// The shape asked for.
        dims: Vec<usize>,
    },
    /// A plan was asked for zero rows a chunk.
    #[error("chunk_rows is 0; a plan runs at least one row at a time")]
    NoRows,
}

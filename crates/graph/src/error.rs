//! Errors in the definition of a graph.

use crate::Shape;

/// An error in the definition of a graph.
///
/// Builder methods of [`Graph`](crate::Graph) return a value, not a `Result`, so that a network reads like its formula.
/// The graph records the first error and continues with a placeholder value. [`crate::Plan::compile`] and
/// [`crate::Parameters::new`] return the recorded error.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// The operand shapes do not fit the operation.
    #[error("{operation}: got shapes {got:?}; allowed: {allowed}")]
    Shapes {
        /// Name of the operation whose operands do not fit.
        operation: &'static str,
        /// Shapes of the operands for one row of the batch.
        got: Vec<Shape>,
        /// Description of the shapes that the operation allows.
        allowed: &'static str,
    },
    /// A parameter name is used again with another shape.
    #[error("parameter `{name}` is used with shapes {first:?} and {second:?}; use two names")]
    ParameterTwice {
        /// Name of the parameter that is used with two shapes.
        name: String,
        /// Shape of the parameter at its first use.
        first: Vec<usize>,
        /// Shape of the parameter at its second use.
        second: Vec<usize>,
    },
    /// A weight matrix is used both in a linear layer (x·W) and in an output head (x·Wᵀ).
    #[error("parameter `{name}` is the weight of a linear layer and of an output head; use two parameters")]
    TwoProducts {
        /// Name of the weight matrix that is used in both products.
        name: String,
    },
    /// Two inputs have the same name.
    #[error("input `{name}` is declared twice; use two names")]
    InputTwice {
        /// Name of the input that is declared twice.
        name: String,
    },
    /// The loss depends on the gradient of an operation. Second derivatives are not supported.
    #[error(
        "{operation} is part of a gradient and cannot be differentiated; second derivatives are not supported"
    )]
    SecondDerivative {
        /// Name of the operation whose gradient the loss depends on.
        operation: &'static str,
    },
    /// A shape has no dimensions, a dimension of 0, or more than three dimensions.
    #[error("`{name}` has the invalid shape {dims:?}; use 1 to 3 dimensions of at least 1")]
    EmptyShape {
        /// Name of the value, input or parameter that has the invalid shape.
        name: String,
        /// Dimensions of the invalid shape.
        dims: Vec<usize>,
    },
    /// `chunk_rows`, the number of batch rows that the CPU engine processes at a time, is 0.
    #[error("chunk_rows is 0; it must be at least 1")]
    NoRows,
}

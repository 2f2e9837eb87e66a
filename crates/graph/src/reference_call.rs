//! Arguments of the f64 reference implementation of an operation.

use crate::ids::ParameterId;
use crate::shape::Shape;

/// An operand as a row-major matrix. Each matrix row is a vector of `width` elements along the operand's last
/// dimension.
pub(crate) struct OperandLines<'a> {
    pub(crate) numbers: &'a [f64],
    pub(crate) width: usize,
}

impl<'a> OperandLines<'a> {
    /// Returns an iterator over the operand's vectors along the last dimension.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a [f64]> {
        self.numbers.chunks_exact(self.width)
    }

    /// Returns the element in matrix row `line` and the given column. An operand of width 1 is broadcast over all
    /// columns.
    pub(crate) fn at(&self, line: usize, column: usize) -> f64 {
        self.numbers[line * self.width + column.min(self.width - 1)]
    }
}

/// Arguments of the f64 reference implementation of an operation, for all rows of the batch.
pub(crate) struct ReferenceCall<'a> {
    pub(crate) rows: usize,
    /// Inputs of the graph in declaration order, each with all rows of the batch.
    pub(crate) inputs: &'a [&'a [f64]],
    pub(crate) operands: &'a [OperandLines<'a>],
    /// Shape of the operation's first result for one row of the batch.
    pub(crate) shape: Shape,
    /// Flat buffer of all parameters; `ranges` has the range of each parameter in this buffer.
    pub(crate) parameters: &'a [f64],
    pub(crate) ranges: &'a [std::ops::Range<usize>],
}

impl<'a> ReferenceCall<'a> {
    /// Returns the values of a parameter.
    pub(crate) fn parameter(&self, id: ParameterId) -> &'a [f64] {
        &self.parameters[self.ranges[id.0].clone()]
    }

    /// Returns the width (last dimension) of the operation's first result.
    pub(crate) fn width(&self) -> usize {
        self.shape.width()
    }

    /// Returns the number of elements of the operation's first result, for all rows of the batch.
    pub(crate) fn len(&self) -> usize {
        self.rows * self.shape.size()
    }

    /// Applies `f` to each vector along the last dimension of the first operand, and concatenates the results.
    pub(crate) fn per_line(&self, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
        self.operands[0].iter().flat_map(f).collect()
    }
}

/// Converts an index (a whole number stored as f64) to an index below `count`. An index out of range is clamped.
pub(crate) fn clamp_index(index: f64, count: usize) -> usize {
    (index as usize).min(count - 1)
}

/// Returns the log-softmax of the vector `x`.
pub(crate) fn log_softmax(x: &[f64]) -> Vec<f64> {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = x.iter().map(|x| (x - largest).exp()).sum::<f64>().ln();
    x.iter().map(|x| x - largest - log_sum).collect()
}

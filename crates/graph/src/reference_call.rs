//! Operands as the f64 reference of an operation sees them.

use crate::ids::ParameterId;
use crate::shape::Shape;

/// An operand: lines of equal width.
pub(crate) struct OperandLines<'a> {
    pub(crate) numbers: &'a [f64],
    pub(crate) width: usize,
}

impl<'a> OperandLines<'a> {
    /// The lines.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a [f64]> {
        self.numbers.chunks_exact(self.width)
    }

    /// The number in the column of a line, where a width of 1 stands for all columns.
    pub(crate) fn at(&self, line: usize, column: usize) -> f64 {
        self.numbers[line * self.width + column.min(self.width - 1)]
    }
}

/// One operation on all rows.
pub(crate) struct ReferenceCall<'a> {
    pub(crate) rows: usize,
    /// The inputs of the graph.
    pub(crate) inputs: &'a [&'a [f64]],
    pub(crate) operands: &'a [OperandLines<'a>],
    /// The shape of one row of the first result.
    pub(crate) shape: Shape,
    /// The numbers of all parameters, and where each lies.
    pub(crate) parameters: &'a [f64],
    pub(crate) ranges: &'a [std::ops::Range<usize>],
}

impl<'a> ReferenceCall<'a> {
    /// A parameter's numbers.
    pub(crate) fn parameter(&self, id: ParameterId) -> &'a [f64] {
        &self.parameters[self.ranges[id.0].clone()]
    }

    /// The width of the first result.
    pub(crate) fn width(&self) -> usize {
        self.shape.width()
    }

    /// How many numbers the first result has.
    pub(crate) fn len(&self) -> usize {
        self.rows * self.shape.size()
    }

    /// A function of each line of the first operand.
    pub(crate) fn per_line(&self, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
        self.operands[0].iter().flat_map(f).collect()
    }
}

/// The position that an index picks among `count`: the nearest one, whatever the number.
pub(crate) fn picked(index: f64, count: usize) -> usize {
    (index as usize).min(count - 1)
}

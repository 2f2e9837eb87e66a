//! What the expression of an element-wise operation is written from.

use vivarium_graph::Value;

use super::text::Text;

/// A column of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Column {
    /// This one, known while the shader is written.
    Known(usize),
    /// The one that an expression gives while the shader runs.
    At(String),
}

impl Column {
    /// Its number in WGSL.
    pub(crate) fn wgsl(&self) -> String {
        match self {
            Column::Known(column) => format!("{column}u"),
            Column::At(column) => column.clone(),
        }
    }
}

/// A shader in which an invocation computes numbers of lines: the operands are at hand, column by column.
pub(crate) trait Cells<'a> {
    /// The text of the shader.
    fn text(&mut self) -> &mut Text<'a>;

    /// The number of an operand in a column of the invocation's line, where a width of 1 stands for all columns.
    fn number(&mut self, value: Value, column: &Column) -> String;

    /// The position of a column's number among all numbers of the result.
    fn position(&self, column: &Column) -> String;

    /// The width of a value's lines.
    fn width(&mut self, value: Value) -> usize {
        self.text().sources.values.shape(value).width()
    }
}

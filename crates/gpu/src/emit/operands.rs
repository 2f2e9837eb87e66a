//! Interface through which element-wise operations read their operands while a shader is generated.

use vivarium_graph::Value;

use super::text::ShaderText;

/// Column index in a line. A line is a vector along the last axis of a value, such as one token of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Column {
    /// A column index that is known when the shader is generated.
    Known(usize),
    /// A column index that the shader computes: the WGSL expression of the index.
    At(String),
}

impl Column {
    /// Returns the WGSL expression of the column index.
    pub(crate) fn wgsl(&self) -> String {
        match self {
            Column::Known(column) => format!("{column}u"),
            Column::At(column) => column.clone(),
        }
    }
}

/// Access to operands while a shader is generated: returns the WGSL expressions from which an element-wise operation
/// builds the expression of its result.
pub(crate) trait ElementOperands<'a> {
    /// Returns the source text of the shader that is being generated; implementations of operations append statements
    /// to it.
    fn text(&mut self) -> &mut ShaderText<'a>;

    /// Returns the WGSL expression for an operand's element in one column of the line (vector along the last axis) that
    /// the shader invocation processes. Operands of width 1 are broadcast.
    fn number(&mut self, value: Value, column: &Column) -> String;

    /// Returns the WGSL expression of the row-major index of an element among all elements of the result. The element
    /// is in column `column` of the line (vector along the last axis) that the invocation processes.
    fn position(&self, column: &Column) -> String;

    /// Returns the number of columns (the last dimension) of a value.
    fn width(&mut self, value: Value) -> usize {
        self.text().sources.values.shape(value).width()
    }
}

//! Shaders by lines: one invocation for each line, whose numbers stay in registers from one operation to the next.

use std::collections::HashMap;

use vivarium_graph::Value;

use super::cells::{Cells, Column};
use super::layers::{Layers, Sources};
use super::text::Text;
use crate::error::GpuError;

/// The widest line whose numbers are kept in registers.
pub(crate) const NARROW: usize = 16;

/// A shader by lines, while it is written.
pub(crate) struct Lines<'a> {
    text: Text<'a>,
    /// The names of the columns of each value that is in registers.
    columns: HashMap<Value, Vec<String>>,
    /// The width of the result at hand.
    width: usize,
}

impl<'a> Lines<'a> {
    /// An empty shader of so many lines.
    pub(crate) fn new(sources: Sources<'a>, lines: usize) -> Self {
        Self { text: Text::new(sources, lines), columns: HashMap::new(), width: 1 }
    }

    /// The columns of an operand, read from memory the first time.
    pub(crate) fn columns(&mut self, value: Value) -> Vec<String> {
        if let Some(columns) = self.columns.get(&value) {
            return columns.clone();
        }
        let (id, width) = (value.index(), self.width(value));
        let columns: Vec<String> = match self.text.sources.values.source(value) {
            Some(source) => (0..width)
                .map(|c| {
                    let expression = self.text.source(value, source, &format!("{c}u"));
                    self.text.name(format!("v{id}_{c}"), &expression)
                })
                .collect(),
            None => {
                let offset = self.text.offset(value);
                let start = self.text.name(format!("v{id}"), &format!("{offset} + line * {width}u"));
                (0..width)
                    .map(|c| self.text.name(format!("v{id}_{c}"), &format!("arena[{start} + {c}u]")))
                    .collect()
            }
        };
        self.columns.insert(value, columns.clone());
        columns
    }

    /// Whether a value's line is too wide for registers.
    pub(crate) fn is_wide(&mut self, value: Value) -> bool {
        self.width(value) > NARROW
    }

    /// One number of a wide line, straight from memory.
    pub(crate) fn element(&mut self, value: Value, column: &str) -> String {
        if let Some(source) = self.text.sources.values.source(value) {
            return self.text.source(value, source, column);
        }
        let width = self.width(value);
        let offset = self.text.offset(value);
        format!("arena[{offset} + line * {width}u + {column}]")
    }

    /// Names the columns of a new value.
    pub(crate) fn define(&mut self, value: Value, expressions: &[String]) {
        let id = value.index();
        let name = |(c, expression): (usize, &String)| self.text.name(format!("v{id}_{c}"), expression);
        let columns = expressions.iter().enumerate().map(name).collect();
        self.columns.insert(value, columns);
    }

    /// Defines a value by the expression of each of its columns.
    pub(crate) fn define_each(
        &mut self,
        value: Value,
        expression: impl Fn(&mut dyn Cells<'a>, &Column) -> String,
    ) {
        self.width = self.width(value);
        let columns: Vec<String> =
            (0..self.width).map(|column| expression(self, &Column::Known(column))).collect();
        self.define(value, &columns);
    }

    /// Writes the columns of a value to memory, if it has a place there.
    pub(crate) fn store(&mut self, value: Value) {
        if self.text.sources.layout.offset(value).is_none() {
            return;
        }
        let offset = self.text.offset(value);
        let columns = self.columns(value);
        let width = columns.len();
        for (c, column) in columns.iter().enumerate() {
            self.text.statement(&format!("arena[{offset} + line * {width}u + {c}u] = {column};"));
        }
    }

    /// Records the shader.
    pub(crate) fn record(self, layers: &mut Layers<'_>) -> Result<(), GpuError> {
        self.text.record(layers, "lines", "line")
    }
}

impl<'a> Cells<'a> for Lines<'a> {
    fn text(&mut self) -> &mut Text<'a> {
        &mut self.text
    }

    fn number(&mut self, value: Value, column: &Column) -> String {
        match column {
            Column::Known(column) if self.columns.contains_key(&value) || !self.is_wide(value) => {
                let columns = self.columns(value);
                columns[(*column).min(columns.len() - 1)].clone()
            }
            column => self.element(value, &column.wgsl()),
        }
    }

    fn position(&self, column: &Column) -> String {
        format!("(line * {}u + {})", self.width, column.wgsl())
    }
}

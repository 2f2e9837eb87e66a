//! Generated shaders with one invocation for each line, a vector along the last axis of a value such as one token. The
//! elements of a line stay in registers between operations.

use std::collections::HashMap;

use vivarium_graph::Value;

use super::layers::{LayerRecorder, ShaderInputs};
use super::operands::{Column, ElementOperands};
use super::text::ShaderText;
use crate::error::GpuError;

/// Maximum number of elements of a line (vector along the last axis) that one invocation keeps in registers.
pub(crate) const NARROW: usize = 16;

/// Generator of a shader with one invocation for each line (vector along the last axis) of its values.
pub(crate) struct LineShader<'a> {
    text: ShaderText<'a>,
    /// For each value that is held in registers: the names of the WGSL variables, one for each column. Together the
    /// variables hold one line (vector along the last axis) of the value.
    columns: HashMap<Value, Vec<String>>,
    /// Number of columns (elements along the last axis) of the result whose WGSL expressions are being generated.
    width: usize,
}

impl<'a> LineShader<'a> {
    /// Creates a shader without operations, for values with `lines` lines (vectors along the last axis).
    pub(crate) fn new(sources: ShaderInputs<'a>, lines: usize) -> Self {
        Self { text: ShaderText::new(sources, lines), columns: HashMap::new(), width: 1 }
    }

    /// Returns the names of the WGSL variables that hold one line (vector along the last axis) of an operand, one
    /// variable for each column. At the first use of the operand, appends statements that load the line from memory.
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

    /// Returns whether a value's width (last dimension) exceeds [`NARROW`]. A line (the elements along the last
    /// dimension) of such a value does not fit in registers.
    pub(crate) fn is_wide(&mut self, value: Value) -> bool {
        self.width(value) > NARROW
    }

    /// Returns the WGSL expression that loads an element of a wide value from memory. `column` is the WGSL of the
    /// element's column; its line (vector along the last axis) is the line that the invocation processes.
    pub(crate) fn element(&mut self, value: Value, column: &str) -> String {
        if let Some(source) = self.text.sources.values.source(value) {
            return self.text.source(value, source, column);
        }
        let width = self.width(value);
        let offset = self.text.offset(value);
        format!("arena[{offset} + line * {width}u + {column}]")
    }

    /// Defines a value in the shader by the WGSL expressions of its elements, one for each column (index along the last
    /// axis).
    pub(crate) fn define(&mut self, value: Value, expressions: &[String]) {
        let id = value.index();
        let name = |(c, expression): (usize, &String)| self.text.name(format!("v{id}_{c}"), expression);
        let columns = expressions.iter().enumerate().map(name).collect();
        self.columns.insert(value, columns);
    }

    /// Defines the plan's value `value` in the shader. For each column (index along the last axis), `expression`
    /// returns the WGSL expression of the value's element.
    pub(crate) fn define_each(
        &mut self,
        value: Value,
        expression: impl Fn(&mut dyn ElementOperands<'a>, &Column) -> String,
    ) {
        self.width = self.width(value);
        let columns: Vec<String> =
            (0..self.width).map(|column| expression(self, &Column::Known(column))).collect();
        self.define(value, &columns);
    }

    /// Appends statements that store one line (vector along the last axis) of a value in the arena (the buffer of all
    /// values), if the memory layout assigns an offset to the value.
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

    /// Records the dispatch of the finished shader in the program of the plan.
    pub(crate) fn record(self, layers: &mut LayerRecorder<'_>) -> Result<(), GpuError> {
        self.text.record(layers, "lines", "line")
    }
}

impl<'a> ElementOperands<'a> for LineShader<'a> {
    fn text(&mut self) -> &mut ShaderText<'a> {
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

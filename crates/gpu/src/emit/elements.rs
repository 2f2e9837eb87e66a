//! Shaders by elements: one invocation for each number of wide values.

use std::collections::HashMap;

use vivarium_graph::{Shape, Value};

use super::cells::{Cells, Column};
use super::layers::{Layers, Sources};
use super::text::Text;
use crate::error::GpuError;

/// A shader by elements, while it is written. All of its results have one shape.
pub(crate) struct Elements<'a> {
    text: Text<'a>,
    /// The names of the numbers that are in registers.
    names: HashMap<Value, String>,
    width: usize,
}

/// The invocation's own column.
const OWN: &str = "col";

impl<'a> Elements<'a> {
    /// An empty shader for so many rows of this shape.
    pub(crate) fn new(sources: Sources<'a>, rows: usize, shape: Shape) -> Self {
        let mut text = Text::new(sources, rows * shape.size());
        text.statement(&format!("let line = element / {}u;", shape.width()));
        text.statement(&format!("let {OWN} = element % {}u;", shape.width()));
        Self { text, names: HashMap::new(), width: shape.width() }
    }

    /// Defines a value by its expression.
    pub(crate) fn define(
        &mut self,
        value: Value,
        expression: impl Fn(&mut dyn Cells<'a>, &Column) -> String,
    ) {
        let expression = expression(self, &Column::At(OWN.to_owned()));
        let name = self.text.name(format!("v{}", value.index()), &expression);
        self.names.insert(value, name);
    }

    /// Writes the number of a value to memory, if it has a place there.
    pub(crate) fn store(&mut self, value: Value) {
        if let (Some(_), Some(name)) = (self.text.sources.layout.offset(value), self.names.get(&value)) {
            let offset = self.text.offset(value);
            self.text.statement(&format!("arena[{offset} + element] = {name};"));
        }
    }

    /// Records the shader.
    pub(crate) fn record(self, layers: &mut Layers<'_>) -> Result<(), GpuError> {
        self.text.record(layers, "elements", "element")
    }

    /// The expression for a number that is not in a register.
    fn read(&mut self, value: Value, column: &str) -> String {
        if let Some(source) = self.text.sources.values.source(value) {
            return self.text.source(value, source, column);
        }
        let width = self.width(value);
        let offset = self.text.offset(value);
        if width == self.width && column == OWN {
            format!("arena[{offset} + element]")
        } else {
            format!("arena[{offset} + line * {width}u + {column}]")
        }
    }
}

impl<'a> Cells<'a> for Elements<'a> {
    fn text(&mut self) -> &mut Text<'a> {
        &mut self.text
    }

    fn number(&mut self, value: Value, column: &Column) -> String {
        let is_single = self.width(value) == 1;
        let column = if is_single { "0u".to_owned() } else { column.wgsl() };
        if !is_single && column != OWN {
            return self.read(value, &column);
        }
        if let Some(name) = self.names.get(&value) {
            return name.clone();
        }
        let expression = self.read(value, &column);
        let name = self.text.name(format!("v{}", value.index()), &expression);
        self.names.insert(value, name.clone());
        name
    }

    fn position(&self, _: &Column) -> String {
        "element".to_owned()
    }
}

//! Generated shaders with one invocation for each element of a value. They compute values whose vectors along the last
//! axis are too wide for the registers of one invocation.

use std::collections::HashMap;

use vivarium_graph::{Shape, Value};

use super::layers::{LayerRecorder, ShaderInputs};
use super::operands::{Column, ElementOperands};
use super::text::ShaderText;
use crate::error::GpuError;

/// Generator of a shader with one invocation for each element of its results. All results have the same shape.
pub(crate) struct ElementShader<'a> {
    text: ShaderText<'a>,
    /// For each value that the shader has computed: the name of the WGSL variable that holds the value's element of the
    /// current invocation.
    names: HashMap<Value, String>,
    width: usize,
}

/// Name of the WGSL variable that holds the column (index along the last axis) of the element that an invocation
/// computes.
const OWN: &str = "col";

impl<'a> ElementShader<'a> {
    /// Creates an empty shader that will compute results of shape `shape` in each of `rows` batch rows, with one
    /// invocation for each element.
    pub(crate) fn new(sources: ShaderInputs<'a>, rows: usize, shape: Shape) -> Self {
        let mut text = ShaderText::new(sources, rows * shape.size());
        text.statement(&format!("let line = element / {}u;", shape.width()));
        text.statement(&format!("let {OWN} = element % {}u;", shape.width()));
        Self { text, names: HashMap::new(), width: shape.width() }
    }

    /// Defines the plan's value `value` in the shader. `expression` returns the WGSL expression of the value's element
    /// in a given column (index along the last axis).
    pub(crate) fn define(
        &mut self,
        value: Value,
        expression: impl Fn(&mut dyn ElementOperands<'a>, &Column) -> String,
    ) {
        let expression = expression(self, &Column::At(OWN.to_owned()));
        let name = self.text.name(format!("v{}", value.index()), &expression);
        self.names.insert(value, name);
    }

    /// Appends the statement that stores a value in the arena (the buffer of all values), if the memory layout assigns
    /// an offset to the value.
    pub(crate) fn store(&mut self, value: Value) {
        if let (Some(_), Some(name)) = (self.text.sources.layout.offset(value), self.names.get(&value)) {
            let offset = self.text.offset(value);
            self.text.statement(&format!("arena[{offset} + element] = {name};"));
        }
    }

    /// Records the dispatch of the finished shader in the program of the plan.
    pub(crate) fn record(self, layers: &mut LayerRecorder<'_>) -> Result<(), GpuError> {
        self.text.record(layers, "elements", "element")
    }

    /// Returns the WGSL expression that loads from memory, or computes inline, an element of a value that this shader
    /// has not defined.
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

impl<'a> ElementOperands<'a> for ElementShader<'a> {
    fn text(&mut self) -> &mut ShaderText<'a> {
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

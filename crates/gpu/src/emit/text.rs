//! The text of a generated shader while it is written: bindings, uniform words and statements.

use std::collections::HashSet;
use std::fmt::Write as _;

use vivarium_graph::{ParameterId, Value};

use super::layers::{Layers, Sources};
use super::source::Source;
use crate::error::GpuError;
use crate::math::MATH_WGSL;

/// The functions that the table of element-wise functions calls, beside [`MATH_WGSL`].
const FUNCTIONS: &str = crate::shader!("functions.wgsl");

/// A shader with one invocation for each of so many things, while it is written.
pub(crate) struct Text<'a> {
    pub(crate) sources: Sources<'a>,
    invocations: usize,
    /// The words of the uniform block.
    words: Vec<usize>,
    body: String,
    names: HashSet<String>,
    reads_parameters: bool,
}

impl<'a> Text<'a> {
    /// An empty shader of so many invocations.
    pub(crate) fn new(sources: Sources<'a>, invocations: usize) -> Self {
        let mut text = Self {
            sources,
            invocations,
            words: Vec::new(),
            body: String::new(),
            names: HashSet::new(),
            reads_parameters: false,
        };
        text.name("zero".to_owned(), "0.0f");
        text
    }

    /// The name of a uniform word.
    pub(crate) fn word(&mut self, word: usize) -> String {
        self.words.push(word);
        format!("u.w{}", self.words.len() - 1)
    }

    /// The expression for a number that may not be written as a literal, such as an infinity.
    pub(crate) fn number(&mut self, number: f32) -> String {
        if number.is_finite() {
            format!("{number:?}f")
        } else {
            let word = self.word(number.to_bits() as usize);
            format!("bitcast<f32>({word})")
        }
    }

    /// Gives an expression a name, unless it has it already, so that it is computed once, and while the shader runs: never
    /// by its compiler, which would refuse what overflows.
    pub(crate) fn name(&mut self, name: String, expression: &str) -> String {
        if self.names.insert(name.clone()) {
            let _ = writeln!(self.body, "    let {name} = {expression};");
        }
        name
    }

    /// Appends a statement.
    pub(crate) fn statement(&mut self, statement: &str) {
        let _ = writeln!(self.body, "    {statement}");
    }

    /// The uniform word with the place of a value in the arena.
    pub(crate) fn offset(&mut self, value: Value) -> String {
        let offset = self.sources.layout.offset(value).expect("what is read from memory has a place there");
        self.word(offset)
    }

    /// The expression for a column of a value that is a source, on the line `line`.
    pub(crate) fn source(&mut self, value: Value, source: Source, column: &str) -> String {
        match source {
            Source::Constant(number) => self.number(number),
            Source::Seed => self.number_word(self.sources.row_weight),
            Source::Setting(input) => {
                let offset = self.word(self.sources.layout.inputs[input.0].start);
                format!("arena[{offset}]")
            }
            Source::Parameter(parameter) => {
                let shape = self.sources.values.shape(value);
                let lines = match shape.lines() {
                    1 => String::new(),
                    lines => format!("line % {lines}u * {}u + ", shape.width()),
                };
                self.parameter(parameter, &format!("{lines}{column}"))
            }
        }
    }

    /// The expression for a number of a parameter.
    pub(crate) fn parameter(&mut self, id: ParameterId, place: &str) -> String {
        self.reads_parameters = true;
        let offset = self.word(self.sources.parameters[id.0].start);
        format!("parameters[{offset} + {place}]")
    }

    /// A number as a uniform word, so that the shader's text does not depend on it.
    fn number_word(&mut self, number: f32) -> String {
        let word = self.word(number.to_bits() as usize);
        format!("bitcast<f32>({word})")
    }

    /// Records the whole shader. `position` is the variable that counts the invocations.
    pub(crate) fn record(self, layers: &mut Layers<'_>, label: &str, position: &str) -> Result<(), GpuError> {
        let mut text = String::from("@group(0) @binding(0) var<storage, read_write> arena: array<f32>;\n");
        let mut buffers = vec![layers.arena];
        if self.reads_parameters {
            text.push_str("@group(0) @binding(1) var<storage, read> parameters: array<f32>;\n");
            buffers.push(layers.parameters);
        }
        text.push_str(MATH_WGSL);
        text.push_str(FUNCTIONS);
        let _ = write!(text, "fn each({position}: u32) {{\n{}}}\n", self.body);
        let names: Vec<String> = (0..self.words.len()).map(|word| format!("w{word}")).collect();
        let words: Vec<_> = names.iter().map(String::as_str).zip(self.words.iter().copied()).collect();
        layers.recorder.for_each(label, &[&text], &buffers, &words, self.invocations)
    }
}

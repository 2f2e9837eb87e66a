//! Source text of a generated shader: bindings, uniform words and statements.

use std::collections::HashSet;
use std::fmt::Write as _;

use vivarium_graph::{ParameterId, Value};

use super::inline_value::InlineValue;
use super::layers::{LayerRecorder, ShaderInputs};
use crate::error::GpuError;
use crate::math::MATH_WGSL;

/// WGSL functions that element-wise operations call, in addition to [`MATH_WGSL`].
const FUNCTIONS: &str = crate::shader!("functions.wgsl");

/// Generator of a shader's source text.
pub(crate) struct ShaderText<'a> {
    pub(crate) sources: ShaderInputs<'a>,
    invocations: usize,
    /// Words of the uniform block.
    words: Vec<usize>,
    body: String,
    names: HashSet<String>,
    reads_parameters: bool,
}

impl<'a> ShaderText<'a> {
    /// Creates the text of a shader with `invocations` invocations.
    pub(crate) fn new(sources: ShaderInputs<'a>, invocations: usize) -> Self {
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

    /// Adds a word to the uniform block and returns its WGSL name.
    pub(crate) fn word(&mut self, word: usize) -> String {
        self.words.push(word);
        format!("u.w{}", self.words.len() - 1)
    }

    /// Returns the WGSL expression of a number: a literal, or a uniform word for infinities and NaN, which have no
    /// literal.
    pub(crate) fn number(&mut self, number: f32) -> String {
        if number.is_finite() {
            format!("{number:?}f")
        } else {
            let word = self.word(number.to_bits() as usize);
            format!("bitcast<f32>({word})")
        }
    }

    /// Binds an expression to a name, unless the name is already bound. The expression is evaluated once and at run
    /// time: WGSL compilers reject constant expressions that overflow.
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

    /// Adds a uniform word with the arena offset of a value and returns its name.
    pub(crate) fn offset(&mut self, value: Value) -> String {
        let offset = self.sources.layout.offset(value).expect("values that are loaded have an offset");
        self.word(offset)
    }

    /// Returns the WGSL expression of an inline value's column in the invocation's line.
    pub(crate) fn source(&mut self, value: Value, source: InlineValue, column: &str) -> String {
        match source {
            InlineValue::Constant(number) => self.number(number),
            InlineValue::Seed => self.number_word(self.sources.row_weight),
            InlineValue::Setting(input) => {
                let offset = self.word(self.sources.layout.inputs[input.0].start);
                format!("arena[{offset}]")
            }
            InlineValue::Parameter(parameter) => {
                let shape = self.sources.values.shape(value);
                let lines = match shape.lines() {
                    1 => String::new(),
                    lines => format!("line % {lines}u * {}u + ", shape.width()),
                };
                self.parameter(parameter, &format!("{lines}{column}"))
            }
        }
    }

    /// Returns the WGSL expression of the parameter's element at index `place`.
    pub(crate) fn parameter(&mut self, id: ParameterId, place: &str) -> String {
        self.reads_parameters = true;
        let offset = self.word(self.sources.parameters[id.0].start);
        format!("parameters[{offset} + {place}]")
    }

    /// Adds a word with this number to the uniform block and returns its WGSL name. The source text then does not
    /// depend on the number.
    fn number_word(&mut self, number: f32) -> String {
        let word = self.word(number.to_bits() as usize);
        format!("bitcast<f32>({word})")
    }

    /// Records the dispatch of the shader. `position` is the variable with the invocation index.
    pub(crate) fn record(
        self,
        layers: &mut LayerRecorder<'_>,
        label: &str,
        position: &str,
    ) -> Result<(), GpuError> {
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

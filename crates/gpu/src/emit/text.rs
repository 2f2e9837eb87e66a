//! Source text of a generated shader: buffers, uniforms and statements.

use std::collections::HashSet;
use std::fmt::Write as _;

use vivarium_graph::{ParameterId, Value};

use super::inline_value::InlineValue;
use super::layers::{LayerRecorder, ShaderInputs};
use crate::builder::Shader;
use crate::error::GpuError;
use crate::math::{activations_of_numbers, math_wgsl};

/// WGSL helper functions that the generated expressions of element-wise operations call, in addition to
/// [`math_wgsl`].
const FUNCTIONS: &str = crate::shader!("functions.wgsl");

/// Source text of a generated shader: uniforms, and the statements of its body.
pub(crate) struct ShaderText<'a> {
    pub(crate) sources: ShaderInputs<'a>,
    invocations: usize,
    uniforms: Vec<(String, usize)>,
    body: String,
    names: HashSet<String>,
    reads_parameters: bool,
}

impl<'a> ShaderText<'a> {
    /// Creates the text of a shader whose body has no statements yet. The shader will run with `invocations`
    /// invocations.
    pub(crate) fn new(sources: ShaderInputs<'a>, invocations: usize) -> Self {
        let mut text = Self {
            sources,
            invocations,
            uniforms: Vec::new(),
            body: String::new(),
            names: HashSet::new(),
            reads_parameters: false,
        };
        text.name("zero".to_owned(), "0.0f");
        text
    }

    /// Returns the WGSL expression that reads the uniform `name` of the shader. At its first use, adds the uniform to
    /// the shader, with the value `word`.
    fn uniform(&mut self, name: String, word: usize) -> String {
        let wgsl = format!("u.{name}");
        match self.uniforms.iter().find(|(other, _)| *other == name) {
            Some((_, known)) => debug_assert_eq!(*known, word, "{name}"),
            None => self.uniforms.push((name, word)),
        }
        wgsl
    }

    /// Returns the WGSL expression of the number `number`: a literal, or for infinities and NaN, which have no literal,
    /// a uniform.
    pub(crate) fn number(&mut self, number: f32) -> String {
        if number.is_finite() {
            format!("{number:?}f")
        } else {
            let bits = number.to_bits();
            self.number_uniform(format!("number_{bits:x}"), number)
        }
    }

    /// Appends the WGSL statement `let name = expression;` to the shader, unless the shader already declares this name,
    /// and returns the name. The shader evaluates the expression once and at run time: WGSL compilers reject constant
    /// expressions that overflow.
    pub(crate) fn name(&mut self, name: String, expression: &str) -> String {
        if self.names.insert(name.clone()) {
            let _ = writeln!(self.body, "    let {name} = {expression};");
        }
        name
    }

    /// Appends a WGSL statement to the body of the shader.
    pub(crate) fn statement(&mut self, statement: &str) {
        let _ = writeln!(self.body, "    {statement}");
    }

    /// Returns the WGSL expression of a value's word offset in the arena (the buffer of all values). The shader
    /// receives the offset as a uniform.
    pub(crate) fn offset(&mut self, value: Value) -> String {
        let offset = self.sources.layout.offset(value).expect("values that are loaded have an offset");
        self.uniform(format!("at_v{}", value.index()), offset)
    }

    /// Returns the WGSL expression of an element of an inline value, a value that shaders compute where they read it.
    /// `column` is the WGSL of the element's column; its line (vector along the last axis) is the line that the
    /// invocation processes.
    pub(crate) fn source(&mut self, value: Value, source: InlineValue, column: &str) -> String {
        match source {
            InlineValue::Constant(number) => self.number(number),
            InlineValue::Seed => self.number_uniform("row_weight".to_owned(), self.sources.row_weight),
            InlineValue::Setting(input) => {
                let offset = self.sources.layout.inputs[input.0].start;
                let offset = self.uniform(format!("at_input{}", input.0), offset);
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

    /// Returns the WGSL expression that loads an element of a parameter. `place` is the WGSL of the element's index in
    /// the parameter.
    pub(crate) fn parameter(&mut self, id: ParameterId, place: &str) -> String {
        self.reads_parameters = true;
        let offset = self.uniform(format!("at_parameter{}", id.0), self.sources.parameters[id.0].start);
        format!("parameters[{offset} + {place}]")
    }

    /// Returns the WGSL expression of a number that the shader receives as a uniform, so that the source text does not
    /// depend on the number.
    fn number_uniform(&mut self, name: String, number: f32) -> String {
        let word = self.uniform(name, number.to_bits() as usize);
        format!("bitcast<f32>({word})")
    }

    /// Records the dispatch of the shader. `position` is the name of the WGSL variable with the invocation index.
    pub(crate) fn record(
        self,
        layers: &mut LayerRecorder<'_>,
        label: &str,
        position: &str,
    ) -> Result<(), GpuError> {
        let mut declarations = String::from("var<storage, read_write> arena: array<f32>;\n");
        let mut buffers = vec![("arena", layers.arena)];
        if self.reads_parameters {
            declarations.push_str("var<storage, read> parameters: array<f32>;\n");
            buffers.push(("parameters", layers.parameters));
        }
        let each = format!("fn each({position}: u32) {{\n{}}}\n", self.body);
        Shader::own(label, &[&declarations, math_wgsl(), activations_of_numbers(), FUNCTIONS, &each])
            .buffers(buffers)
            .uniforms(self.uniforms)
            .record_each(layers.recorder, self.invocations)
    }
}

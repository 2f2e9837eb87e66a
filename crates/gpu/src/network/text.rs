//! The text of a kernel while it is written: bindings, uniform words, and operations as expressions.

use std::fmt::Write as _;
use std::ops::Range;

use vivarium_graph::{Binary, Op, ParameterId, Unary};

use super::layout::Layout;
use super::values::{Id, Values};
use crate::error::GpuError;
use crate::kernels::MATH_WGSL;
use crate::memory::Buffer;
use crate::program::{Recorder, spread};

/// The functions that expressions call, beside [`MATH_WGSL`].
const FUNCTIONS: &str = include_str!("functions.wgsl");

/// Invocations of a workgroup of a generated kernel.
const WORKGROUP: usize = 64;

/// What all kernels of a network are written from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) values: &'a Values,
    pub(crate) layout: &'a Layout,
    /// Where each parameter lies in the flat buffer.
    pub(crate) parameters: &'a [Range<usize>],
    /// The weight of a row in the loss.
    pub(crate) row_weight: f32,
}

/// A kernel with one invocation for each of so many things, while it is written.
pub(crate) struct Text<'a> {
    pub(crate) sources: Sources<'a>,
    /// The words of the uniform block: first how many invocations there are.
    words: Vec<u32>,
    body: String,
    reads_parameters: bool,
}

impl<'a> Text<'a> {
    /// An empty kernel of so many invocations.
    pub(crate) fn new(sources: Sources<'a>, invocations: usize) -> Self {
        Self { sources, words: vec![invocations as u32], body: String::new(), reads_parameters: false }
    }

    /// The name of a uniform word.
    pub(crate) fn word(&mut self, word: usize) -> String {
        self.words.push(word as u32);
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

    /// Gives an expression a name, so that it is computed once, and while the kernel runs: never by its compiler, which
    /// would refuse what overflows.
    pub(crate) fn name(&mut self, name: String, expression: &str) -> String {
        let _ = writeln!(self.body, "    let {name} = {expression};");
        name
    }

    /// Appends a statement.
    pub(crate) fn statement(&mut self, statement: &str) {
        let _ = writeln!(self.body, "    {statement}");
    }

    /// The uniform word with the place of a value in the arena.
    pub(crate) fn offset(&mut self, id: Id) -> String {
        let offset = self.sources.layout.offsets[id].expect("what is read from memory has a place there");
        self.word(offset)
    }

    /// The expression for a column of a value that is a source, on the line `line`.
    pub(crate) fn source(&mut self, id: Id, op: Op, column: &str) -> String {
        match op {
            Op::Constant(number) => self.number(number),
            Op::Seed => self.number_word(self.sources.row_weight),
            Op::Setting(input) => {
                let offset = self.offset(input.0);
                format!("arena[{offset}]")
            }
            Op::Parameter(parameter) => {
                let shape = self.sources.values.shape(id);
                let lines = match shape.lines() {
                    1 => String::new(),
                    lines => format!("line % {lines}u * {}u + ", shape.width()),
                };
                self.parameter(parameter, &format!("{lines}{column}"))
            }
            _ => unreachable!("{} is not a source", op.name()),
        }
    }

    /// The expression for a number of a parameter.
    pub(crate) fn parameter(&mut self, id: ParameterId, place: &str) -> String {
        self.reads_parameters = true;
        let offset = self.word(self.sources.parameters[id.0].start);
        format!("parameters[{offset} + {place}]")
    }

    /// A number as a uniform word, so that the kernel's text does not depend on it.
    fn number_word(&mut self, number: f32) -> String {
        let word = self.word(number.to_bits() as usize);
        format!("bitcast<f32>({word})")
    }

    /// y = f(x).
    pub(crate) fn unary(&mut self, unary: Unary, x: &str) -> String {
        match unary {
            Unary::Relu => format!("relu({x})"),
            Unary::Tanh => format!("safe_tanh({x})"),
            Unary::Gelu => format!("gelu({x})"),
            Unary::Sigmoid => format!("safe_sigmoid({x})"),
            Unary::Exp => format!("safe_exp({x})"),
            Unary::Ln => format!("log({x})"),
            Unary::Square => format!("{x} * {x}"),
            Unary::Sqrt => format!("sqrt({x})"),
            Unary::Abs => format!("abs({x})"),
            Unary::Scale(c) => format!("{x} * {}", self.number(c)),
            Unary::Offset(c) => format!("{x} + {}", self.number(c)),
            Unary::Clamp(low, high) => {
                format!("held({x}, {}, {})", self.number(low), self.number(high))
            }
        }
    }

    /// dx, from what the function got or gave ([`Unary::gradient_from`]) and dy.
    pub(crate) fn unary_gradient(&mut self, unary: Unary, saved: &str, dy: &str) -> String {
        let (x, y) = (saved, saved);
        match unary {
            Unary::Relu => format!("select(0.0, {dy}, {y} > 0.0)"),
            Unary::Tanh => format!("{dy} * (1.0 - {y} * {y})"),
            Unary::Gelu => format!("{dy} * gelu_slope({x})"),
            Unary::Sigmoid => format!("{dy} * {y} * (1.0 - {y})"),
            Unary::Exp => format!("{dy} * {y}"),
            Unary::Ln => format!("{dy} / {x}"),
            Unary::Square => format!("{dy} * {x} * 2.0"),
            Unary::Sqrt => format!("{dy} * 0.5 / {y}"),
            Unary::Abs => format!("{dy} * abs_slope({x})"),
            Unary::Clamp(low, high) => {
                let (low, high) = (self.number(low), self.number(high));
                format!("select(0.0, {dy}, {x} >= {low} && {x} <= {high})")
            }
            Unary::Scale(c) => format!("{dy} * {}", self.number(c)),
            Unary::Offset(_) => dy.to_owned(),
        }
    }

    /// The whole kernel, recorded. `position` is the variable that counts the invocations.
    pub(crate) fn record(
        self,
        recorder: &mut Recorder,
        label: &str,
        position: &str,
        arena: &Buffer,
        parameters: &Buffer,
    ) -> Result<(), GpuError> {
        let mut text = String::from("struct Uniforms {\n");
        for word in 0..self.words.len() {
            let _ = writeln!(text, "    w{word}: u32,");
        }
        text.push_str("}\n@group(0) @binding(0) var<storage, read_write> arena: array<f32>;\n");
        let mut buffers = vec![arena];
        if self.reads_parameters {
            text.push_str("@group(0) @binding(1) var<storage, read> parameters: array<f32>;\n");
            buffers.push(parameters);
        }
        let _ = writeln!(text, "@group(0) @binding({}) var<uniform> u: Uniforms;", buffers.len());
        text.push_str(MATH_WGSL);
        text.push_str(FUNCTIONS);
        let _ = write!(
            text,
            "@compute @workgroup_size({WORKGROUP})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {{
    let {position} = (group.x + group.y * 65535u) * {WORKGROUP}u + local;
    if ({position} >= u.w0) {{ return; }}
{}}}
",
            self.body
        );
        let kernel = recorder.gpu().kernel(label, &text, &[])?;
        let workgroups = spread((self.words[0] as usize).div_ceil(WORKGROUP));
        recorder.dispatch(&kernel, &buffers, &self.words, workgroups);
        Ok(())
    }
}

/// z = f(a, b).
pub(crate) fn binary(binary: Binary, a: &str, b: &str) -> String {
    match binary {
        Binary::Add => format!("{a} + {b}"),
        Binary::Sub => format!("{a} - {b}"),
        Binary::Mul => format!("{a} * {b}"),
        Binary::Div => format!("{a} / {b}"),
        Binary::Min => format!("smaller({a}, {b})"),
        Binary::Max => format!("larger({a}, {b})"),
        Binary::Less => format!("select(0.0, 1.0, {a} < {b})"),
        Binary::LessEqual => format!("select(0.0, 1.0, {a} <= {b})"),
    }
}

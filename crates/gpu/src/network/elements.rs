//! Kernels by elements: one invocation for each number of wide values.

use std::collections::HashMap;

use vivarium_graph::{Kernel, Op, ParameterId};

use super::schedule::Group;
use super::text::{Sources, Text, binary};
use super::values::{Id, Node, Work};
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::Recorder;

/// Records the kernel of a group, all of whose values have one shape.
pub(crate) fn record(
    recorder: &mut Recorder,
    sources: Sources<'_>,
    group: &Group,
    rows: usize,
    arena: &Buffer,
    parameters: &Buffer,
) -> Result<(), GpuError> {
    let values = sources.values;
    let first = values.nodes[group.nodes[0]].result.expect("a node by elements has a result");
    let shape = values.shape(first);
    let mut elements = Elements {
        text: Text::new(sources, rows * shape.size()),
        names: HashMap::new(),
        width: shape.width(),
    };
    elements.text.statement(&format!("let line = element / {}u;", shape.width()));
    elements.text.statement(&format!("let col = element % {}u;", shape.width()));
    for &node in &group.nodes {
        elements.node(&values.nodes[node]);
    }
    for &node in &group.nodes {
        let Some(result) = values.nodes[node].result else { continue };
        if sources.layout.offsets[result].is_some() {
            let offset = elements.text.offset(result);
            let name = &elements.names[&result];
            elements.text.statement(&format!("arena[{offset} + element] = {name};"));
        }
    }
    elements.text.record(recorder, "elements", "element", arena, parameters)
}

struct Elements<'a> {
    text: Text<'a>,
    /// The names of the numbers that are in registers.
    names: HashMap<Id, String>,
    width: usize,
}

impl Elements<'_> {
    /// The number of an operand that belongs to the element, where a width of 1 stands for the whole line.
    fn here(&mut self, id: Id) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let width = self.text.sources.values.shape(id).width();
        let expression = self.at(id, if width == 1 { "0u" } else { "col" });
        let name = self.text.name(format!("v{id}"), &expression);
        self.names.insert(id, name.clone());
        name
    }

    /// The number in a column of an operand's line.
    fn at(&mut self, id: Id, column: &str) -> String {
        if let Some(op) = self.text.sources.values.source(id) {
            return self.text.source(id, op, column);
        }
        let width = self.text.sources.values.shape(id).width();
        let offset = self.text.offset(id);
        if width == self.width && column == "col" {
            format!("arena[{offset} + element]")
        } else {
            format!("arena[{offset} + line * {width}u + {column}]")
        }
    }

    /// The number in the same place of an operand of another shape.
    fn flat(&mut self, id: Id) -> String {
        match self.text.sources.values.source(id) {
            Some(Op::Parameter(parameter)) => {
                let size = self.text.sources.values.shape(id).size();
                self.text.parameter(parameter, &format!("element % {size}u"))
            }
            Some(op) => self.text.source(id, op, "0u"),
            None => {
                let offset = self.text.offset(id);
                format!("arena[{offset} + element]")
            }
        }
    }

    /// The sum of the rows of a table that a line's indices pick, at this column.
    fn embedding(&mut self, table: ParameterId, indices: Id) -> String {
        let entries = self.text.sources.parameters[table.0].len() / self.width;
        let (each, width) = (self.text.sources.values.shape(indices).width(), self.width);
        let picked = (0..each).map(|place| {
            let index = self.at(indices, &format!("{place}u"));
            self.text.parameter(table, &format!("column({index}, {entries}u) * {width}u + col"))
        });
        picked.collect::<Vec<_>>().join(" + ")
    }

    fn define(&mut self, id: Id, expression: &str) {
        let name = self.text.name(format!("v{id}"), expression);
        self.names.insert(id, name);
    }

    fn node(&mut self, node: &Node) {
        let Some(result) = node.result else { return };
        if self.text.sources.values.source(result).is_some() {
            self.here(result);
            return;
        }
        let operands = &node.operands;
        let expression = match node.work {
            Work::Step(Kernel::Copy) if self.text.sources.values.is_reshaped(node) => self.flat(operands[0]),
            Work::Step(Kernel::Copy) => self.here(operands[0]),
            Work::Step(Kernel::CrossEntropyGradient) => {
                let [index, d, y] = [0, 1, 2].map(|operand| self.here(operands[operand]));
                let n = self.width;
                format!("select(0.0, {d}, column({index}, {n}u) == col) - safe_exp({y}) * {d}")
            }
            Work::Step(Kernel::Op(op)) => self.op(op, operands, result),
            _ => unreachable!("a layer is no node by elements"),
        };
        self.define(result, &expression);
    }

    fn op(&mut self, op: Op, operands: &[Id], result: Id) -> String {
        match op {
            Op::Unary(unary) => {
                let x = self.here(operands[0]);
                self.text.unary(unary, &x)
            }
            Op::UnaryGradient(unary) => {
                let (saved, dy) = (self.here(operands[0]), self.here(operands[1]));
                self.text.unary_gradient(unary, &saved, &dy)
            }
            Op::Binary(function) => {
                let (a, b) = (self.here(operands[0]), self.here(operands[1]));
                binary(function, &a, &b)
            }
            Op::Select => {
                let [condition, a, b] = [0, 1, 2].map(|operand| self.here(operands[operand]));
                format!("select({b}, {a}, {condition} > 0.0)")
            }
            Op::Scatter(n) => {
                let (index, d) = (self.here(operands[0]), self.here(operands[1]));
                format!("select(0.0, {d}, column({index}, {n}u) == col)")
            }
            Op::Repeat(_) => self.here(operands[0]),
            Op::Embedding { table } => self.embedding(table, operands[0]),
            Op::Concat => {
                let n = self.text.sources.values.shape(operands[0]).width();
                let (a, b) = (self.at(operands[0], "col"), self.at(operands[1], &format!("(col - {n}u)")));
                self.either(result, &format!("col < {n}u"), &a, &b)
            }
            Op::Slice { start, .. } => self.at(operands[0], &format!("(col + {start}u)")),
            Op::Pad { start, .. } => {
                let end = start + self.text.sources.values.shape(operands[0]).width();
                let x = self.at(operands[0], &format!("(col - {start}u)"));
                self.either(result, &format!("col >= {start}u && col < {end}u"), &x, "0.0")
            }
            _ => unreachable!("{} is no operation by elements", op.name()),
        }
    }

    /// One expression or the other, of which only one can be read.
    fn either(&mut self, result: Id, condition: &str, a: &str, b: &str) -> String {
        let name = format!("e{result}");
        self.text.statement(&format!("var {name} = 0.0;"));
        self.text.statement(&format!("if ({condition}) {{ {name} = {a}; }} else {{ {name} = {b}; }}"));
        name
    }
}

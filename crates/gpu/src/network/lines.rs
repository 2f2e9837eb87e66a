//! Kernels by lines: one invocation for each line, whose numbers stay in registers from one operation to the next.

use std::collections::HashMap;

use vivarium_graph::{Binary, Kernel, Op};

use super::schedule::{Group, NARROW};
use super::text::{Sources, Text, binary};
use super::values::{Id, Node, Work};
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::Recorder;

/// Records the kernel of a group, all of whose values have as many lines a row. What others read goes to memory.
pub(crate) fn record(
    recorder: &mut Recorder,
    sources: Sources<'_>,
    group: &Group,
    rows: usize,
    arena: &Buffer,
    parameters: &Buffer,
) -> Result<(), GpuError> {
    let values = sources.values;
    let first = values.nodes[group.nodes[0]].result.expect("a node by lines has a result");
    let mut lines =
        Lines { text: Text::new(sources, rows * values.shape(first).lines()), columns: HashMap::new() };
    lines.text.name("zero".to_owned(), "0.0f");
    for &node in &group.nodes {
        lines.node(&values.nodes[node]);
    }
    for &node in &group.nodes {
        let Some(result) = values.nodes[node].result else { continue };
        if sources.layout.offsets[result].is_some() {
            lines.store(result);
        }
    }
    lines.text.record(recorder, "lines", "line", arena, parameters)
}

struct Lines<'a> {
    text: Text<'a>,
    /// The names of the columns of each value that is in registers.
    columns: HashMap<Id, Vec<String>>,
}

impl Lines<'_> {
    /// The columns of an operand, read from memory the first time.
    fn columns(&mut self, id: Id) -> Vec<String> {
        if let Some(columns) = self.columns.get(&id) {
            return columns.clone();
        }
        let width = self.text.sources.values.shape(id).width();
        let columns: Vec<String> = match self.text.sources.values.source(id) {
            Some(op) => (0..width)
                .map(|c| {
                    let expression = self.text.source(id, op, &format!("{c}u"));
                    self.text.name(format!("v{id}_{c}"), &expression)
                })
                .collect(),
            None => {
                let offset = self.text.offset(id);
                let start = self.text.name(format!("v{id}"), &format!("{offset} + line * {width}u"));
                (0..width)
                    .map(|c| self.text.name(format!("v{id}_{c}"), &format!("arena[{start} + {c}u]")))
                    .collect()
            }
        };
        self.columns.insert(id, columns.clone());
        columns
    }

    /// A column of an operand, where a width of 1 stands for all columns.
    fn column(&mut self, id: Id, column: usize) -> String {
        let columns = self.columns(id);
        columns[column.min(columns.len() - 1)].clone()
    }

    /// Names a new value's columns.
    fn define(&mut self, id: Id, expressions: Vec<String>) {
        let columns = expressions.iter().enumerate();
        let columns =
            columns.map(|(c, expression)| self.text.name(format!("v{id}_{c}"), expression)).collect();
        self.columns.insert(id, columns);
    }

    fn store(&mut self, id: Id) {
        let offset = self.text.offset(id);
        let columns = self.columns(id);
        let width = columns.len();
        for (c, column) in columns.iter().enumerate() {
            self.text.statement(&format!("arena[{offset} + line * {width}u + {c}u] = {column};"));
        }
    }

    /// Folds names into one expression.
    fn fold(names: &[String], join: impl Fn(String, &String) -> String) -> String {
        let (first, rest) = names.split_first().expect("a line has a number at least");
        rest.iter().fold(first.clone(), join)
    }

    fn node(&mut self, node: &Node) {
        let Some(result) = node.result else { return };
        // A source that is wanted in memory: it is written down like any operand.
        if self.text.sources.values.source(result).is_some() {
            self.columns(result);
            return;
        }
        let width = self.text.sources.values.shape(result).width();
        let operands = &node.operands;
        match node.work {
            Work::Step(Kernel::Copy) => {
                let columns = self.columns(operands[0]);
                self.columns.insert(result, columns);
            }
            Work::Step(Kernel::CrossEntropyGradient) => {
                let index = self.column(operands[0], 0);
                let d = self.column(operands[1], 0);
                let y = self.columns(operands[2]);
                let picked = self.text.name(format!("p{result}"), &format!("column({index}, {width}u)"));
                let gradient = |(c, y): (usize, &String)| {
                    format!("select(zero, {d}, {picked} == {c}u) - safe_exp({y}) * {d}")
                };
                self.define(result, y.iter().enumerate().map(gradient).collect());
            }
            Work::Step(Kernel::Op(op)) => self.op(op, operands, result, width),
            _ => unreachable!("a layer is no node by lines"),
        }
    }

    fn op(&mut self, op: Op, operands: &[Id], result: Id, width: usize) {
        match op {
            Op::Unary(unary) => {
                let x = self.columns(operands[0]);
                let y = x.iter().map(|x| self.text.unary(unary, x)).collect();
                self.define(result, y);
            }
            Op::UnaryGradient(unary) => {
                let (saved, dy) = (self.columns(operands[0]), self.columns(operands[1]));
                let pairs = saved.iter().zip(&dy);
                let dx = pairs.map(|(saved, dy)| self.text.unary_gradient(unary, saved, dy)).collect();
                self.define(result, dx);
            }
            Op::Binary(function) => {
                let z = (0..width).map(|c| self.pair(function, operands, c)).collect();
                self.define(result, z);
            }
            Op::Select => {
                let [condition, a, b] = [0, 1, 2].map(|operand| self.columns(operands[operand]));
                let chosen = |c: usize| format!("select({}, {}, {} > 0.0)", b[c], a[c], condition[c]);
                self.define(result, (0..width).map(chosen).collect());
            }
            Op::Softmax | Op::LogSoftmax => self.softmax(op == Op::LogSoftmax, operands[0], result),
            Op::SoftmaxGradient => {
                let (y, dy) = (self.columns(operands[0]), self.columns(operands[1]));
                let products: Vec<String> = y.iter().zip(&dy).map(|(y, dy)| format!("{y} * {dy}")).collect();
                let dot = Self::fold(&products, |sum, product| format!("{sum} + {product}"));
                let dot = self.text.name(format!("s{result}"), &dot);
                self.define(
                    result,
                    y.iter().zip(&dy).map(|(y, dy)| format!("{y} * ({dy} - {dot})")).collect(),
                );
            }
            Op::LogSoftmaxGradient => {
                let (y, dy) = (self.columns(operands[0]), self.columns(operands[1]));
                let sum = Self::fold(&dy, |sum, dy| format!("{sum} + {dy}"));
                let sum = self.text.name(format!("s{result}"), &sum);
                self.define(
                    result,
                    y.iter().zip(&dy).map(|(y, dy)| format!("{dy} - safe_exp({y}) * {sum}")).collect(),
                );
            }
            Op::Gather => self.gather(operands[0], operands[1], result),
            Op::Scatter(n) => {
                let (index, d) = (self.column(operands[0], 0), self.column(operands[1], 0));
                let picked = self.text.name(format!("p{result}"), &format!("column({index}, {n}u)"));
                self.define(result, (0..n).map(|c| format!("select(zero, {d}, {picked} == {c}u)")).collect());
            }
            Op::Sum => {
                let x = self.columns(operands[0]);
                self.define(result, vec![Self::fold(&x, |sum, x| format!("{sum} + {x}"))]);
            }
            Op::Repeat(n) => {
                let x = self.column(operands[0], 0);
                self.columns.insert(result, vec![x; n]);
            }
            Op::Concat => {
                let both = [self.columns(operands[0]), self.columns(operands[1])].concat();
                self.columns.insert(result, both);
            }
            Op::Slice { start, width } => self.slice(operands[0], start, width, result),
            Op::Pad { start, width } => {
                let x = self.columns(operands[0]);
                let mut padded = vec!["zero".to_owned(); width];
                padded[start..start + x.len()].clone_from_slice(&x);
                self.columns.insert(result, padded);
            }
            _ => unreachable!("{} is no operation by lines", op.name()),
        }
    }

    fn pair(&mut self, function: Binary, operands: &[Id], column: usize) -> String {
        let (a, b) = (self.column(operands[0], column), self.column(operands[1], column));
        binary(function, &a, &b)
    }

    fn softmax(&mut self, log: bool, x: Id, result: Id) {
        let x = self.columns(x);
        let largest = Self::fold(&x, |largest, x| format!("max({largest}, {x})"));
        let largest = self.text.name(format!("m{result}"), &largest);
        if log {
            let powers: Vec<String> = x.iter().map(|x| format!("safe_exp({x} - {largest})")).collect();
            let sum = Self::fold(&powers, |sum, power| format!("{sum} + {power}"));
            let sum = self.text.name(format!("s{result}"), &format!("log({sum})"));
            self.define(result, x.iter().map(|x| format!("{x} - {largest} - {sum}")).collect());
        } else {
            let powers = x.iter().enumerate();
            let powers: Vec<String> = powers
                .map(|(c, x)| self.text.name(format!("e{result}_{c}"), &format!("safe_exp({x} - {largest})")))
                .collect();
            let sum = Self::fold(&powers, |sum, power| format!("{sum} + {power}"));
            let sum = self.text.name(format!("s{result}"), &sum);
            self.define(result, powers.iter().map(|power| format!("{power} / ({sum})")).collect());
        }
    }

    /// Whether an operand's line is too wide for registers.
    fn is_wide(&self, id: Id) -> bool {
        let values = self.text.sources.values;
        values.shape(id).width() > NARROW
    }

    fn gather(&mut self, x: Id, index: Id, result: Id) {
        let n = self.text.sources.values.shape(x).width();
        let index = self.column(index, 0);
        let picked = self.text.name(format!("p{result}"), &format!("column({index}, {n}u)"));
        let chosen = if self.is_wide(x) {
            self.element(x, &picked)
        } else {
            let x = self.columns(x);
            let mut chosen = x[0].clone();
            for (c, x) in x.iter().enumerate().skip(1) {
                chosen = format!("select({chosen}, {x}, {picked} == {c}u)");
            }
            chosen
        };
        self.define(result, vec![chosen]);
    }

    fn slice(&mut self, x: Id, start: usize, width: usize, result: Id) {
        if self.is_wide(x) {
            let columns = (start..start + width).map(|c| self.element(x, &format!("{c}u"))).collect();
            self.define(result, columns);
        } else {
            let columns = self.columns(x)[start..start + width].to_vec();
            self.columns.insert(result, columns);
        }
    }

    /// One number of a wide line, straight from memory.
    fn element(&mut self, id: Id, column: &str) -> String {
        if let Some(op) = self.text.sources.values.source(id) {
            return self.text.source(id, op, column);
        }
        let n = self.text.sources.values.shape(id).width();
        let offset = self.text.offset(id);
        format!("arena[{offset} + line * {n}u + {column}]")
    }
}

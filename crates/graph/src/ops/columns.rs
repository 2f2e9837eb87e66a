//! Concatenation and slicing along the last dimension, and the gradient of a slice (zero padding).

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::op::{GradientOp, Op};
use crate::reference_call::ReferenceCall;
use crate::tape::GradientTape;

impl Graph {
    /// Appends the concatenation of `a` and `b` along the last dimension: \[…, m\] and \[…, n\] give \[…, m + n\].
    pub fn concat(&mut self, a: Value, b: Value) -> Value {
        let [left, right] = [a, b].map(|operand| self.shape(operand));
        let shape = left.same_lines(&right).then_some(left.with_width(left.width() + right.width()));
        self.push(Op::Concat, &[a, b], shape.ok_or("equal leading dimensions"))
    }

    /// Returns columns `start .. start + width` of the last dimension.
    pub fn slice(&mut self, x: Value, start: usize, width: usize) -> Value {
        let shape = self.shape(x);
        let fits = width > 0 && start + width <= shape.width();
        let shape = fits.then_some(shape.with_width(width)).ok_or("a non-empty range of the last dimension");
        self.push(Op::Slice { start, width }, &[x], shape)
    }
}

pub(super) fn gradient_of_concat(node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    let (a, b) = (node.operands[0], node.operands[1]);
    let [m, n] = [a, b].map(|operand| tape.graph.shape(operand).width());
    tape.add(a, |g| g.slice(dy, 0, m));
    tape.add(b, |g| g.slice(dy, m, n));
}

pub(super) fn gradient_of_slice(start: usize, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    let x = node.operands[0];
    let width = tape.graph.shape(x).width();
    tape.add_op(x, GradientOp::Pad { start, width }, &[dy]);
}

pub(super) fn reference_of_concat(call: &ReferenceCall<'_>) -> Vec<f64> {
    call.operands[0].iter().zip(call.operands[1].iter()).flat_map(|(a, b)| [a, b].concat()).collect()
}

pub(super) fn reference_of_slice(start: usize, width: usize, call: &ReferenceCall<'_>) -> Vec<f64> {
    call.per_line(|x| x[start..start + width].to_vec())
}

pub(super) fn run_concat(call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let [m, n] = [0, 1].map(|index| call.width(index));
    let lines = call.operand(0).chunks_exact(m).zip(call.operand(1).chunks_exact(n));
    for (line, (a, b)) in target.result().chunks_exact_mut(m + n).zip(lines) {
        line[..m].copy_from_slice(a);
        line[m..].copy_from_slice(b);
    }
}

pub(super) fn run_slice(start: usize, width: usize, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let lines = call.operand(0).chunks_exact(call.width(0));
    for (line, x) in target.result().chunks_exact_mut(width).zip(lines) {
        line.copy_from_slice(&x[start..start + width]);
    }
}

pub(super) fn run_pad(start: usize, width: usize, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let n = call.width(0);
    let result = target.result();
    result.fill(0.0);
    for (line, x) in result.chunks_exact_mut(width).zip(call.operand(0).chunks_exact(n)) {
        line[start..start + n].copy_from_slice(x);
    }
}

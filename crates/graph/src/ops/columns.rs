//! Concatenation and slicing along the last dimension, and the gradient of a slice (zero padding).

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::{OnnxForm, last_dimension};
use crate::op::{ConcatOp, PadOp, SliceOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::tape::GradientTape;

impl Graph {
    /// Appends the concatenation of `a` and `b` along the last dimension: \[…, m\] and \[…, n\] give \[…, m + n\].
    pub fn concat(&mut self, a: Value, b: Value) -> Value {
        let [left, right] = [a, b].map(|operand| self.shape(operand));
        let shape = left.same_lines(&right).then_some(left.with_width(left.width() + right.width()));
        self.push(ConcatOp, &[a, b], shape.ok_or("equal leading dimensions"))
    }

    /// Appends a slice along the last dimension: the columns `start .. start + width` of x, \[…, width\].
    pub fn slice(&mut self, x: Value, start: usize, width: usize) -> Value {
        let shape = self.shape(x);
        let fits = width > 0 && start + width <= shape.width();
        let shape = fits.then_some(shape.with_width(width)).ok_or("a non-empty range of the last dimension");
        self.push(SliceOp { start, width }, &[x], shape)
    }
}

impl Operation for ConcatOp {
    const NAME: &'static str = "concat";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (a, b) = (node.operands[0], node.operands[1]);
        let [m, n] = [a, b].map(|operand| tape.graph.shape(operand).width());
        tape.add(a, |g| g.slice(dy, 0, m));
        tape.add(b, |g| g.slice(dy, m, n));
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.operands[0].iter().zip(call.operands[1].iter()).flat_map(|(a, b)| [a, b].concat()).collect()
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        Some(form.node("Concat", &[&form.operand(0), &form.operand(1)], &[last_dimension()]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let [m, n] = [0, 1].map(|index| call.width(index));
        let lines = call.operand(0).chunks_exact(m).zip(call.operand(1).chunks_exact(n));
        for (line, (a, b)) in target.result().chunks_exact_mut(m + n).zip(lines) {
            line[..m].copy_from_slice(a);
            line[m..].copy_from_slice(b);
        }
    }
}

impl Operation for SliceOp {
    const NAME: &'static str = "slice";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let x = node.operands[0];
        let width = tape.graph.shape(x).width();
        tape.add_op(x, PadOp { start: self.start, width }, &[dy]);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| x[self.start..self.start + self.width].to_vec())
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let bounds = [self.start, self.start + self.width].map(|bound| form.integers(&[bound as i64]));
        let last = form.integers(&[-1]);
        Some(form.node("Slice", &[&form.operand(0), &bounds[0], &bounds[1], &last], &[]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let Self { start, width } = *self;
        let lines = call.operand(0).chunks_exact(call.width(0));
        for (line, x) in target.result().chunks_exact_mut(width).zip(lines) {
            line.copy_from_slice(&x[start..start + width]);
        }
    }
}

impl GradientOperation for PadOp {
    const NAME: &'static str = "pad";
    const ACCUMULATES: bool = false;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (Self { start, width }, n, result) = (*self, call.width(0), target.result());
        result.fill(0.0);
        for (line, x) in result.chunks_exact_mut(width).zip(call.operand(0).chunks_exact(n)) {
            line[start..start + n].copy_from_slice(x);
        }
    }
}

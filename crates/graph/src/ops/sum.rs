//! Sum over the last dimension, and its gradient: repetition along the last dimension.

use vivarium_kernels::reduce;
use vivarium_kernels::simd::{Simd, dispatch};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::OnnxForm;
use crate::op::{RepeatOp, SumOp};
use crate::ops::operation::Operation;
use crate::reference_call::ReferenceCall;
use crate::tape::GradientTape;
use crate::widths::{known_widths, repeat_each};

impl Graph {
    /// Appends the sum over the last dimension: \[…, n\] gives \[…, 1\].
    pub fn sum(&mut self, x: Value) -> Value {
        let shape = self.shape(x);
        if shape.width() == 1 { x } else { self.append(SumOp, &[x], shape.with_width(1)) }
    }

    /// Appends the mean over the last dimension: \[…, n\] gives \[…, 1\].
    pub fn mean(&mut self, x: Value) -> Value {
        let n = self.shape(x).width();
        let sum = self.sum(x);
        if n == 1 { sum } else { self.scale(sum, 1.0 / n as f32) }
    }

    /// Appends a repetition of each element n times along the last dimension: \[…, 1\] gives \[…, n\].
    /// [`Graph::select`] needs equal shapes; binary functions broadcast operands of width 1 themselves.
    pub fn repeat(&mut self, x: Value, n: usize) -> Value {
        let shape = self.shape(x);
        let fits = shape.width() == 1 && n > 0;
        self.push(RepeatOp(n), &[x], fits.then_some(shape.with_width(n)).ok_or("a last dimension of 1"))
    }
}

impl Operation for SumOp {
    const NAME: &'static str = "sum";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let x = node.operands[0];
        let n = tape.graph.shape(x).width();
        tape.add(x, |g| g.repeat(dy, n));
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| vec![x.iter().sum()])
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (x, last) = (form.operand(0), form.integers(&[-1]));
        Some(form.node("ReduceSum", &[&x, &last], &[]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        #[inline(always)]
        fn narrow(n: usize, x: &[f32], sums: &mut [f32]) {
            for (line, sum) in x.chunks_exact(n).zip(sums) {
                *sum = line.iter().sum();
            }
        }
        #[inline(always)]
        fn kernel<S: Simd>(_: S, n: usize, x: &[f32], sums: &mut [f32]) {
            known_widths!(narrow, n, x, sums);
        }
        let (level, n, x, sums) = (call.level(), call.width(0), call.operand(0), target.result());
        if n < 16 {
            return dispatch!(level, s => kernel(s, n, x, sums));
        }
        for (line, sum) in x.chunks_exact(n).zip(sums) {
            *sum = reduce::sum(level, line);
        }
    }
}

impl Operation for RepeatOp {
    const NAME: &'static str = "repeat";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        tape.add(node.operands[0], |g| g.sum(dy));
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| x.repeat(self.0))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        repeat_each(call.level(), self.0, call.operand(0), target.result());
    }
}

//! Softmax, log-softmax and cross-entropy over the last dimension.

use vivarium_kernels::simd::{Simd, dispatch, map_slices};
use vivarium_kernels::{math, softmax};

use super::gather::clamped_column;
use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::{OnnxForm, last_dimension};
use crate::op::{
    CrossEntropyGradientOp, LogSoftmaxGradientOp, LogSoftmaxOp, Op, ScatterOp, SoftmaxGradientOp, SoftmaxOp,
};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::{ReferenceCall, log_softmax};
use crate::step::{Fusion, PlanStep};
use crate::tape::GradientTape;

impl Graph {
    /// Appends softmax over the last dimension: \[…, n\] gives \[…, n\].
    pub fn softmax(&mut self, x: Value) -> Value {
        self.append(SoftmaxOp, &[x], self.shape(x))
    }

    /// Appends log-softmax over the last dimension: \[…, n\] gives \[…, n\].
    pub fn log_softmax(&mut self, x: Value) -> Value {
        self.append(LogSoftmaxOp, &[x], self.shape(x))
    }

    /// Appends the cross-entropy loss −ln softmax(logits)\[index\]: logits \[…, n\] and target indices \[…, 1\] give
    /// \[…, 1\].
    pub fn cross_entropy(&mut self, logits: Value, index: Value) -> Value {
        let log_probabilities = self.log_softmax(logits);
        let picked = self.gather(log_probabilities, index);
        self.neg(picked)
    }
}

impl Operation for SoftmaxOp {
    const NAME: &'static str = "softmax";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        tape.add_op(node.operands[0], SoftmaxGradientOp, &[node.results[0], dy]);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| log_softmax(x).into_iter().map(f64::exp).collect())
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        Some(form.node("Softmax", &[&form.operand(0)], &[last_dimension()]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        softmax::softmax(call.level(), call.lines(), call.width(0), call.operand(0), target.result());
    }
}

impl Operation for LogSoftmaxOp {
    const NAME: &'static str = "log_softmax";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        tape.add_op(node.operands[0], LogSoftmaxGradientOp, &[node.results[0], dy]);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(log_softmax)
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        Some(form.node("LogSoftmax", &[&form.operand(0)], &[last_dimension()]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        softmax::log_softmax(call.level(), call.lines(), call.width(0), call.operand(0), target.result());
    }
}

impl GradientOperation for SoftmaxGradientOp {
    const NAME: &'static str = "softmax_gradient";
    const ACCUMULATES: bool = false;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (y, dy) = (call.operand(0), call.operand(1));
        softmax::softmax_backward(call.level(), call.lines(), call.width(0), y, dy, target.result());
    }
}

impl GradientOperation for LogSoftmaxGradientOp {
    const NAME: &'static str = "log_softmax_gradient";
    const ACCUMULATES: bool = false;

    /// Fuses the log-softmax gradient with the preceding scatter into one [`CrossEntropyGradientOp`], which needs no
    /// one-hot vector. Both operations occur together in the gradient of a gathered log-probability.
    fn join(&self, fusion: &Fusion<'_>) -> Option<PlanStep> {
        let Fusion { earlier, operands, position, .. } = *fusion;
        if position != 1 || !matches!(earlier.op, Op::Scatter(ScatterOp(_))) {
            return None;
        }
        let mut step = PlanStep { op: CrossEntropyGradientOp.into(), ..earlier.clone() };
        step.operands.push(operands[0]);
        Some(step)
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (y, dy) = (call.operand(0), call.operand(1));
        softmax::log_softmax_backward(call.level(), call.lines(), call.width(0), y, dy, target.result());
    }
}

impl GradientOperation for CrossEntropyGradientOp {
    const NAME: &'static str = "cross_entropy_gradient";
    const ACCUMULATES: bool = false;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        #[inline(always)]
        fn line<S: Simd>(s: S, d: f32, y: &[f32], dx: &mut [f32]) {
            map_slices(
                s,
                y,
                dx,
                #[inline(always)]
                |y| math::exp(s, y) * -d,
            );
        }
        #[inline(always)]
        fn kernel<S: Simd>(s: S, n: usize, index: &[f32], d: &[f32], y: &[f32], dx: &mut [f32]) {
            for (((&index, &d), y), dx) in
                index.iter().zip(d).zip(y.chunks_exact(n)).zip(dx.chunks_exact_mut(n))
            {
                line(s, d, y, dx);
                dx[clamped_column(index, n)] += d;
            }
        }
        let [index, d, y] = [0, 1, 2].map(|operand| call.operand(operand));
        dispatch!(call.level(), s => kernel(s, call.width(2), index, d, y, target.result()));
    }
}

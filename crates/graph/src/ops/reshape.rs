//! Reshape and stop-gradient.

use crate::call::{StepCall, StepOutputs};
use crate::error::GraphError;
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::OnnxForm;
use crate::op::{ReshapeOp, StopGradientOp};
use crate::ops::operation::Operation;
use crate::reference_call::ReferenceCall;
use crate::shape::Shape;
use crate::tape::GradientTape;

impl Graph {
    /// Appends a reshape, which keeps the elements and their order. For example, the losses \[tokens, 1\] of a sequence
    /// become a vector \[tokens\], which [`Graph::mean`] averages.
    pub fn reshape(&mut self, x: Value, dims: &[usize]) -> Value {
        let Some(shape) = Shape::new(dims) else {
            self.fail(GraphError::EmptyShape { name: "reshape".to_owned(), dims: dims.to_vec() });
            return x;
        };
        let fits = (shape.size() == self.shape(x).size()).then_some(shape);
        self.push(ReshapeOp(shape), &[x], fits.ok_or("the number of elements of the new shape"))
    }

    /// Appends the identity with a zero gradient (`detach` in PyTorch).
    pub fn stop_gradient(&mut self, x: Value) -> Value {
        self.append(StopGradientOp, &[x], self.shape(x))
    }
}

impl Operation for ReshapeOp {
    const NAME: &'static str = "reshape";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let x = node.operands[0];
        tape.add(x, |g| {
            let shape = g.shape(x);
            g.append(ReshapeOp(shape), &[dy], shape)
        });
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.operands[0].numbers.to_vec()
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        target.result().copy_from_slice(call.operand(0));
    }
}

impl Operation for StopGradientOp {
    const NAME: &'static str = "stop_gradient";
    const READS_PARAMETERS: bool = false;

    fn passes_gradient(&self) -> bool {
        false
    }

    fn gradient(&self, _: &GraphNode, _: Value, _: &mut GradientTape) {}

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.operands[0].numbers.to_vec()
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        Some(form.operand(0))
    }

    /// Never called: a plan has no such step, because other steps read the operand of `stop_gradient` directly.
    fn run(&self, _: &StepCall<'_>, _: &mut StepOutputs<'_>) {
        unreachable!("a plan has no steps for stopped gradients");
    }
}

//! Reshape and stop-gradient.

use crate::call::{StepCall, StepOutputs};
use crate::error::GraphError;
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::op::Op;
use crate::reference_call::ReferenceCall;
use crate::shape::Shape;
use crate::tape::GradientTape;

impl Graph {
    /// Changes the shape without changing the elements, such as per-token losses \[tokens, 1\] to one line \[tokens\]
    /// to average.
    pub fn reshape(&mut self, x: Value, dims: &[usize]) -> Value {
        let Some(shape) = Shape::new(dims) else {
            self.fail(GraphError::EmptyShape { name: "reshape".to_owned(), dims: dims.to_vec() });
            return x;
        };
        let fits = (shape.size() == self.shape(x).size()).then_some(shape);
        self.push(Op::Reshape(shape), &[x], fits.ok_or("the number of elements of the new shape"))
    }

    /// Returns x with a zero gradient (`detach` in PyTorch).
    pub fn stop_gradient(&mut self, x: Value) -> Value {
        self.append(Op::StopGradient, &[x], self.shape(x))
    }
}

pub(super) fn gradient(node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    let x = node.operands[0];
    tape.add(x, |g| {
        let shape = g.shape(x);
        g.append(Op::Reshape(shape), &[dy], shape)
    });
}

pub(super) fn reference(call: &ReferenceCall<'_>) -> Vec<f64> {
    call.operands[0].numbers.to_vec()
}

pub(super) fn run(call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    target.result().copy_from_slice(call.operand(0));
}

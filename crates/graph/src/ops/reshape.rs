//! The same numbers: in another shape, or seen as constants by the gradient.

use crate::call::{Call, Target};
use crate::error::GraphError;
use crate::graph::{Graph, Node};
use crate::ids::Value;
use crate::lines::Reference;
use crate::op::Op;
use crate::shape::Shape;
use crate::tape::Tape;

impl Graph {
    /// The same numbers in another shape: the losses of all tokens, \[tokens, 1\], as one line that has a mean.
    pub fn reshape(&mut self, x: Value, dims: &[usize]) -> Value {
        let Some(shape) = Shape::new(dims) else {
            self.fail(GraphError::EmptyShape { name: "reshape".to_owned(), dims: dims.to_vec() });
            return x;
        };
        let fits = (shape.size() == self.shape(x).size()).then_some(shape);
        self.push(Op::Reshape(shape), &[x], fits.ok_or("as many numbers as the new shape has"))
    }

    /// x, seen as a constant by the gradient.
    pub fn stop_gradient(&mut self, x: Value) -> Value {
        self.append(Op::StopGradient, &[x], self.shape(x))
    }
}

pub(super) fn gradient(node: &Node, dy: Value, tape: &mut Tape) {
    let x = node.operands[0];
    tape.add(x, |g| {
        let shape = g.shape(x);
        g.append(Op::Reshape(shape), &[dy], shape)
    });
}

pub(super) fn reference(call: &Reference<'_>) -> Vec<f64> {
    call.operands[0].numbers.to_vec()
}

pub(super) fn run(call: &Call<'_>, target: &mut Target<'_>) {
    target.result().copy_from_slice(call.operand(0));
}

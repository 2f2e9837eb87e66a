//! A graph under differentiation: what the gradient rules of operations write on.

use crate::graph::Graph;
use crate::ids::Value;
use crate::op::{GradientOp, Op};

/// A graph and the gradients of its values so far (their adjoints).
pub(crate) struct GradientTape {
    pub(crate) graph: Graph,
    pub(crate) adjoints: Vec<Option<Value>>,
    /// Which values depend on a parameter: no others need a gradient.
    pub(crate) needed: Vec<bool>,
}

impl GradientTape {
    /// Adds a gradient to that of `value`, if it needs one, summed over the columns along which it was broadcast.
    pub(crate) fn add(&mut self, value: Value, gradient: impl FnOnce(&mut Graph) -> Value) {
        if !self.needed[value.index()] {
            return;
        }
        let mut gradient = gradient(&mut self.graph);
        if self.graph.shape(value).width() == 1 {
            gradient = self.graph.sum(gradient);
        }
        let total = match self.adjoints[value.index()] {
            None => gradient,
            Some(so_far) => self.graph.add(so_far, gradient),
        };
        self.adjoints[value.index()] = Some(total);
    }

    /// [`GradientTape::add`] for a gradient of the shape of `value` that one operation computes.
    pub(crate) fn add_op(&mut self, value: Value, op: GradientOp, operands: &[Value]) {
        self.add(value, |g| g.append(Op::Gradient(op), operands, g.shape(value)));
    }

    /// Appends an operation that only adds to the gradients of parameters.
    pub(crate) fn sink(&mut self, op: GradientOp, operands: &[Value]) {
        self.graph.append_all(Op::Gradient(op), operands, []);
    }
}

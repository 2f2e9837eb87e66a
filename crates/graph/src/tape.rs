//! Gradient accumulation: the graph under differentiation and its adjoints.

use crate::graph::Graph;
use crate::ids::Value;
use crate::op::Op;

/// A graph under differentiation, with the gradient (adjoint) of each value that was computed so far.
pub(crate) struct GradientTape {
    pub(crate) graph: Graph,
    pub(crate) adjoints: Vec<Option<Value>>,
    /// For each value, by value index, whether its gradient is needed: whether the value depends on a parameter.
    pub(crate) needed: Vec<bool>,
}

impl GradientTape {
    /// Adds a contribution to the gradient (adjoint) of `value`, if a gradient of the value is needed. For a value that
    /// was broadcast, the contribution is summed over the last dimension.
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

    /// Appends `op`, and adds its result, which has the shape of `value`, to the gradient of `value`.
    pub(crate) fn add_op(&mut self, value: Value, op: impl Into<Op>, operands: &[Value]) {
        self.add(value, |g| g.append(op, operands, g.shape(value)));
    }

    /// Appends an operation without results, whose only effect is to accumulate parameter gradients.
    pub(crate) fn sink(&mut self, op: impl Into<Op>, operands: &[Value]) {
        self.graph.append_all(op, operands, []);
    }
}

//! Autodiff: a graph's gradient is a graph again, made of the same vocabulary.
//!
//! Reverse mode, node by node from the loss back to the parameters: each operation's rule adds to the gradients of its
//! operands, given the gradient of its result (Griewank and Walther, "Evaluating Derivatives", 2008, chapter 3).

use crate::error::GraphError;
use crate::graph::Graph;
use crate::ids::Value;
use crate::op::Op;
use crate::ops;
use crate::shape::Shape;
use crate::tape::GradientTape;

impl Graph {
    /// This graph, continued by the gradient of `loss`, a value of one number a row.
    ///
    /// What is differentiated is the sum over the rows of `weight · loss`, where a run is given the weight: 1/B makes it a
    /// mean. Every value keeps its meaning, so that a plan of the result can compute the loss and the metrics beside the
    /// gradients.
    pub fn gradient(&self, loss: Value) -> Graph {
        let mut tape = GradientTape {
            graph: self.clone(),
            adjoints: vec![None; self.value_count()],
            needed: self.needs_gradient(),
        };
        let shape = self.shape(loss);
        if shape != Shape::SCALAR {
            tape.graph.fail(GraphError::Shapes {
                operation: "gradient",
                got: vec![shape],
                allowed: "a loss of one number a row, [1]",
            });
            return tape.graph;
        }
        let seed = tape.graph.append(Op::Seed, &[], Shape::SCALAR);
        tape.adjoints[loss.index()] = Some(seed);
        for node in self.nodes[..=self.node_of(loss)].iter().rev() {
            // Only an operation's first result is ever given a gradient.
            let Some(y) = node.results.first() else { continue };
            if let (Some(dy), true) = (tape.adjoints[y.index()], tape.needed[y.index()]) {
                ops::gradient(node, dy, &mut tape);
            }
        }
        tape.graph
    }

    /// Which values depend on a parameter, other than through a stopped gradient.
    fn needs_gradient(&self) -> Vec<bool> {
        let mut needed = vec![false; self.value_count()];
        for node in &self.nodes {
            let is_needed = ops::has_parameters(&node.op)
                || ops::passes_gradient(&node.op)
                    && node.operands.iter().any(|operand| needed[operand.index()]);
            node.results.iter().for_each(|result| needed[result.index()] = is_needed);
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::GradientOp;

    #[test]
    fn a_gradient_is_not_differentiated_again() {
        let mut graph = Graph::new();
        let x = graph.input("x", &[1]);
        let y = graph.linear("layer", x, 1);
        let loss = graph.tanh(y);
        let once = graph.gradient(loss);
        let mut slopes =
            once.nodes.iter().filter(|node| matches!(node.op, Op::Gradient(GradientOp::Unary(_))));
        let slope = slopes.next().expect("tanh has one").results[0];
        let said = once.gradient(slope).check().expect_err("a second derivative").to_string();
        assert!(said.contains("part of a gradient"), "{said}");
    }
}

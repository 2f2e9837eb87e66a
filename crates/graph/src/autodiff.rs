//! Reverse-mode automatic differentiation: the gradient of a graph is a graph of the same operations.
//!
//! Nodes are visited from the loss back to the parameters. The rule of each operation adds to the adjoints of its
//! operands (Griewank and Walther, *Evaluating Derivatives*, 2008, chapter 3).

use crate::error::GraphError;
use crate::graph::Graph;
use crate::ids::Value;
use crate::op::SeedOp;
use crate::shape::Shape;
use crate::tape::GradientTape;

impl Graph {
    /// Returns this graph extended by the gradient of `loss`, a value with one scalar for each row of the batch.
    ///
    /// The gradient is the gradient of Σ weight·loss over the rows. The weight is an argument of each run
    /// ([`crate::BatchInputs::weighted`]); weight 1/B gives the mean loss over B rows. Values keep their ids; therefore
    /// an execution plan of the extended graph can also output the loss and metrics.
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
                allowed: "a scalar loss per row, [1]",
            });
            return tape.graph;
        }
        let seed = tape.graph.append(SeedOp, &[], Shape::SCALAR);
        tape.adjoints[loss.index()] = Some(seed);
        for node in self.nodes[..=self.node_of(loss)].iter().rev() {
            // Only the first result of an operation receives a gradient.
            let Some(y) = node.results.first() else { continue };
            if let (Some(dy), true) = (tape.adjoints[y.index()], tape.needed[y.index()]) {
                node.op.gradient(node, dy, &mut tape);
            }
        }
        tape.graph
    }

    /// Returns one flag for each value of the graph, by value index: whether a gradient of the value is needed. A
    /// gradient is needed if the value depends on a parameter along a path without [`Graph::stop_gradient`].
    fn needs_gradient(&self) -> Vec<bool> {
        let mut needed = vec![false; self.value_count()];
        for node in &self.nodes {
            let is_needed = node.op.reads_parameters()
                || node.op.passes_gradient() && node.operands.iter().any(|operand| needed[operand.index()]);
            node.results.iter().for_each(|result| needed[result.index()] = is_needed);
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Op;

    #[test]
    fn a_gradient_is_not_differentiated_again() {
        let mut graph = Graph::new();
        let x = graph.input("x", &[1]);
        let y = graph.linear("layer", x, 1);
        let loss = graph.tanh(y);
        let once = graph.gradient(loss);
        let mut slopes = once.nodes.iter().filter(|node| matches!(node.op, Op::UnaryGradient(_)));
        let slope = slopes.next().expect("tanh has one").results[0];
        let message = once.gradient(slope).check().expect_err("a second derivative").to_string();
        assert!(message.contains("part of a gradient"), "{message}");
    }
}

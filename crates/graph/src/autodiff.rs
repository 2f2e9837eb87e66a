//! Autodiff: a graph's gradient is a graph again, made of the same vocabulary.
//!
//! Reverse mode, node by node from the loss back to the parameters: each rule says what an operation's operands get,
//! given what its result got (Griewank and Walther, "Evaluating Derivatives", 2008, chapter 3).

use crate::graph::{Graph, Value};
use crate::op::{Binary, GradientFrom, Op, Unary};
use crate::shape::Shape;

impl Graph {
    /// This graph, continued by the gradient of `loss`, a value of one number a row.
    ///
    /// What is differentiated is the sum over the rows of `weight · loss`, where a run is told the weight: 1/B makes it a
    /// mean. Every value keeps its meaning, so that a plan of the result can give the loss and the metrics beside the
    /// gradients.
    pub fn gradient(&self, loss: Value) -> Graph {
        let mut tape = Tape {
            graph: self.clone(),
            adjoints: vec![None; self.nodes.len()],
            needed: self.needs_gradient(),
        };
        let shape = self.shape(loss);
        if shape != Shape::SCALAR {
            tape.graph.fail(crate::GraphError::Shapes {
                operation: "gradient",
                got: vec![shape],
                allowed: "a loss of one number a row, [1]",
            });
            return tape.graph;
        }
        let seed = tape.graph.push(Op::Seed, &[]);
        tape.adjoints[loss.index()] = Some(seed);
        for index in (0..=loss.index()).rev() {
            if let (Some(dy), true) = (tape.adjoints[index], tape.needed[index]) {
                tape.differentiate(Value(index as u32), dy);
            }
        }
        tape.graph
    }

    /// Which values depend on a parameter, other than through a stopped gradient.
    fn needs_gradient(&self) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            needed[index] = match node.op {
                Op::Parameter(_)
                | Op::Linear { .. }
                | Op::LinearTransposed { .. }
                | Op::Embedding { .. }
                | Op::HeadLoss { .. }
                | Op::LayerNorm { .. } => true,
                Op::StopGradient | Op::Binary(Binary::Less | Binary::LessEqual) => false,
                Op::Input(_) | Op::Setting(_) | Op::Constant(_) | Op::Seed => false,
                Op::LinearParameterGradient { .. }
                | Op::EmbeddingGradient { .. }
                | Op::ParameterGradient(_)
                | Op::HeadLossGradient { .. }
                | Op::LayerNormGradient { .. } => true,
                Op::Attention { .. }
                | Op::Unary(_)
                | Op::Binary(_)
                | Op::Select
                | Op::Softmax
                | Op::LogSoftmax
                | Op::Gather
                | Op::Sum
                | Op::Repeat(_)
                | Op::Concat
                | Op::Slice { .. }
                | Op::Reshape(_)
                | Op::AttentionGradient { .. }
                | Op::UnaryGradient(_)
                | Op::SoftmaxGradient
                | Op::LogSoftmaxGradient
                | Op::Scatter(_)
                | Op::Pad { .. } => node.operands.iter().any(|operand| needed[operand.index()]),
            };
        }
        needed
    }
}

/// A graph under differentiation.
struct Tape {
    graph: Graph,
    /// What each value of the original graph has got so far.
    adjoints: Vec<Option<Value>>,
    /// Which values need to get anything.
    needed: Vec<bool>,
}

impl Tape {
    /// Adds `gradient` to what `value` has got, summing over the columns along which it was broadcast.
    fn give(&mut self, value: Value, gradient: impl FnOnce(&mut Graph) -> Value) {
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

    /// The rule of one node: `dy` is what its result `y` got.
    fn differentiate(&mut self, y: Value, dy: Value) {
        let node = self.graph.nodes[y.index()].clone();
        let operand = |index: usize| node.operands[index];
        match node.op {
            Op::Parameter(id) => {
                self.graph.push(Op::ParameterGradient(id), &[dy]);
            }
            Op::Linear { weight, bias } => {
                let x = operand(0);
                self.graph.push(Op::LinearParameterGradient { weight, bias }, &[x, dy]);
                self.give(x, |g| g.push(Op::LinearTransposed { weight }, &[dy]));
            }
            Op::LinearTransposed { weight } => {
                let x = operand(0);
                // Of y = x·Wᵀ, the matrix gets dyᵀ·x: what that of a linear layer from dy to x would get.
                self.graph.push(Op::LinearParameterGradient { weight, bias: None }, &[dy, x]);
                self.give(x, |g| g.push(Op::Linear { weight, bias: None }, &[dy]));
            }
            Op::Attention { heads } => {
                let qkv = operand(0);
                self.give(qkv, |g| g.push(Op::AttentionGradient { heads }, &[qkv, y, dy]));
            }
            Op::HeadLoss { weight } => {
                let x = operand(0);
                let target = operand(1);
                let found = self.graph.push(Op::HeadLossGradient { weight }, &[x, target, dy]);
                let width = self.graph.shape(x).width();
                self.give(x, |g| g.slice(found, 0, width));
            }
            Op::Reshape(_) => {
                let x = operand(0);
                let shape = self.graph.shape(x);
                self.give(x, |g| g.push(Op::Reshape(shape), &[dy]));
            }
            Op::Embedding { table } => {
                let index = operand(0);
                self.graph.push(Op::EmbeddingGradient { table }, &[index, dy]);
            }
            Op::LayerNorm { scale, shift } => {
                let x = operand(0);
                let dx = self.graph.push(Op::LayerNormGradient { scale, shift }, &[x, dy]);
                self.give(x, |_| dx);
            }
            Op::Unary(unary) => self.unary(unary, operand(0), y, dy),
            Op::Binary(binary) => self.binary(binary, operand(0), operand(1), y, dy),
            Op::Select => {
                let condition = operand(0);
                let a = operand(1);
                let b = operand(2);
                let zero = self.graph.constant(0.0);
                self.give(a, |g| {
                    let chosen = g.less(zero, condition);
                    g.mul(dy, chosen)
                });
                self.give(b, |g| {
                    let chosen = g.less_equal(condition, zero);
                    g.mul(dy, chosen)
                });
            }
            Op::Softmax => self.give(operand(0), |g| g.push(Op::SoftmaxGradient, &[y, dy])),
            Op::LogSoftmax => self.give(operand(0), |g| g.push(Op::LogSoftmaxGradient, &[y, dy])),
            Op::Gather => {
                let x = operand(0);
                let index = operand(1);
                let n = self.graph.shape(x).width();
                self.give(x, |g| g.push(Op::Scatter(n), &[index, dy]));
            }
            Op::Sum => {
                let x = operand(0);
                let n = self.graph.shape(x).width();
                self.give(x, |g| g.repeat(dy, n));
            }
            Op::Repeat(_) => self.give(operand(0), |g| g.sum(dy)),
            Op::Concat => {
                let a = operand(0);
                let b = operand(1);
                let [m, n] = [a, b].map(|operand| self.graph.shape(operand).width());
                self.give(a, |g| g.slice(dy, 0, m));
                self.give(b, |g| g.slice(dy, m, n));
            }
            Op::Slice { start, .. } => {
                let x = operand(0);
                let width = self.graph.shape(x).width();
                self.give(x, |g| g.push(Op::Pad { start, width }, &[dy]));
            }
            // Sources give nothing on.
            Op::Input(_) | Op::Setting(_) | Op::Constant(_) | Op::Seed | Op::StopGradient => {}
            // None of the learners needs a second derivative.
            Op::LinearParameterGradient { .. }
            | Op::EmbeddingGradient { .. }
            | Op::ParameterGradient(_)
            | Op::AttentionGradient { .. }
            | Op::HeadLossGradient { .. }
            | Op::LayerNormGradient { .. }
            | Op::UnaryGradient(_)
            | Op::SoftmaxGradient
            | Op::LogSoftmaxGradient
            | Op::Scatter(_)
            | Op::Pad { .. } => {
                self.graph.fail(crate::GraphError::SecondDerivative { operation: node.op.name() });
            }
        }
    }

    fn unary(&mut self, unary: Unary, x: Value, y: Value, dy: Value) {
        self.give(x, |g| match unary {
            Unary::Scale(c) => g.scale(dy, c),
            Unary::Offset(_) => dy,
            _ => {
                let from = match unary.gradient_from() {
                    GradientFrom::X => x,
                    GradientFrom::Y => y,
                };
                g.push(Op::UnaryGradient(unary), &[from, dy])
            }
        });
    }

    fn binary(&mut self, binary: Binary, a: Value, b: Value, y: Value, dy: Value) {
        match binary {
            Binary::Add => {
                self.give(a, |_| dy);
                self.give(b, |_| dy);
            }
            Binary::Sub => {
                self.give(a, |_| dy);
                self.give(b, |g| g.neg(dy));
            }
            Binary::Mul => {
                self.give(a, |g| g.mul(dy, b));
                self.give(b, |g| g.mul(dy, a));
            }
            Binary::Div => {
                self.give(a, |g| g.div(dy, b));
                self.give(b, |g| {
                    let slope = g.div(y, b);
                    let change = g.mul(dy, slope);
                    g.neg(change)
                });
            }
            Binary::Min => {
                self.give(a, |g| {
                    let chosen = g.less_equal(a, b);
                    g.mul(dy, chosen)
                });
                self.give(b, |g| {
                    let chosen = g.less(b, a);
                    g.mul(dy, chosen)
                });
            }
            Binary::Max => {
                self.give(a, |g| {
                    let chosen = g.less_equal(b, a);
                    g.mul(dy, chosen)
                });
                self.give(b, |g| {
                    let chosen = g.less(a, b);
                    g.mul(dy, chosen)
                });
            }
            Binary::Less | Binary::LessEqual => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gradient_is_not_differentiated_again() {
        let mut graph = Graph::new();
        let x = graph.input("x", &[1]);
        let y = graph.linear("layer", x, 1);
        let loss = graph.tanh(y);
        let once = graph.gradient(loss);
        let slope = once.nodes.iter().position(|node| matches!(node.op, Op::UnaryGradient(_)));
        let slope = Value(slope.expect("tanh has one") as u32);
        let said = once.gradient(slope).check().expect_err("a second derivative").to_string();
        assert!(said.contains("part of a gradient"), "{said}");
    }
}

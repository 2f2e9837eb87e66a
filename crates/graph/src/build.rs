//! The builder: one method an operation.

use crate::error::GraphError;
use crate::graph::{Graph, ParameterId, Value};
use crate::init::Initializer;
use crate::op::{Binary, Op, Unary};
use crate::parameters::Role;
use crate::shape::Shape;

/// Sources.
impl Graph {
    /// Rows that the caller hands in, each of this shape. Runs get their inputs in the order of these calls.
    pub fn input(&mut self, name: &str, dims: &[usize]) -> Value {
        let (id, shape) = self.declare_input(name, dims, true);
        self.push_shaped(Op::Input(id), &[], Some(shape))
    }

    /// An [`input`](Self::input) of which most numbers are 0, such as one-hot codes: linear layers skip those. They are
    /// right for any numbers.
    pub fn sparse_input(&mut self, name: &str, dims: &[usize]) -> Value {
        let value = self.input(name, dims);
        if let Some(input) = self.inputs.last_mut() {
            input.sparse = true;
        }
        value
    }

    /// One number that the caller hands in with the inputs, the same for every row: \[1\]. For coefficients that
    /// change while training goes on.
    pub fn setting(&mut self, name: &str) -> Value {
        let (id, _) = self.declare_input(name, &[1], false);
        self.push(Op::Setting(id), &[])
    }

    /// A parameter of shape \[width\] as a value: the same on every row. A Gaussian policy's log standard deviation.
    pub fn parameter(&mut self, name: &str, width: usize, initializer: Initializer) -> Value {
        self.parameter_shaped(name, &[width], initializer)
    }

    /// A parameter of any shape as a value: the same on every row. The positions' vectors of a transformer.
    pub fn parameter_shaped(&mut self, name: &str, dims: &[usize], initializer: Initializer) -> Value {
        let id = self.declare_table(name, dims, initializer);
        self.push_shaped(Op::Parameter(id), &[], Shape::new(dims).or(Some(Shape::SCALAR)))
    }

    /// The same number on every row: \[1\].
    pub fn constant(&mut self, number: f32) -> Value {
        self.push(Op::Constant(number), &[])
    }
}

/// Layers.
impl Graph {
    /// x·W + b, with parameters `NAME.weight` \[k, width\] (uniform, Kaiming) and `NAME.bias` \[width\] (zero).
    pub fn linear(&mut self, name: &str, x: Value, width: usize) -> Value {
        self.linear_with(name, x, width, Initializer::KaimingUniform)
    }

    /// [`Graph::linear`] with another initialiser for the weight.
    pub fn linear_with(&mut self, name: &str, x: Value, width: usize, initializer: Initializer) -> Value {
        let k = self.shape(x).width();
        let weight = self.declare_matrix(&format!("{name}.weight"), &[k, width], initializer, Role::Matrix);
        let bias = self.declare_parameter(&format!("{name}.bias"), &[width], Initializer::Constant(0.0));
        self.push(Op::Linear { weight, bias: Some(bias) }, &[x])
    }

    /// x·W without a bias.
    pub fn linear_without_bias(
        &mut self,
        name: &str,
        x: Value,
        width: usize,
        initializer: Initializer,
    ) -> Value {
        let k = self.shape(x).width();
        let weight = self.declare_matrix(&format!("{name}.weight"), &[k, width], initializer, Role::Matrix);
        self.push(Op::Linear { weight, bias: None }, &[x])
    }

    /// The sum of the rows that indices pick from the parameter `NAME.weight` \[entries, width\]: \[…, k\] gives \[…, width\].
    /// An index is a whole number held as f32. One-hot codes times a weight, without the zeros.
    pub fn embedding(
        &mut self,
        name: &str,
        indices: Value,
        entries: usize,
        width: usize,
        initializer: Initializer,
    ) -> Value {
        let table = self.declare_table(&format!("{name}.weight"), &[entries, width], initializer);
        self.push(Op::Embedding { table }, &[indices])
    }

    /// x·Wᵀ without a bias, with the parameter `NAME.weight` \[width, n\], which may be the table of an
    /// [`embedding`](Self::embedding): the logits of a language model whose head is tied to it.
    pub fn linear_transposed(
        &mut self,
        name: &str,
        x: Value,
        width: usize,
        initializer: Initializer,
    ) -> Value {
        let weight = self.declare_head(name, x, width, initializer);
        self.push(Op::LinearTransposed { weight }, &[x])
    }

    /// A parameter that is not multiplied with, unless something else does.
    fn declare_table(&mut self, name: &str, dims: &[usize], initializer: Initializer) -> ParameterId {
        let declared = self.parameters.len();
        let table = self.declare_parameter(name, dims, initializer);
        if table.0 == declared {
            self.parameters[table.0].role = Role::Table;
        }
        table
    }

    /// A parameter that is multiplied with, which may be a table as well.
    fn declare_matrix(
        &mut self,
        name: &str,
        dims: &[usize],
        initializer: Initializer,
        role: Role,
    ) -> ParameterId {
        let declared = self.parameters.len();
        let matrix = self.declare_parameter(name, dims, initializer);
        let spec = &mut self.parameters[matrix.0];
        if matrix.0 == declared || spec.role == Role::Table {
            spec.role = role;
        } else if spec.role != role {
            self.fail(GraphError::TwoProducts { name: name.to_owned() });
        }
        matrix
    }

    fn declare_head(&mut self, name: &str, x: Value, width: usize, initializer: Initializer) -> ParameterId {
        let n = self.shape(x).width();
        self.declare_matrix(&format!("{name}.weight"), &[width, n], initializer, Role::Head)
    }

    /// Layer norm over the last dimension, with parameters `NAME.weight` (one) and `NAME.bias` (zero), each \[n\].
    pub fn layer_norm(&mut self, name: &str, x: Value) -> Value {
        let n = self.shape(x).width();
        let scale = self.declare_parameter(&format!("{name}.weight"), &[n], Initializer::Constant(1.0));
        let shift = self.declare_parameter(&format!("{name}.bias"), &[n], Initializer::Constant(0.0));
        self.push(Op::LayerNorm { scale, shift }, &[x])
    }
}

/// Sequences.
#[cfg(feature = "sequences")]
impl Graph {
    /// Causal self-attention: queries, keys and values side by side, \[tokens, 3·width\], give \[tokens, width\]. Each token
    /// looks at those up to itself, with every head at its own share of the width.
    pub fn attention(&mut self, qkv: Value, heads: usize) -> Value {
        let found = self.push(Op::Attention { heads }, &[qkv]);
        let width = self.shape(qkv).width() / 3;
        self.slice(found, 0, width)
    }

    /// [`Graph::linear_transposed`] and the cross-entropy of its logits with target indices, \[…, 1\]: the logits of all
    /// lines together never exist.
    pub fn head_loss(
        &mut self,
        name: &str,
        x: Value,
        target: Value,
        vocabulary: usize,
        initializer: Initializer,
    ) -> Value {
        let weight = self.declare_head(name, x, vocabulary, initializer);
        self.push(Op::HeadLoss { weight }, &[x, target])
    }

    /// The losses of [`Graph::head_loss`] as their gradient finds them on its way, if this is a graph with that gradient. A
    /// plan that gives these instead need not run the head twice.
    pub fn head_losses_beside_gradient(&mut self) -> Option<Value> {
        let found = self.nodes.iter().position(|node| matches!(node.op, Op::HeadLossGradient { .. }))?;
        let found = Value(found as u32);
        let width = self.shape(found).width();
        Some(self.slice(found, width - 1, 1))
    }
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident => $unary:ident;)*) => {
        /// Functions of each number.
        impl Graph {
            $($(#[$doc])*
            pub fn $name(&mut self, x: Value) -> Value {
                self.push(Op::Unary(Unary::$unary), &[x])
            })*

            /// c·x.
            pub fn scale(&mut self, x: Value, c: f32) -> Value {
                self.push(Op::Unary(Unary::Scale(c)), &[x])
            }

            /// −x.
            pub fn neg(&mut self, x: Value) -> Value {
                self.scale(x, -1.0)
            }

            /// x + c.
            pub fn offset(&mut self, x: Value, c: f32) -> Value {
                self.push(Op::Unary(Unary::Offset(c)), &[x])
            }

            /// x held within \[low, high\]. For bounds that are values, [`Graph::min`] and [`Graph::max`].
            pub fn clamp(&mut self, x: Value, low: f32, high: f32) -> Value {
                self.push(Op::Unary(Unary::Clamp(low, high)), &[x])
            }
        }
    };
}

unary! {
    /// max(x, 0).
    relu => Relu;
    /// The hyperbolic tangent.
    tanh => Tanh;
    /// The Gaussian error linear unit, in its tanh form.
    gelu => Gelu;
    /// 1 / (1 + e⁻ˣ).
    sigmoid => Sigmoid;
    /// eˣ.
    exp => Exp;
    /// The natural logarithm.
    ln => Ln;
    /// x².
    square => Square;
    /// √x.
    sqrt => Sqrt;
    /// |x|.
    abs => Abs;
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $binary:ident;)*) => {
        /// Functions of pairs. A last dimension of 1 goes with any other: the number stands for its whole line.
        impl Graph {
            $($(#[$doc])*
            pub fn $name(&mut self, a: Value, b: Value) -> Value {
                self.push(Op::Binary(Binary::$binary), &[a, b])
            })*
        }
    };
}

binary! {
    /// a + b.
    add => Add;
    /// a − b.
    sub => Sub;
    /// a·b.
    mul => Mul;
    /// a / b.
    div => Div;
    /// The smaller of the two; where both are equal the derivative goes to `a`.
    min => Min;
    /// The larger of the two; where both are equal the derivative goes to `a`.
    max => Max;
    /// 1 where a < b, else 0; has no derivative.
    less => Less;
    /// 1 where a ≤ b, else 0; has no derivative.
    less_equal => LessEqual;
}

/// Functions of lines: of the numbers along the last dimension.
impl Graph {
    /// `a` where the condition is above 0, else `b`; three equal shapes. No gradient goes to the condition.
    pub fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        self.push(Op::Select, &[condition, a, b])
    }

    /// eˣ over its sum: probabilities.
    pub fn softmax(&mut self, x: Value) -> Value {
        self.push(Op::Softmax, &[x])
    }

    /// The logarithm of the softmax.
    pub fn log_softmax(&mut self, x: Value) -> Value {
        self.push(Op::LogSoftmax, &[x])
    }

    /// The number that the index picks: \[…, n\] and \[…, 1\] give \[…, 1\]. An index is a whole number held as f32.
    pub fn gather(&mut self, x: Value, index: Value) -> Value {
        self.push(Op::Gather, &[x, index])
    }

    /// −ln of the probability that a softmax over the logits gives to the index: \[…, n\] and \[…, 1\] give \[…, 1\].
    pub fn cross_entropy(&mut self, logits: Value, index: Value) -> Value {
        let log_probabilities = self.log_softmax(logits);
        let picked = self.gather(log_probabilities, index);
        self.neg(picked)
    }

    /// The sum: \[…, n\] gives \[…, 1\].
    pub fn sum(&mut self, x: Value) -> Value {
        if self.shape(x).width() == 1 { x } else { self.push(Op::Sum, &[x]) }
    }

    /// The mean: \[…, n\] gives \[…, 1\].
    pub fn mean(&mut self, x: Value) -> Value {
        let n = self.shape(x).width();
        let sum = self.sum(x);
        if n == 1 { sum } else { self.scale(sum, 1.0 / n as f32) }
    }

    /// Each number, n times: \[…, 1\] gives \[…, n\]. Pairs broadcast on their own; this is for [`Graph::select`].
    pub fn repeat(&mut self, x: Value, n: usize) -> Value {
        self.push(Op::Repeat(n), &[x])
    }

    /// The columns of `a`, then those of `b`.
    pub fn concat(&mut self, a: Value, b: Value) -> Value {
        self.push(Op::Concat, &[a, b])
    }

    /// The columns start .. start + width.
    pub fn slice(&mut self, x: Value, start: usize, width: usize) -> Value {
        self.push(Op::Slice { start, width }, &[x])
    }

    /// The same numbers in another shape: the losses of all tokens, \[tokens, 1\], as one line that has a mean.
    pub fn reshape(&mut self, x: Value, dims: &[usize]) -> Value {
        let Some(shape) = Shape::new(dims) else {
            self.fail(GraphError::EmptyShape { name: "reshape".to_owned(), dims: dims.to_vec() });
            return x;
        };
        self.push(Op::Reshape(shape), &[x])
    }

    /// x, seen as a constant by the gradient.
    pub fn stop_gradient(&mut self, x: Value) -> Value {
        self.push(Op::StopGradient, &[x])
    }
}

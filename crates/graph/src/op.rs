//! The operation set, and the shape rule of each operation.
//!
//! This is the whole vocabulary that an engine must speak. Shapes are per row; `…` stands for any leading dimensions
//! (lines), which an operation leaves as they are. "Adds to a gradient" operations produce no value: they are the sinks
//! of a gradient graph and the only operations that look at more than one row at a time.
//!
//! The set grows by an enum variant with its shape rule here, a rule in `autodiff`, a line in the reference, and a kernel
//! for each engine. What lines are for shows in the transformer: attention over a sequence is a function of one row of shape
//! \[tokens, width\], an embedding picks lines of a parameter by an index input and its gradient is one more sink.

use crate::error::GraphError;
use crate::graph::{InputId, ParameterId};
use crate::shape::Shape;

/// A function of one number, applied to each.
///
/// The numbers in brackets are part of the graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unary {
    /// max(x, 0).
    Relu,
    /// The hyperbolic tangent.
    Tanh,
    /// The Gaussian error linear unit in its tanh form, ½x(1 + tanh(√(2/π)(x + 0.044715x³))) (Hendrycks and Gimpel 2016).
    Gelu,
    /// 1 / (1 + e⁻ˣ).
    Sigmoid,
    /// eˣ.
    Exp,
    /// The natural logarithm.
    Ln,
    /// x².
    Square,
    /// √x.
    Sqrt,
    /// |x|; its derivative at 0 is taken as 0.
    Abs,
    /// c·x.
    Scale(f32),
    /// x + c.
    Offset(f32),
    /// x held within \[low, high\]; its derivative is 1 inside and on the edges, 0 outside.
    Clamp(f32, f32),
}

/// A function of two numbers, applied pair by pair. A width of 1 goes with any width: the number stands for its whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// a + b.
    Add,
    /// a − b.
    Sub,
    /// a·b.
    Mul,
    /// a / b.
    Div,
    /// The smaller one. Where both are equal the derivative goes to `a`.
    Min,
    /// The larger one. Where both are equal the derivative goes to `a`.
    Max,
    /// 1 where a < b, else 0. Has no derivative.
    Less,
    /// 1 where a ≤ b, else 0. Has no derivative.
    LessEqual,
}

/// The activation at the end of a fused linear layer or layer norm.
pub type Activation = vivarium_kernels::Activation;

/// ε, which [`Op::LayerNorm`] adds to the variance.
pub const LAYER_NORM_EPSILON: f32 = 1e-5;

/// One operation of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    // Sources.
    /// () → the declared shape. Rows that the caller hands in.
    Input(InputId),
    /// () → \[1\]. One number that the caller hands in, the same for every row: a coefficient that changes while training.
    Setting(InputId),
    /// () → the parameter's shape, repeated on every row.
    Parameter(ParameterId),
    /// () → \[1\]. The same number on every row.
    Constant(f32),
    /// () → \[1\]. The weight of a row in the summed loss (1/B for a mean): where a gradient starts.
    Seed,

    // Layers.
    /// x \[…, k\] → \[…, n\]: x·W + b with W \[k, n\] and b \[n\].
    Linear {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// b.
        bias: Option<ParameterId>,
    },
    /// index \[…, k\] → \[…, n\]: the sum of the rows of the table \[entries, n\] that the indices pick. An index is a whole
    /// number stored as f32, exact up to 2²⁴; one out of range picks the nearest end.
    Embedding {
        /// Row-major \[entries, n\].
        table: ParameterId,
    },
    /// x \[…, n\] → \[…, n\]: (x − mean)/√(variance + ε)·scale + shift over each line (Ba, Kiros and Hinton 2016).
    LayerNorm {
        /// \[n\].
        scale: ParameterId,
        /// \[n\].
        shift: ParameterId,
    },

    /// x \[…, n\] → \[…, k\]: x·Wᵀ with W \[k, n\]. Also the gradient of a linear layer's input.
    LinearTransposed {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },
    /// qkv \[tokens, 3·width\] → \[tokens, width + heads\]: causal self-attention. qkv holds queries, keys and values of all
    /// heads; the result what each head found and then the logarithm of the sum of each one's exponentiated scores.
    Attention {
        /// How many there are.
        heads: usize,
    },

    /// (x \[…, n\], target \[…, 1\]) → \[…, 1\]: the cross-entropy of the logits x·Wᵀ with W \[k, n\], −log softmax at the
    /// target, an index as [`Op::Gather`] has it.
    HeadLoss {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },

    // Number by number.
    /// x \[…, n\] → \[…, n\].
    Unary(Unary),
    /// (a \[…, n\], b \[…, n\]) → \[…, n\], where either width may be 1.
    Binary(Binary),
    /// (condition \[…, n\], a \[…, n\], b \[…, n\]) → \[…, n\]: a where the condition is above 0, else b.
    Select,

    // Line by line.
    /// x \[…, n\] → \[…, n\]: eˣ over its sum.
    Softmax,
    /// x \[…, n\] → \[…, n\]: the logarithm of the softmax, computed without overflow.
    LogSoftmax,
    /// (x \[…, n\], index \[…, 1\]) → \[…, 1\]: the number that the index picks. An index is a whole number stored as f32,
    /// exact up to 2²⁴; one out of range picks the nearest end.
    Gather,
    /// x \[…, n\] → \[…, 1\]: the sum of each line.
    Sum,
    /// x \[…, 1\] → \[…, n\]: each number, n times.
    Repeat(usize),
    /// (a \[…, m\], b \[…, n\]) → \[…, m + n\].
    Concat,
    /// x \[…, n\] → \[…, width\]: a run of columns.
    Slice {
        /// The first column.
        start: usize,
        /// How many.
        width: usize,
    },
    /// x → the same numbers in another shape.
    Reshape(Shape),
    /// x → x, where a gradient stops.
    StopGradient,

    // What gradients are made of.
    /// (x \[…, k\], dy \[…, n\]): adds xᵀ·dy to the gradient of the weight, and the column sums of dy to that of the bias.
    LinearParameterGradient {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// b.
        bias: Option<ParameterId>,
    },
    /// (index \[…, k\], dy \[…, n\]): adds dy to the gradients of the rows that the indices pick.
    EmbeddingGradient {
        /// Row-major \[entries, n\].
        table: ParameterId,
    },
    /// dy: adds the sum over the rows to the gradient of a parameter of its shape.
    ParameterGradient(ParameterId),
    /// (qkv, y, dy) → dqkv, from what the attention got and gave.
    AttentionGradient {
        /// How many heads there are.
        heads: usize,
    },
    /// (x \[…, n\], target \[…, 1\], d \[…, 1\]) → \[…, n + 1\]: dx and then the loss again, and adds to the gradient of the
    /// weight.
    HeadLossGradient {
        /// W, row-major \[k, n\].
        weight: ParameterId,
    },
    /// (x, dy) → dx, and adds to the gradients of scale and shift. x is what the layer norm got.
    LayerNormGradient {
        /// \[n\].
        scale: ParameterId,
        /// \[n\].
        shift: ParameterId,
    },
    /// (x or y, dy) → dx. [`Unary::gradient_from`] says which of the two.
    UnaryGradient(Unary),
    /// (y, dy) → dx, from the softmax y.
    SoftmaxGradient,
    /// (y, dy) → dx, from the log-softmax y.
    LogSoftmaxGradient,
    /// (index \[…, 1\], d \[…, 1\]) → \[…, n\]: zeros, and d where the index points.
    Scatter(usize),
    /// x \[…, width\] → \[…, n\]: zeros, and x from the column `start` on.
    Pad {
        /// Where x goes.
        start: usize,
        /// n.
        width: usize,
    },
}

/// Which side of a unary function its derivative is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradientFrom {
    /// What the function got.
    X,
    /// What it gave: the argument need not be kept.
    Y,
}

impl Unary {
    /// Which side of the function [`Op::UnaryGradient`] reads.
    pub fn gradient_from(self) -> GradientFrom {
        match self {
            Unary::Relu | Unary::Tanh | Unary::Sigmoid | Unary::Exp | Unary::Sqrt => GradientFrom::Y,
            _ => GradientFrom::X,
        }
    }
}

impl Op {
    /// The name that errors and listings use.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Input(_) => "input",
            Op::Setting(_) => "setting",
            Op::Parameter(_) => "parameter",
            Op::Constant(_) => "constant",
            Op::Seed => "seed",
            Op::Linear { .. } => "linear",
            Op::Embedding { .. } => "embedding",
            Op::LayerNorm { .. } => "layer_norm",
            Op::Unary(unary) => match unary {
                Unary::Relu => "relu",
                Unary::Tanh => "tanh",
                Unary::Gelu => "gelu",
                Unary::Sigmoid => "sigmoid",
                Unary::Exp => "exp",
                Unary::Ln => "ln",
                Unary::Square => "square",
                Unary::Sqrt => "sqrt",
                Unary::Abs => "abs",
                Unary::Scale(_) => "scale",
                Unary::Offset(_) => "offset",
                Unary::Clamp(..) => "clamp",
            },
            Op::Binary(binary) => match binary {
                Binary::Add => "add",
                Binary::Sub => "sub",
                Binary::Mul => "mul",
                Binary::Div => "div",
                Binary::Min => "min",
                Binary::Max => "max",
                Binary::Less => "less",
                Binary::LessEqual => "less_equal",
            },
            Op::Select => "select",
            Op::LinearTransposed { .. } => "linear_transposed",
            Op::Attention { .. } => "attention",
            Op::AttentionGradient { .. } => "attention_gradient",
            Op::HeadLoss { .. } => "head_loss",
            Op::HeadLossGradient { .. } => "head_loss_gradient",
            Op::Reshape(_) => "reshape",
            Op::Softmax => "softmax",
            Op::LogSoftmax => "log_softmax",
            Op::Gather => "gather",
            Op::Sum => "sum",
            Op::Repeat(_) => "repeat",
            Op::Concat => "concat",
            Op::Slice { .. } => "slice",
            Op::StopGradient => "stop_gradient",
            Op::LinearParameterGradient { .. } => "linear_parameter_gradient",
            Op::EmbeddingGradient { .. } => "embedding_gradient",
            Op::ParameterGradient(_) => "parameter_gradient",
            Op::LayerNormGradient { .. } => "layer_norm_gradient",
            Op::UnaryGradient(_) => "unary_gradient",
            Op::SoftmaxGradient => "softmax_gradient",
            Op::LogSoftmaxGradient => "log_softmax_gradient",
            Op::Scatter(_) => "scatter",
            Op::Pad { .. } => "pad",
        }
    }

    /// Whether running it changes the gradients, so that it must run even where nobody reads its value.
    pub fn adds_to_gradients(&self) -> bool {
        matches!(
            self,
            Op::LinearParameterGradient { .. }
                | Op::EmbeddingGradient { .. }
                | Op::ParameterGradient(_)
                | Op::LayerNormGradient { .. }
                | Op::HeadLossGradient { .. }
        )
    }

    /// The shape of the result for operands of these shapes; `None` for an operation without a result. A source's
    /// shape comes from its declaration, so sources are not asked.
    ///
    /// `dims` gives a parameter's dimensions.
    pub(crate) fn shape<'a>(
        &self,
        operands: &[Shape],
        dims: impl Fn(ParameterId) -> &'a [usize],
    ) -> Result<Option<Shape>, GraphError> {
        let wrong = |allowed| GraphError::Shapes { operation: self.name(), got: operands.to_vec(), allowed };
        let ensure = |holds: bool, allowed| if holds { Ok(()) } else { Err(wrong(allowed)) };
        Ok(Some(match (self, operands) {
            (Op::Constant(_) | Op::Seed | Op::Setting(_), []) => Shape::SCALAR,
            (Op::Linear { weight, .. }, [x]) => {
                ensure(x.width() == dims(*weight)[0], "a last dimension of the weight's first")?;
                x.with_width(dims(*weight)[1])
            }
            (Op::LinearTransposed { weight }, [x]) => {
                ensure(x.width() == dims(*weight)[1], "a last dimension of the weight's second")?;
                x.with_width(dims(*weight)[0])
            }
            (Op::LinearParameterGradient { weight, .. }, [x, dy]) => {
                let fits = [x.width(), dy.width()] == dims(*weight) && x.same_lines(dy);
                ensure(fits, "[…, k] and […, n] for a weight [k, n]")?;
                return Ok(None);
            }
            (Op::Embedding { table }, [index]) => index.with_width(dims(*table)[1]),
            (Op::EmbeddingGradient { table }, [index, dy]) => {
                let fits = dy.width() == dims(*table)[1] && index.same_lines(dy);
                ensure(fits, "[…, k] and […, n] for a table [entries, n]")?;
                return Ok(None);
            }
            (Op::ParameterGradient(parameter), [dy]) => {
                ensure(dy.dims() == dims(*parameter), "the shape of the parameter")?;
                return Ok(None);
            }
            (Op::Attention { heads }, [qkv]) => {
                let fits = *heads > 0 && qkv.dims().len() == 2 && qkv.width() % (3 * heads) == 0;
                ensure(fits, "[tokens, 3·width] with a width that the heads divide")?;
                qkv.with_width(qkv.width() / 3 + heads)
            }
            (Op::AttentionGradient { heads }, [qkv, y, dy]) => {
                let fits = y == dy && y.same_lines(qkv) && 3 * (y.width() - heads) == qkv.width();
                ensure(fits, "[tokens, 3·width] and twice [tokens, width + heads]")?;
                *qkv
            }
            (Op::HeadLoss { weight }, [x, target]) => {
                let fits = x.width() == dims(*weight)[1] && x.same_lines(target) && target.width() == 1;
                ensure(fits, "[…, n] and an index […, 1] for a weight [k, n]")?;
                *target
            }
            (Op::HeadLossGradient { weight }, [x, target, d]) => {
                let fits = x.width() == dims(*weight)[1] && x.same_lines(target) && target == d;
                ensure(fits && d.width() == 1, "[…, n], an index […, 1] and […, 1] for a weight [k, n]")?;
                x.with_width(x.width() + 1)
            }
            (Op::Reshape(shape), [x]) => {
                ensure(shape.size() == x.size(), "as many numbers as the new shape has")?;
                *shape
            }
            (Op::LayerNorm { scale, .. }, [x]) => {
                ensure([x.width()] == dims(*scale), "the width of the scale")?;
                *x
            }
            (Op::LayerNormGradient { scale, .. }, [x, dy]) => {
                ensure(x == dy && [x.width()] == dims(*scale), "two equal shapes of the width of the scale")?;
                *x
            }
            (Op::Unary(_) | Op::Softmax | Op::LogSoftmax | Op::StopGradient, [x]) => *x,
            (Op::UnaryGradient(_) | Op::SoftmaxGradient | Op::LogSoftmaxGradient, [x, dy]) => {
                ensure(x == dy, "two equal shapes")?;
                *x
            }
            (Op::Binary(_), [a, b]) => {
                let fits = a.width() == b.width() || a.width() == 1 || b.width() == 1;
                ensure(a.same_lines(b) && fits, "equal shapes, or one of them with a last dimension of 1")?;
                a.with_width(a.width().max(b.width()))
            }
            (Op::Select, [condition, a, b]) => {
                ensure(condition == a && a == b, "three equal shapes")?;
                *a
            }
            (Op::Gather, [x, index]) => {
                ensure(x.same_lines(index) && index.width() == 1, "[…, n] and an index […, 1]")?;
                *index
            }
            (Op::Scatter(n), [index, d]) => {
                ensure(index == d && d.width() == 1, "an index […, 1] and […, 1]")?;
                d.with_width(*n)
            }
            (Op::Sum, [x]) => x.with_width(1),
            (Op::Repeat(n), [x]) => {
                ensure(x.width() == 1 && *n > 0, "a last dimension of 1")?;
                x.with_width(*n)
            }
            (Op::Concat, [a, b]) => {
                ensure(a.same_lines(b), "equal leading dimensions")?;
                a.with_width(a.width() + b.width())
            }
            (Op::Slice { start, width }, [x]) => {
                ensure(*width > 0 && start + width <= x.width(), "columns that the operand has")?;
                x.with_width(*width)
            }
            (Op::Pad { start, width }, [x]) => {
                ensure(start + x.width() <= *width, "columns that the result has")?;
                x.with_width(*width)
            }
            _ => return Err(wrong("another number of operands")),
        }))
    }
}

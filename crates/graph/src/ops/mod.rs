//! The operations of a graph, one family in each file: the operation's type, its builder method with the shape rule,
//! gradient rule, f64 reference, fusion and CPU kernel.
//!
//! [`for_each_op!`](crate::for_each_op) is the only list of operations. [`Op`] and its dispatch are generated from the
//! list here, the dispatch to the GPU in `vivarium-gpu`. To add an operation, add its file here and in `gpu/src/ops`,
//! and its row to the list; the compiler reports what is missing.
//!
//! All shapes are per row; `…` stands for any leading dimensions.

use crate::call::{StepCall, StepOutputs};
use crate::error::GraphError;
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::OnnxNode;
use crate::plan::Plan;
use crate::reference_call::ReferenceCall;
use crate::step::{EpiloguePart, PlanStep};
use crate::tape::GradientTape;

/// Calls a macro with the list of operations: for each file in `ops`, the variants of [`Op`] with their types.
#[macro_export]
macro_rules! for_each_op {
    ($with:ident) => {
        $crate::with_sequence_ops! { $with {
            source: Input(InputOp), Setting(SettingOp), Constant(ConstantOp), Seed(SeedOp);
            parameter: Parameter(ParameterOp), ParameterGradient(ParameterGradientOp);
            linear: Linear(LinearOp), LinearGradient(LinearGradientOp);
            linear_transposed: LinearTransposed(LinearTransposedOp);
            embedding: Embedding(EmbeddingOp), EmbeddingGradient(EmbeddingGradientOp);
            layer_norm: LayerNorm(LayerNormOp), LayerNormGradient(LayerNormGradientOp);
            rms_norm: RmsNorm(RmsNormOp), RmsNormGradient(RmsNormGradientOp);
            unary: Unary(Unary), UnaryGradient(UnaryGradientOp);
            binary: Binary(Binary);
            select: Select(SelectOp);
            softmax: Softmax(SoftmaxOp), LogSoftmax(LogSoftmaxOp), SoftmaxGradient(SoftmaxGradientOp),
                LogSoftmaxGradient(LogSoftmaxGradientOp), CrossEntropyGradient(CrossEntropyGradientOp);
            gather: Gather(GatherOp), Scatter(ScatterOp);
            sum: Sum(SumOp), Repeat(RepeatOp);
            columns: Concat(ConcatOp), Slice(SliceOp), Pad(PadOp);
            reshape: Reshape(ReshapeOp), StopGradient(StopGradientOp);
        } }
    };
}

/// Adds the operations of the feature `sequences` to the list of [`for_each_op!`](crate::for_each_op).
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "sequences")]
macro_rules! with_sequence_ops {
    ($with:ident { $($rows:tt)+ }) => {
        $with! {
            $($rows)+
            attention: Attention(AttentionOp), AttentionGradient(AttentionGradientOp);
            head_loss: HeadLoss(HeadLossOp), HeadLossGradient(HeadLossGradientOp);
        }
    };
}

/// Calls the macro `$with` with the unchanged list of [`for_each_op!`](crate::for_each_op), because the feature
/// `sequences` is disabled.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "sequences"))]
macro_rules! with_sequence_ops {
    ($with:ident { $($rows:tt)+ }) => {
        $with! { $($rows)+ }
    };
}

/// Behavior of one kind of graph operation: gradient rule, f64 reference, ONNX export, fusion and CPU kernel. Its
/// builder methods with the shape rules are methods of [`Graph`].
pub(crate) trait Operation {
    /// Name for error messages and listings.
    const NAME: &'static str;
    /// Whether the operation reads parameters. Its results then need a gradient.
    const READS_PARAMETERS: bool;
    /// Whether the operation accumulates parameter gradients. It then runs even if its results are not read.
    const ACCUMULATES: bool = false;

    /// Returns the operation's name. A type for several functions, such as `Unary`, returns the name of the function.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns whether the gradient of the result propagates to the operands.
    fn passes_gradient(&self) -> bool {
        true
    }

    /// Adds the gradients of a node's operands to the tape, by the differentiation rule of the operation. `dy` is the
    /// gradient of the node's first result.
    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape);

    /// Evaluates the operation's first result in double precision, for all rows of the batch.
    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64>;

    /// Returns the ONNX form, or `None` if the operation cannot be exported.
    fn onnx(&self) -> Option<OnnxNode> {
        None
    }

    /// Returns whether the fused epilogue of this operation may contain this part: layer norm, residual or activation.
    fn accepts(&self, _: &EpiloguePart) -> bool {
        false
    }

    /// Returns the step `earlier` with this operation fused into it, or `None` if the two stay separate. The result of
    /// `earlier` is the operand at `position`.
    fn join(
        &self,
        _graph: &Graph,
        _earlier: &PlanStep,
        _operands: &[Value],
        _position: usize,
    ) -> Option<PlanStep> {
        None
    }

    /// Returns the scratch memory that a step of this operation needs for one chunk of batch rows, in f32 values.
    fn scratch_len(&self, _plan: &Plan, _step: &PlanStep) -> usize {
        0
    }

    /// Executes a step of this operation on the CPU, for one chunk of batch rows.
    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>);
}

/// An operation that only gradient graphs contain. The methods are those of [`Operation`].
///
/// Operations that accumulate parameter gradients do so as a side effect. Only they combine several rows of a batch.
pub(crate) trait GradientOperation {
    const NAME: &'static str;
    const ACCUMULATES: bool;

    fn join(
        &self,
        _graph: &Graph,
        _earlier: &PlanStep,
        _operands: &[Value],
        _position: usize,
    ) -> Option<PlanStep> {
        None
    }

    fn scratch_len(&self, _plan: &Plan, _step: &PlanStep) -> usize {
        0
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>);
}

impl<T: GradientOperation> Operation for T {
    const NAME: &'static str = <T as GradientOperation>::NAME;
    const READS_PARAMETERS: bool = <T as GradientOperation>::ACCUMULATES;
    const ACCUMULATES: bool = <T as GradientOperation>::ACCUMULATES;

    /// Records [`GraphError::SecondDerivative`]: gradient graphs cannot be differentiated.
    fn gradient(&self, _: &GraphNode, _: Value, tape: &mut GradientTape) {
        tape.graph.fail(GraphError::SecondDerivative { operation: <T as Operation>::NAME });
    }

    fn reference(&self, _: &ReferenceCall<'_>) -> Vec<f64> {
        panic!("the reference does not evaluate gradient graphs ({})", <T as Operation>::NAME)
    }

    fn join(
        &self,
        graph: &Graph,
        earlier: &PlanStep,
        operands: &[Value],
        position: usize,
    ) -> Option<PlanStep> {
        GradientOperation::join(self, graph, earlier, operands, position)
    }

    fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
        GradientOperation::scratch_len(self, plan, step)
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        GradientOperation::run(self, call, target);
    }
}

macro_rules! define_op {
    ($($file:ident: $($variant:ident($op:ident)),+;)+) => {
        $(mod $file;
        pub use $file::{$($op),+};)+

        /// An operation of a graph.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Op {
            $($(#[doc = concat!("See [`", stringify!($op), "`].")]
            $variant($op),)+)+
        }

        $($(impl From<$op> for Op {
            fn from(op: $op) -> Self {
                Op::$variant(op)
            }
        })+)+

        /// The methods of `Operation`, dispatched to the operation in the variant.
        impl Op {
            /// Returns the operation's name for error messages and listings.
            pub fn name(&self) -> &'static str {
                match self { $($(Op::$variant(op) => op.name(),)+)+ }
            }

            pub(crate) fn reads_parameters(&self) -> bool {
                match self { $($(Op::$variant(_) => <$op as Operation>::READS_PARAMETERS,)+)+ }
            }

            pub(crate) fn accumulates(&self) -> bool {
                match self { $($(Op::$variant(_) => <$op as Operation>::ACCUMULATES,)+)+ }
            }

            pub(crate) fn passes_gradient(&self) -> bool {
                match self { $($(Op::$variant(op) => op.passes_gradient(),)+)+ }
            }

            pub(crate) fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
                match self { $($(Op::$variant(op) => Operation::gradient(op, node, dy, tape),)+)+ }
            }

            pub(crate) fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
                match self { $($(Op::$variant(op) => Operation::reference(op, call),)+)+ }
            }

            pub(crate) fn onnx(&self) -> Option<OnnxNode> {
                match self { $($(Op::$variant(op) => op.onnx(),)+)+ }
            }

            pub(crate) fn accepts(&self, part: &EpiloguePart) -> bool {
                match self { $($(Op::$variant(op) => op.accepts(part),)+)+ }
            }

            pub(crate) fn join(
                &self,
                graph: &Graph,
                earlier: &PlanStep,
                operands: &[Value],
                position: usize,
            ) -> Option<PlanStep> {
                match self { $($(Op::$variant(op) => Operation::join(op, graph, earlier, operands, position),)+)+ }
            }

            pub(crate) fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
                match self { $($(Op::$variant(op) => Operation::scratch_len(op, plan, step),)+)+ }
            }

            #[inline]
            pub(crate) fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
                match self { $($(Op::$variant(op) => Operation::run(op, call, target),)+)+ }
            }
        }
    };
}
for_each_op!(define_op);

pub use layer_norm::LAYER_NORM_EPSILON;

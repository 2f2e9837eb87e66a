//! Behavior that each operation implements in its own file: gradient rule, f64 reference, ONNX form, fusion and CPU
//! kernel.

use crate::call::{StepCall, StepOutputs};
use crate::error::GraphError;
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::OnnxForm;
use crate::op::Op;
use crate::plan::Plan;
use crate::reference_call::ReferenceCall;
use crate::shape::Shape;
use crate::step::{Epilogue, Fusion, PlanStep};
use crate::tape::GradientTape;

/// Behavior of one kind of graph operation: gradient rule, f64 reference, ONNX export, fusion and CPU kernel. The
/// builder methods with their shape checks are methods of [`Graph`].
pub(crate) trait Operation {
    /// Name of the operation for error messages and listings.
    const NAME: &'static str;
    /// Whether the operation reads parameters. If so, gradients are propagated to its results.
    const READS_PARAMETERS: bool;
    /// Whether the operation adds to parameter gradients. If so, a plan executes the operation even if no step reads
    /// its results.
    const ACCUMULATES: bool = false;
    /// Whether the operation multiplies each line of its first operand by a weight matrix. All other operations take little
    /// time beside these products.
    const MULTIPLIES_WEIGHTS: bool = false;

    /// Returns the operation's name. `Unary` and `Binary`, which stand for several functions, return the name of the
    /// function.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns whether the gradient of the result propagates to the operands.
    fn passes_gradient(&self) -> bool {
        true
    }

    /// Applies the differentiation rule of the operation: adds the gradients of the node's operands to the tape. `dy`
    /// is the gradient of the node's first result.
    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape);

    /// Evaluates the operation's first result in double precision, for all rows of the batch.
    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64>;

    /// Appends the ONNX nodes of the operation, and returns the ONNX name of its first result. Returns `None` if the
    /// operation cannot be exported.
    fn onnx(&self, _form: &mut OnnxForm<'_, '_>) -> Option<String> {
        None
    }

    /// Returns whether a step of this operation can apply `epilogue` to its result.
    fn accepts(&self, epilogue: &Epilogue) -> bool {
        *epilogue == Epilogue::default()
    }

    /// Fuses this operation into the earlier step that computes one of its operands, and returns the fused step.
    /// Returns `None` if fusion is not possible. The caller checks with [`accepts`](Self::accepts) whether the step may
    /// have the new epilogue.
    fn join(&self, _fusion: &Fusion<'_>) -> Option<PlanStep> {
        None
    }

    /// Returns the scratch memory that a step of this operation needs for one chunk of batch rows, in f32 values.
    fn scratch_len(&self, _plan: &Plan, _step: &PlanStep) -> usize {
        0
    }

    /// Executes a step of a plan on the CPU for one chunk of batch rows. Reads the operands from `call`, and writes the
    /// results to `target`.
    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>);
}

/// An operation that occurs only in gradient graphs. [`Operation`] documents the methods.
///
/// Operations that accumulate parameter gradients do so as a side effect. No other operation combines different rows of
/// the batch.
pub(crate) trait GradientOperation {
    const NAME: &'static str;
    const ACCUMULATES: bool;

    fn join(&self, _fusion: &Fusion<'_>) -> Option<PlanStep> {
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

    fn join(&self, fusion: &Fusion<'_>) -> Option<PlanStep> {
        GradientOperation::join(self, fusion)
    }

    fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
        GradientOperation::scratch_len(self, plan, step)
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        GradientOperation::run(self, call, target);
    }
}

impl Graph {
    /// Appends an operation to the graph, with a result of the given shape. `Err(allowed)` instead of a shape records
    /// [`GraphError::Shapes`] with the description `allowed` of the allowed operand shapes.
    pub(crate) fn push(
        &mut self,
        op: impl Operation + Into<Op>,
        operands: &[Value],
        shape: Result<Shape, &'static str>,
    ) -> Value {
        let shape = shape.unwrap_or_else(|allowed| {
            let got = operands.iter().map(|&operand| self.shape(operand)).collect();
            self.fail(GraphError::Shapes { operation: op.name(), got, allowed });
            Shape::SCALAR
        });
        self.append(op, operands, shape)
    }
}

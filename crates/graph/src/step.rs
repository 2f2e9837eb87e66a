//! Steps of an execution plan, and the epilogue that fusion attaches to a step.

use vivarium_kernels::epilogue::EpilogueActivation;

use crate::graph::Graph;
use crate::ids::{ParameterId, Value};
use crate::op::{NormOp, Op};
use crate::shape::Shape;

/// Activation function in the epilogue of a linear layer or norm.
pub type Activation = vivarium_kernels::Activation;

/// Fused epilogue activation(norm(y) + residual), which a step applies to its result y. Each part is optional.
pub type Epilogue = vivarium_kernels::epilogue::Epilogue<ParameterId, Value>;

/// One step of an execution plan: an operation and its fused epilogue.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// Operation that computes the results, before the epilogue.
    pub op: Op,
    /// Fused epilogue. Only linear layers, their input gradients and norms may have one.
    pub epilogue: Epilogue,
    /// Operands of the operation, without the operands of the epilogue.
    pub operands: Vec<Value>,
    /// Results of the step. Each value is the result of one step only. Empty for a step that only accumulates parameter
    /// gradients.
    pub results: Vec<Value>,
}

/// Fused steps that compute a set of outputs of a graph, in single-assignment form: each value is the result of at most
/// one step.
#[derive(Debug)]
pub(crate) struct FusedSteps {
    pub(crate) steps: Vec<PlanStep>,
    /// Shape of each value for one row of the batch: the values of the graph, then the copies that fusion appends.
    pub(crate) shapes: Vec<Shape>,
    /// Output values of the plan. The values are distinct, and no value is an input.
    pub(crate) outputs: Vec<Value>,
}

/// Candidate for fusion: an operation of a graph, and the earlier step that computes one of its operands.
#[derive(Clone, Copy)]
pub(crate) struct Fusion<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) earlier: &'a PlanStep,
    /// Operands of the operation. The operand with index `position` is the result of `earlier`.
    pub(crate) operands: &'a [Value],
    pub(crate) position: usize,
}

/// Operation that fusion turns into a part of the preceding step's epilogue. The variants are in the order of
/// execution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum EpiloguePart {
    /// Normalization of the result.
    Norm(NormOp),
    /// Residual connection: addition of this value, which has the shape of the result.
    Residual(Value),
    /// Application of this activation function to the result.
    Activation(Activation),
    /// Multiplication of the result, a gradient, by the derivative of the activation function. The derivative is
    /// computed from the value: the activation's argument or result (see [`crate::DerivativeInput`]).
    ActivationGradient(Activation, Value),
}

impl PlanStep {
    /// Returns the values that the step reads: operands of the operation and of the epilogue.
    pub fn reads(&self) -> impl Iterator<Item = Value> {
        self.operands.iter().chain(self.epilogue.operands()).copied()
    }

    /// Returns a copy of the step with `part` appended to its epilogue. Returns `None` if the epilogue already has this
    /// part or a part that is executed later.
    pub(crate) fn with(&self, part: EpiloguePart) -> Option<PlanStep> {
        let mut step = self.clone();
        let Epilogue { norm, residual, activation } = &mut step.epilogue;
        let is_open = match part {
            EpiloguePart::Norm(_) => norm.is_none() && residual.is_none(),
            EpiloguePart::Residual(_) => residual.is_none(),
            EpiloguePart::Activation(_) | EpiloguePart::ActivationGradient(..) => true,
        };
        if !is_open || *activation != EpilogueActivation::None {
            return None;
        }
        match part {
            EpiloguePart::Norm(op) => *norm = Some(op),
            EpiloguePart::Residual(value) => *residual = Some(value),
            EpiloguePart::Activation(function) => *activation = EpilogueActivation::Forward(function),
            EpiloguePart::ActivationGradient(function, saved) => {
                *activation = EpilogueActivation::Gradient { activation: function, saved };
            }
        }
        Some(step)
    }
}

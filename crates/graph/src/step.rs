//! Steps of an execution plan, and the epilogue that fusion attaches to a step.

use vivarium_kernels::epilogue::EpilogueActivation;

use crate::graph::Graph;
use crate::ids::{ParameterId, Value};
use crate::op::{NormOp, Op};
use crate::shape::Shape;

/// Activation function in the epilogue of a linear layer or norm.
pub type Activation = vivarium_kernels::Activation;

/// Fused epilogue of a step: activation(norm(y) + residual).
pub type Epilogue = vivarium_kernels::epilogue::Epilogue<ParameterId, Value>;

/// One step of an execution plan: an operation and its fused epilogue.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// Operation that computes the results, before the epilogue.
    pub op: Op,
    /// Fused epilogue. Linear layers, their input gradients and norms may have one.
    pub epilogue: Epilogue,
    /// Operands of the operation, without the operands of the epilogue.
    pub operands: Vec<Value>,
    /// Results. Each value is a result of one step only. Empty for a step that only accumulates parameter gradients.
    pub results: Vec<Value>,
}

/// Fused steps that compute a set of outputs of a graph. Each value is the result of at most one step
/// (single-assignment form).
#[derive(Debug)]
pub(crate) struct FusedSteps {
    pub(crate) steps: Vec<PlanStep>,
    /// Shape of each value for one row of the batch: first the values of the graph, then the copies that fusion adds.
    pub(crate) shapes: Vec<Shape>,
    /// Output values of the plan. They are distinct, and none is an input.
    pub(crate) outputs: Vec<Value>,
}

/// An operation of a graph that may be fused into the earlier step that computes one of its operands.
#[derive(Clone, Copy)]
pub(crate) struct Fusion<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) earlier: &'a PlanStep,
    /// Operands of the operation. The result of `earlier` is the operand at `position`.
    pub(crate) operands: &'a [Value],
    pub(crate) position: usize,
}

/// Part of an epilogue. Fusion turns an operation that follows a step into such a part. The variants are in the order
/// in which the parts are applied.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum EpiloguePart {
    /// Normalization of the step's result.
    Norm(NormOp),
    /// Addition of this value, which has the same shape (residual connection).
    Residual(Value),
    /// Application of this activation function.
    Activation(Activation),
    /// Multiplication by the derivative of an activation, whose argument or result (see [`crate::DerivativeInput`]) is
    /// this value.
    Slope(Activation, Value),
}

impl PlanStep {
    /// Returns the values that the step reads: operands of the operation and of the epilogue.
    pub fn reads(&self) -> impl Iterator<Item = Value> {
        self.operands.iter().chain(self.epilogue.operands()).copied()
    }

    /// Returns the step with one more part of the epilogue, or `None` if the epilogue has the same or a later part.
    pub(crate) fn with(&self, part: EpiloguePart) -> Option<PlanStep> {
        let mut step = self.clone();
        let Epilogue { norm, residual, activation } = &mut step.epilogue;
        let is_open = match part {
            EpiloguePart::Norm(_) => norm.is_none() && residual.is_none(),
            EpiloguePart::Residual(_) => residual.is_none(),
            EpiloguePart::Activation(_) | EpiloguePart::Slope(..) => true,
        };
        if !is_open || *activation != EpilogueActivation::None {
            return None;
        }
        match part {
            EpiloguePart::Norm(op) => *norm = Some(op),
            EpiloguePart::Residual(value) => *residual = Some(value),
            EpiloguePart::Activation(function) => *activation = EpilogueActivation::Forward(function),
            EpiloguePart::Slope(function, saved) => {
                *activation = EpilogueActivation::Gradient { activation: function, saved };
            }
        }
        Some(step)
    }
}

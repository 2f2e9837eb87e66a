//! Steps of an execution plan, and the epilogue that fusion attaches to them.

use vivarium_kernels::epilogue::EpilogueActivation;

use crate::ids::Value;
use crate::ops::{LayerNormOp, Op};

/// Activation function in the epilogue of a linear layer or layer norm.
pub type Activation = vivarium_kernels::Activation;

/// Fused epilogue of a step: activation(layer_norm(y) + residual).
pub type Epilogue = vivarium_kernels::epilogue::Epilogue<LayerNormOp, Value>;

/// One step of an execution plan: an operation and its fused epilogue.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// Operation that computes the results, before the epilogue.
    pub op: Op,
    /// Fused epilogue. Linear layers, their input gradients and layer norms may have one.
    pub epilogue: Epilogue,
    /// Operands of the operation, without those of the epilogue.
    pub operands: Vec<Value>,
    /// Results. Each value is a result of one step only. Empty for a step that only accumulates parameter gradients.
    pub results: Vec<Value>,
}

/// Part of an epilogue. Fusion turns an operation that follows a step into such a part. The variants are in the order
/// in which the parts are applied.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum EpiloguePart {
    /// Layer norm of the step's result.
    Norm(LayerNormOp),
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

    /// Returns the step with one more part of the epilogue; `None` if the operation does not accept the part, or the
    /// epilogue already has the same or a later part.
    pub(crate) fn with(&self, part: EpiloguePart) -> Option<PlanStep> {
        let mut step = self.clone();
        let Epilogue { norm, residual, activation } = &mut step.epilogue;
        let is_open = match part {
            EpiloguePart::Norm(_) => norm.is_none() && residual.is_none(),
            EpiloguePart::Residual(_) => residual.is_none(),
            EpiloguePart::Activation(_) | EpiloguePart::Slope(..) => true,
        };
        if !is_open || *activation != EpilogueActivation::NONE || !self.op.accepts(&part) {
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

//! Steps of an execution plan, and the epilogue that fusion attaches to them.

use crate::ids::Value;
use crate::op::{LayerNormParameters, Op};

/// Activation function in the epilogue of a linear layer or layer norm.
pub type Activation = vivarium_kernels::Activation;

/// One step of an execution plan: an operation and its fused epilogue.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// Operation that computes the results, before the epilogue.
    pub op: Op,
    /// Fused epilogue. Only [`Op::Linear`], [`Op::LinearTransposed`] and [`Op::LayerNorm`] have one.
    pub epilogue: Epilogue,
    /// Operands of the operation, then the operand of [`Epilogue::added`], then the operand of [`Epilogue::slope`].
    pub operands: Vec<Value>,
    /// Results. Each value is a result of one step only. Empty for a step that only accumulates parameter gradients.
    pub results: Vec<Value>,
}

/// Fused epilogue of a step: activation(layer_norm(y) + added)·slope. Each part is optional.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Epilogue {
    /// Layer norm of the result. Only after [`Op::Linear`].
    pub norm: Option<LayerNormParameters>,
    /// Whether a residual of the same shape is added.
    pub added: bool,
    /// Activation function. Only after [`Op::Linear`] and [`Op::LayerNorm`].
    pub activation: Activation,
    /// Multiplies the result by the derivative of this activation, whose argument or result (see
    /// [`crate::DerivativeInput`]) is the step's last operand. Only after [`Op::LinearTransposed`].
    pub slope: Option<Activation>,
}

//! One step of a plan.

use crate::ids::Value;
use crate::op::{LayerNormParameters, Op};

/// The activation at the end of a fused linear layer or layer norm.
pub type Activation = vivarium_kernels::Activation;

/// An operation with those that are fused into it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// What is computed.
    pub op: Op,
    /// What follows before the result is written. Only of [`Op::Linear`], [`Op::LinearTransposed`] and [`Op::LayerNorm`].
    pub epilogue: Epilogue,
    /// The operands of the operation, then that of [`Epilogue::added`], then that of [`Epilogue::slope`].
    pub operands: Vec<Value>,
    /// The results, each written by this step alone; none for a step that only adds to gradients.
    pub results: Vec<Value>,
}

/// activation(norm(y) + added)·slope: the fused end of a step. Each part may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Epilogue {
    /// A layer norm. Only of [`Op::Linear`].
    pub norm: Option<LayerNormParameters>,
    /// Whether another value of the result's shape is added.
    pub added: bool,
    /// An activation. Only of [`Op::Linear`] and [`Op::LayerNorm`].
    pub activation: Activation,
    /// The derivative of this activation, which the result is multiplied by. The step's last operand is the argument or
    /// the result of the activation, whichever its derivative is computed from. Only of [`Op::LinearTransposed`].
    pub slope: Option<Activation>,
}

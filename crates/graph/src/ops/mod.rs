//! The operations, one in each file: builder method, shape rule, gradient rule, f64 reference and CPU kernel.
//!
//! This module contains the matches over `Op` that call the functions of these files.

#[cfg(feature = "sequences")]
mod attention;
mod binary;
mod columns;
mod embedding;
mod gather;
#[cfg(feature = "sequences")]
mod head_loss;
mod layer_norm;
mod linear;
mod linear_transposed;
mod parameter;
mod reshape;
mod select;
mod softmax;
mod source;
mod sum;
mod unary;

use crate::call::{StepCall, StepOutputs};
use crate::elementwise::Binary;
use crate::error::GraphError;
use crate::graph::GraphNode;
use crate::ids::Value;
use crate::op::{GradientOp, Op};
use crate::plan::Plan;
use crate::reference_call::ReferenceCall;
use crate::step::PlanStep;
use crate::tape::GradientTape;

/// Returns whether an operation reads parameters. Its results then need a gradient.
pub(crate) fn has_parameters(op: &Op) -> bool {
    match op {
        Op::Parameter(_)
        | Op::Linear { .. }
        | Op::LinearTransposed { .. }
        | Op::Embedding { .. }
        | Op::LayerNorm(_)
        | Op::HeadLoss { .. } => true,
        Op::Input(_)
        | Op::Setting(_)
        | Op::Constant(_)
        | Op::Seed
        | Op::Attention { .. }
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
        | Op::StopGradient => false,
        Op::Gradient(op) => op.adds_to_gradients(),
    }
}

/// Returns whether the gradient of the result propagates to the operands.
pub(crate) fn passes_gradient(op: &Op) -> bool {
    !matches!(op, Op::StopGradient | Op::Binary(Binary::Less | Binary::LessEqual))
}

/// Applies the gradient rule of a node. `dy` is the gradient of its first result.
pub(crate) fn gradient(node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    match node.op {
        // Sources have no operands.
        Op::Input(_) | Op::Setting(_) | Op::Constant(_) | Op::Seed => {}
        Op::StopGradient => {}
        Op::Parameter(id) => parameter::gradient(id, dy, tape),
        Op::Linear { weight, bias } => linear::gradient(weight, bias, node, dy, tape),
        Op::LinearTransposed { weight } => linear_transposed::gradient(weight, node, dy, tape),
        Op::Embedding { table } => embedding::gradient(table, node, dy, tape),
        Op::LayerNorm(norm) => layer_norm::gradient(norm, node, dy, tape),
        #[cfg(feature = "sequences")]
        Op::Attention { heads } => attention::gradient(heads, node, dy, tape),
        #[cfg(feature = "sequences")]
        Op::HeadLoss { weight } => head_loss::gradient(weight, node, dy, tape),
        #[cfg(not(feature = "sequences"))]
        Op::Attention { .. } | Op::HeadLoss { .. } => unsupported(node.op),
        Op::Unary(function) => unary::gradient(function, node, dy, tape),
        Op::Binary(function) => binary::gradient(function, node, dy, tape),
        Op::Select => select::gradient(node, dy, tape),
        Op::Softmax => softmax::gradient(GradientOp::Softmax, node, dy, tape),
        Op::LogSoftmax => softmax::gradient(GradientOp::LogSoftmax, node, dy, tape),
        Op::Gather => gather::gradient(node, dy, tape),
        Op::Sum => sum::gradient_of_sum(node, dy, tape),
        Op::Repeat(_) => sum::gradient_of_repeat(node, dy, tape),
        Op::Concat => columns::gradient_of_concat(node, dy, tape),
        Op::Slice { start, .. } => columns::gradient_of_slice(start, node, dy, tape),
        Op::Reshape(_) => reshape::gradient(node, dy, tape),
        // No learner needs second derivatives.
        Op::Gradient(op) => tape.graph.fail(GraphError::SecondDerivative { operation: op.name() }),
    }
}

/// Evaluates the first result of an operation in double precision.
///
/// # Panics
/// For an operation of gradient graphs.
pub(crate) fn reference(op: Op, call: &ReferenceCall<'_>) -> Vec<f64> {
    match op {
        Op::Input(id) => source::reference_of_input(id, call),
        Op::Setting(id) => source::reference_of_setting(id, call),
        Op::Constant(number) => source::reference_of_constant(number, call),
        Op::Seed => panic!("the reference does not evaluate gradient graphs"),
        Op::Parameter(id) => parameter::reference(id, call),
        Op::Linear { weight, bias } => linear::reference(weight, bias, call),
        Op::LinearTransposed { weight } => linear_transposed::reference(weight, call),
        Op::Embedding { table } => embedding::reference(table, call),
        Op::LayerNorm(norm) => layer_norm::reference(norm, call),
        #[cfg(feature = "sequences")]
        Op::Attention { heads } => attention::reference(heads, call),
        #[cfg(feature = "sequences")]
        Op::HeadLoss { weight } => head_loss::reference(weight, call),
        #[cfg(not(feature = "sequences"))]
        Op::Attention { .. } | Op::HeadLoss { .. } => unsupported(op),
        Op::Unary(function) => unary::reference(function, call),
        Op::Binary(function) => binary::reference(function, call),
        Op::Select => select::reference(call),
        Op::Softmax => softmax::reference(call),
        Op::LogSoftmax => softmax::reference_of_logarithm(call),
        Op::Gather => gather::reference(call),
        Op::Sum => sum::reference_of_sum(call),
        Op::Repeat(n) => sum::reference_of_repeat(n, call),
        Op::Concat => columns::reference_of_concat(call),
        Op::Slice { start, width } => columns::reference_of_slice(start, width, call),
        Op::Reshape(_) | Op::StopGradient => reshape::reference(call),
        Op::Gradient(op) => {
            panic!("the reference does not evaluate gradient graphs ({})", op.name())
        }
    }
}

/// Returns the scratch memory that a step needs for a chunk, in f32 values.
#[cfg_attr(not(feature = "sequences"), expect(unused_variables, reason = "no other operation needs any"))]
pub(crate) fn scratch_len(plan: &Plan, step: &PlanStep) -> usize {
    match step.op {
        #[cfg(feature = "sequences")]
        Op::Attention { heads } | Op::Gradient(GradientOp::Attention { heads }) => {
            attention::scratch_len(plan.shape(step.operands[0]), heads)
        }
        #[cfg(feature = "sequences")]
        Op::HeadLoss { weight } | Op::Gradient(GradientOp::HeadLoss { weight }) => {
            head_loss::scratch_len(weight, plan, step)
        }
        #[cfg(not(feature = "sequences"))]
        Op::Attention { .. }
        | Op::HeadLoss { .. }
        | Op::Gradient(GradientOp::Attention { .. } | GradientOp::HeadLoss { .. }) => 0,
        Op::Input(_)
        | Op::Setting(_)
        | Op::Parameter(_)
        | Op::Constant(_)
        | Op::Seed
        | Op::Linear { .. }
        | Op::LinearTransposed { .. }
        | Op::Embedding { .. }
        | Op::LayerNorm(_)
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
        | Op::StopGradient
        | Op::Gradient(
            GradientOp::Parameter(_)
            | GradientOp::Linear { .. }
            | GradientOp::Embedding { .. }
            | GradientOp::LayerNorm(_)
            | GradientOp::Unary(_)
            | GradientOp::Softmax
            | GradientOp::LogSoftmax
            | GradientOp::CrossEntropy
            | GradientOp::Scatter(_)
            | GradientOp::Pad { .. },
        ) => 0,
    }
}

/// Runs a step on the CPU.
#[inline]
pub(crate) fn run(call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    match call.step.op {
        Op::Setting(id) => source::run_setting(id, call, target),
        Op::Constant(number) => target.result().fill(number),
        Op::Seed => target.result().fill(call.run.row_weight),
        Op::Parameter(id) => parameter::run(id, call, target),
        Op::Linear { weight, bias } => linear::run(weight, bias, call, target),
        Op::LinearTransposed { weight } => linear_transposed::run(weight, call, target),
        Op::Embedding { table } => embedding::run(table, call, target),
        Op::LayerNorm(norm) => layer_norm::run(norm, call, target),
        #[cfg(feature = "sequences")]
        Op::Attention { heads } => attention::run(heads, call, target),
        #[cfg(feature = "sequences")]
        Op::HeadLoss { weight } => head_loss::run(weight, call, target),
        Op::Unary(function) => function.run(call.level(), call.operand(0), target.result()),
        Op::Binary(function) => binary::run(function, call, target),
        Op::Select => select::run(call, target),
        Op::Softmax => softmax::run(call, target),
        Op::LogSoftmax => softmax::run_logarithm(call, target),
        Op::Gather => gather::run(call, target),
        Op::Sum => sum::run_sum(call, target),
        Op::Repeat(n) => sum::run_repeat(n, call, target),
        Op::Concat => columns::run_concat(call, target),
        Op::Slice { start, width } => columns::run_slice(start, width, call, target),
        // Fusion removes most of these operations. The remaining ones copy their operand.
        Op::Input(_) | Op::Reshape(_) | Op::StopGradient => reshape::run(call, target),
        Op::Gradient(op) => run_gradient(op, call, target),
        #[cfg(not(feature = "sequences"))]
        Op::Attention { .. } | Op::HeadLoss { .. } => unsupported(call.step.op),
    }
}

/// Runs a step of a gradient graph on the CPU.
#[inline]
fn run_gradient(op: GradientOp, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    match op {
        GradientOp::Parameter(id) => parameter::run_gradient(id, call, target),
        GradientOp::Linear { weight, bias } => linear::run_gradient(weight, bias, call, target),
        GradientOp::Embedding { table } => embedding::run_gradient(table, call, target),
        GradientOp::LayerNorm(norm) => layer_norm::run_gradient(norm, call, target),
        #[cfg(feature = "sequences")]
        GradientOp::Attention { heads } => attention::run_gradient(heads, call, target),
        #[cfg(feature = "sequences")]
        GradientOp::HeadLoss { weight } => head_loss::run_gradient(weight, call, target),
        GradientOp::Unary(function) => {
            function.run_gradient(call.level(), call.operand(0), call.operand(1), target.result());
        }
        GradientOp::Softmax => softmax::run_gradient(call, target),
        GradientOp::LogSoftmax => softmax::run_gradient_of_logarithm(call, target),
        GradientOp::CrossEntropy => softmax::run_gradient_of_cross_entropy(call, target),
        GradientOp::Scatter(n) => gather::run_scatter(n, call, target),
        GradientOp::Pad { start, width } => columns::run_pad(start, width, call, target),
        #[cfg(not(feature = "sequences"))]
        GradientOp::Attention { .. } | GradientOp::HeadLoss { .. } => unsupported(call.step.op),
    }
}

/// Unreachable: without the feature `sequences`, no builder method creates these operations.
#[cfg(not(feature = "sequences"))]
fn unsupported(op: Op) -> ! {
    panic!("{} needs the feature `sequences`", op.name())
}

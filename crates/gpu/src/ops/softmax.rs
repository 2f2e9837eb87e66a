//! Softmax, log-softmax and their gradients, and the gradient of the cross-entropy.

use vivarium_graph::PlanStep;
use vivarium_graph::op::{
    CrossEntropyGradientOp, LogSoftmaxGradientOp, LogSoftmaxOp, SoftmaxGradientOp, SoftmaxOp,
};

use super::form::{ElementOp, Form};
use super::gather::picked;
use super::reduction::Reduction;
use crate::emit::{Column, ElementOperands};

lower!(SoftmaxOp, |_| Form::Reduction(Reduction::Softmax));
lower!(LogSoftmaxOp, |_| Form::Reduction(Reduction::LogSoftmax));
lower!(SoftmaxGradientOp, |_| Form::Reduction(Reduction::SoftmaxGradient));
lower!(LogSoftmaxGradientOp, |_| Form::Reduction(Reduction::LogSoftmaxGradient));
lower!(CrossEntropyGradientOp, |op| Form::Element(op));

impl ElementOp for CrossEntropyGradientOp {
    /// Returns the WGSL expression of an element of the logits' gradient: d − eʸ·d in the column of the target index,
    /// −eʸ·d in other columns. Here y is the log-softmax of the logits, and d the gradient of the target's
    /// log-probability.
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let n = cells.width(step.results[0]);
        let picked = picked(step.operands[0], n, step.results[0], cells);
        let d = cells.number(step.operands[1], &Column::Known(0));
        let y = cells.number(step.operands[2], column);
        format!("select(zero, {d}, {picked} == {}) - safe_exp({y}) * {d}", column.wgsl())
    }
}

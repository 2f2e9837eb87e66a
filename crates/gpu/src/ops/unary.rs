//! Element-wise unary functions and their gradients: generates their WGSL from the templates of [`Unary::wgsl`].

use vivarium_graph::op::UnaryGradientOp;
use vivarium_graph::{PlanStep, Unary};

use super::form::{ElementOp, Form};
use crate::emit::{Column, ElementOperands};
use crate::template::expression;

lower!(Unary, |op| Form::Pointwise(op));
lower!(UnaryGradientOp, |op| Form::Pointwise(op));

impl ElementOp for Unary {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let x = cells.number(step.operands[0], column);
        filled(*self, &self.wgsl(), &[("x", &x)], cells)
    }
}

impl ElementOp for UnaryGradientOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let [saved, dy] = [0, 1].map(|operand| cells.number(step.operands[operand], column));
        filled(self.0, &self.0.wgsl_gradient(), &[("x", &saved), ("y", &saved), ("dy", &dy)], cells)
    }
}

/// Returns the WGSL expression of a unary function: the template `wgsl` after substitution of the operands (pairs of
/// name and WGSL expression) and of the function's constant parameters.
fn filled(
    function: Unary,
    wgsl: &str,
    operands: &[(&str, &str)],
    cells: &mut dyn ElementOperands<'_>,
) -> String {
    let numbers = function.numbers();
    let texts: Vec<String> = numbers.iter().map(|&(_, number)| cells.text().number(number)).collect();
    let numbers = numbers.iter().zip(&texts).map(|((name, _), text)| (&name[1..], text.as_str()));
    expression(wgsl, &operands.iter().copied().chain(numbers).collect::<Vec<_>>())
}

//! Element-wise unary functions, from the WGSL of the table of functions.

use vivarium_graph::{PlanStep, Unary};

use crate::emit::{Column, ElementOperands};
use crate::wgsl::fill;

/// Returns the expression of y = f(x).
pub(super) fn expression(
    function: Unary,
    step: &PlanStep,
    cells: &mut dyn ElementOperands<'_>,
    column: &Column,
) -> String {
    let x = cells.number(step.operands[0], column);
    filled(function, function.wgsl(), &[("$x", &x)], cells)
}

/// Returns the expression of dx = f′·dy.
pub(super) fn gradient(
    function: Unary,
    step: &PlanStep,
    cells: &mut dyn ElementOperands<'_>,
    column: &Column,
) -> String {
    let [saved, dy] = [0, 1].map(|operand| cells.number(step.operands[operand], column));
    filled(function, function.wgsl_gradient(), &[("$x", &saved), ("$y", &saved), ("$dy", &dy)], cells)
}

/// Substitutes the operands and the function's constants in an expression.
fn filled(
    function: Unary,
    wgsl: &str,
    operands: &[(&str, &str)],
    cells: &mut dyn ElementOperands<'_>,
) -> String {
    let numbers = function.numbers();
    let texts: Vec<String> = numbers.iter().map(|&(_, number)| cells.text().number(number)).collect();
    let numbers = numbers.iter().zip(&texts).map(|((name, _), text)| (*name, text.as_str()));
    fill(wgsl, &operands.iter().copied().chain(numbers).collect::<Vec<_>>())
}

//! Functions of each number: the WGSL of the table of element-wise functions.

use vivarium_graph::{Step, Unary};

use crate::emit::{Cells, Column};
use crate::wgsl::fill;

/// y = f(x).
pub(super) fn expression(function: Unary, step: &Step, cells: &mut dyn Cells<'_>, column: &Column) -> String {
    let x = cells.number(step.operands[0], column);
    filled(function, function.wgsl(), &[("$x", &x)], cells)
}

/// dx = f′·dy.
pub(super) fn gradient(function: Unary, step: &Step, cells: &mut dyn Cells<'_>, column: &Column) -> String {
    let [saved, dy] = [0, 1].map(|operand| cells.number(step.operands[operand], column));
    filled(function, function.wgsl_gradient(), &[("$x", &saved), ("$y", &saved), ("$dy", &dy)], cells)
}

/// An expression with the operands and the function's own numbers.
fn filled(function: Unary, wgsl: &str, operands: &[(&str, &str)], cells: &mut dyn Cells<'_>) -> String {
    let numbers = function.numbers();
    let texts: Vec<String> = numbers.iter().map(|&(_, number)| cells.text().number(number)).collect();
    let numbers = numbers.iter().zip(&texts).map(|((name, _), text)| (*name, text.as_str()));
    fill(wgsl, &operands.iter().copied().chain(numbers).collect::<Vec<_>>())
}

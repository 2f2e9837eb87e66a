//! Functions of pairs of numbers, and the choice between two by a third.

use vivarium_graph::{Binary, Step};

use crate::emit::{Cells, Column};
use crate::wgsl::fill;

pub(super) fn binary(function: Binary, step: &Step, cells: &mut dyn Cells<'_>, column: &Column) -> String {
    let [a, b] = [0, 1].map(|operand| cells.number(step.operands[operand], column));
    fill(function.wgsl(), &[("$a", &a), ("$b", &b)])
}

pub(super) fn select(step: &Step, cells: &mut dyn Cells<'_>, column: &Column) -> String {
    let [condition, a, b] = [0, 1, 2].map(|operand| cells.number(step.operands[operand], column));
    format!("select({b}, {a}, {condition} > 0.0)")
}

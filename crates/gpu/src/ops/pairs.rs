//! Element-wise binary functions, and selection by a condition.

use vivarium_graph::{Binary, PlanStep};

use crate::emit::{Column, ElementOperands};
use crate::wgsl::fill;

pub(super) fn binary(
    function: Binary,
    step: &PlanStep,
    cells: &mut dyn ElementOperands<'_>,
    column: &Column,
) -> String {
    let [a, b] = [0, 1].map(|operand| cells.number(step.operands[operand], column));
    fill(function.wgsl(), &[("$a", &a), ("$b", &b)])
}

pub(super) fn select(step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
    let [condition, a, b] = [0, 1, 2].map(|operand| cells.number(step.operands[operand], column));
    format!("select({b}, {a}, {condition} > 0.0)")
}

//! The number that an index picks from each line, and its gradient, a line of zeros with one number in it.

use vivarium_graph::{Step, Value};

use crate::emit::{Cells, Column, Lines};

/// The name of the column that an index picks.
pub(super) fn picked(index: Value, n: usize, result: Value, cells: &mut dyn Cells<'_>) -> String {
    let index = cells.number(index, &Column::Known(0));
    cells.text().name(format!("p{}", result.index()), &format!("column({index}, {n}u)"))
}

pub(super) fn lines(step: &Step, lines: &mut Lines<'_>) {
    let (x, index, result) = (step.operands[0], step.operands[1], step.results[0]);
    let n = lines.width(x);
    let picked = picked(index, n, result, lines);
    let chosen = if lines.is_wide(x) {
        lines.element(x, &picked)
    } else {
        let columns = lines.columns(x);
        let choose = |chosen, (c, x)| format!("select({chosen}, {x}, {picked} == {c}u)");
        (0..).zip(&columns).skip(1).fold(columns[0].clone(), choose)
    };
    lines.define(result, &[chosen]);
}

pub(super) fn scatter(n: usize, step: &Step, cells: &mut dyn Cells<'_>, column: &Column) -> String {
    let picked = picked(step.operands[0], n, step.results[0], cells);
    let d = cells.number(step.operands[1], &Column::Known(0));
    format!("select(zero, {d}, {picked} == {})", column.wgsl())
}

//! Operations that move columns: concatenation, slice, padding, broadcast and reshape.

use vivarium_graph::{PlanStep, Value};

use crate::emit::{Column, ElementOperands, InlineValue};

/// Returns the column that is `by` columns to the left of `column` if `back`, else to the right.
fn shifted(column: &Column, by: usize, back: bool) -> Column {
    match column {
        Column::Known(column) => Column::Known(if back { column - by } else { column + by }),
        Column::At(column) => Column::At(format!("({column} {} {by}u)", if back { '-' } else { '+' })),
    }
}

/// Returns the WGSL of an element: `inside` in the columns `start..end`, `outside` in all other columns. The shader
/// evaluates only the selected expression.
fn within(
    [start, end]: [usize; 2],
    inside: Value,
    outside: impl FnOnce(&mut dyn ElementOperands<'_>) -> String,
    (result, cells): (Value, &mut dyn ElementOperands<'_>),
    column: &Column,
) -> String {
    match column {
        Column::Known(c) if (start..end).contains(c) => cells.number(inside, &shifted(column, start, true)),
        Column::Known(_) => outside(cells),
        Column::At(at) => {
            let inside = cells.number(inside, &shifted(column, start, true));
            let outside = outside(cells);
            let name = format!("e{}", result.index());
            cells.text().statement(&format!("var {name} = 0.0;"));
            cells.text().statement(&format!(
                "if ({at} >= {start}u && {at} < {end}u) {{ {name} = {inside}; }} else {{ {name} = {outside}; }}"
            ));
            name
        }
    }
}

pub(super) fn concat(step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
    let (a, b) = (step.operands[0], step.operands[1]);
    let n = cells.width(a);
    let outside = |cells: &mut dyn ElementOperands<'_>| cells.number(b, &shifted(column, n, true));
    within([0, n], a, outside, (step.results[0], cells), column)
}

pub(super) fn pad(
    start: usize,
    step: &PlanStep,
    cells: &mut dyn ElementOperands<'_>,
    column: &Column,
) -> String {
    let x = step.operands[0];
    let end = start + cells.width(x);
    within([start, end], x, |_| "zero".to_owned(), (step.results[0], cells), column)
}

pub(super) fn slice(
    start: usize,
    step: &PlanStep,
    cells: &mut dyn ElementOperands<'_>,
    column: &Column,
) -> String {
    cells.number(step.operands[0], &shifted(column, start, false))
}

pub(super) fn repeat(step: &PlanStep, cells: &mut dyn ElementOperands<'_>) -> String {
    cells.number(step.operands[0], &Column::Known(0))
}

/// Returns the expression of a reshaped element: the operand's element at the same position in row-major order.
pub(super) fn reshape(step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
    let x = step.operands[0];
    let values = cells.text().sources.values;
    if values.shape(x) == values.shape(step.results[0]) {
        return cells.number(x, column);
    }
    let position = cells.position(column);
    match values.source(x) {
        Some(InlineValue::Parameter(parameter)) => {
            let size = values.shape(x).size();
            cells.text().parameter(parameter, &format!("{position} % {size}u"))
        }
        Some(source) => cells.text().source(x, source, "0u"),
        None => {
            let offset = cells.text().offset(x);
            format!("arena[{offset} + {position}]")
        }
    }
}

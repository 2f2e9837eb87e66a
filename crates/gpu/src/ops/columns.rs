//! Operations that move columns of a value: concatenation, slice and padding along the last axis.

use vivarium_graph::op::{ConcatOp, PadOp, SliceOp};
use vivarium_graph::{PlanStep, Value};

use super::form::{ElementOp, Form};
use crate::emit::{Column, ElementOperands};

lower!(ConcatOp, |op| Form::Element(op));
lower!(SliceOp, |op| Form::Element(op));
lower!(PadOp, |op| Form::Element(op));

/// Returns the column index `column` − `by` if `back` is true, else `column` + `by`: a number if `column` is a number,
/// otherwise a WGSL expression.
fn shifted(column: &Column, by: usize, back: bool) -> Column {
    match column {
        Column::Known(column) => Column::Known(if back { column - by } else { column + by }),
        Column::At(column) => Column::At(format!("({column} {} {by}u)", if back { '-' } else { '+' })),
    }
}

/// Returns the WGSL expression of an element of a concatenation, slice or padding in column `column`. In the columns
/// `start..end`, the element is read from the operand `inside`, whose column 0 is at `start`; in all other columns the
/// expression is `outside`. The shader evaluates only the selected expression.
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

impl ElementOp for ConcatOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let (a, b) = (step.operands[0], step.operands[1]);
        let n = cells.width(a);
        let outside = |cells: &mut dyn ElementOperands<'_>| cells.number(b, &shifted(column, n, true));
        within([0, n], a, outside, (step.results[0], cells), column)
    }
}

impl ElementOp for PadOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let x = step.operands[0];
        let end = self.start + cells.width(x);
        within([self.start, end], x, |_| "zero".to_owned(), (step.results[0], cells), column)
    }
}

impl ElementOp for SliceOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        cells.number(step.operands[0], &shifted(column, self.start, false))
    }
}

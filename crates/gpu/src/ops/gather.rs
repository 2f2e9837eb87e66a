//! Gather along the last axis: the element that an index selects from each vector. The gradient of a gather is a
//! scatter: a vector of zeros except for the selected element.

use vivarium_graph::op::{GatherOp, ScatterOp};
use vivarium_graph::{PlanStep, Value};

use super::form::{ElementOp, Form, LineOp};
use crate::emit::{Column, ElementOperands, LineShader};

/// Defines a WGSL variable that holds the column selected by the operand `index` among `n` columns, clamped to the
/// valid range. Returns the name of the variable, which is derived from the index of `result`.
pub(super) fn picked(index: Value, n: usize, result: Value, cells: &mut dyn ElementOperands<'_>) -> String {
    let index = cells.number(index, &Column::Known(0));
    cells.text().name(format!("p{}", result.index()), &format!("column({index}, {n}u)"))
}

lower!(GatherOp, |op| Form::Line(op));
lower!(ScatterOp, |op| Form::Element(op));

impl LineOp for GatherOp {
    fn lines(&self, step: &PlanStep, lines: &mut LineShader<'_>) {
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
}

impl ElementOp for ScatterOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let picked = picked(step.operands[0], self.0, step.results[0], cells);
        let d = cells.number(step.operands[1], &Column::Known(0));
        format!("select(zero, {d}, {picked} == {})", column.wgsl())
    }
}

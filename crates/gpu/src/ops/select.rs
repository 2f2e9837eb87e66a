//! Selection between two operands, element by element, by a condition.

use vivarium_graph::PlanStep;
use vivarium_graph::op::SelectOp;

use super::form::{ElementOp, Form};
use crate::emit::{Column, ElementOperands};

lower!(SelectOp, |op| Form::Pointwise(op));

impl ElementOp for SelectOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let [condition, a, b] = [0, 1, 2].map(|operand| cells.number(step.operands[operand], column));
        format!("select({b}, {a}, {condition} > 0.0)")
    }
}

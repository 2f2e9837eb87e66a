//! Sum over the last dimension, and repetition along it.

use vivarium_graph::PlanStep;
use vivarium_graph::op::{RepeatOp, SumOp};

use super::form::{ElementOp, Form};
use super::reduction::Reduction;
use crate::emit::{Column, ElementOperands};

lower!(SumOp, |_| Form::Reduction(Reduction::Sum));
lower!(RepeatOp, |op| Form::Element(op));

impl ElementOp for RepeatOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, _: &Column) -> String {
        cells.number(step.operands[0], &Column::Known(0))
    }
}

//! Reshape: the operand's element at the same position in row-major order.

use vivarium_graph::PlanStep;
use vivarium_graph::op::{ReshapeOp, StopGradientOp};

use super::form::{ElementOp, Form};
use crate::emit::{Column, ElementOperands, InlineValue};

lower!(ReshapeOp, |op| Form::Reshape(op));
// Plans have no steps for stopped gradients: other steps read the operand instead.
lower!(StopGradientOp, |_| Form::Unsupported);

impl ElementOp for ReshapeOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
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
}

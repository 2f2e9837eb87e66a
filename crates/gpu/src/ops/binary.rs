//! Element-wise binary functions, such as a + b or max(a, b): generates their WGSL from the templates of
//! [`Binary::wgsl`].

use vivarium_graph::{Binary, PlanStep};

use super::form::{ElementOp, Form};
use crate::emit::{Column, ElementOperands};
use crate::template::expression;

lower!(Binary, |op| Form::Pointwise(op));

impl ElementOp for Binary {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let [a, b] = [0, 1].map(|operand| cells.number(step.operands[operand], column));
        expression(self.wgsl(), &[("a", &a), ("b", &b)])
    }
}

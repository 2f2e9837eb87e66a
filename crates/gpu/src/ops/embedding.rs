//! Embedding: each row of the result is the sum of the table entries that the indices of the row select.

use vivarium_graph::PlanStep;
use vivarium_graph::op::EmbeddingOp;

use super::form::{ElementOp, Form};
use crate::emit::{Column, ElementOperands};

lower!(EmbeddingOp, |op| Form::Scattered(op));
#[cfg(not(feature = "tables"))]
lower!(vivarium_graph::op::EmbeddingGradientOp, |_| Form::Unsupported);

impl ElementOp for EmbeddingOp {
    fn element(&self, step: &PlanStep, cells: &mut dyn ElementOperands<'_>, column: &Column) -> String {
        let width = cells.width(step.results[0]);
        let (each, entries) =
            (cells.width(step.operands[0]), cells.text().sources.parameters[self.table.0].len() / width);
        let picked = (0..each).map(|place| {
            let index = cells.number(step.operands[0], &Column::Known(place));
            let entry = format!("column({index}, {entries}u) * {width}u + {}", column.wgsl());
            cells.text().parameter(self.table, &entry)
        });
        picked.collect::<Vec<_>>().join(" + ")
    }
}

//! Embedding: sum of the table entries selected by indices.

use vivarium_graph::{ParameterId, PlanStep};

use crate::emit::{Column, ElementOperands};

/// Returns the expression of the sum of the table rows that a line's indices select, in one column.
pub(super) fn expression(
    table: ParameterId,
    step: &PlanStep,
    cells: &mut dyn ElementOperands<'_>,
    column: &Column,
) -> String {
    let width = cells.width(step.results[0]);
    let (each, entries) =
        (cells.width(step.operands[0]), cells.text().sources.parameters[table.0].len() / width);
    let picked = (0..each).map(|place| {
        let index = cells.number(step.operands[0], &Column::Known(place));
        let entry = format!("column({index}, {entries}u) * {width}u + {}", column.wgsl());
        cells.text().parameter(table, &entry)
    });
    picked.collect::<Vec<_>>().join(" + ")
}

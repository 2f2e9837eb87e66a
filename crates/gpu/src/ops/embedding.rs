//! Sums of the entries of a table that indices pick.

use vivarium_graph::{ParameterId, Step};

use crate::emit::{Cells, Column};

/// The sum of the rows of a table that a line's indices pick, at a column.
pub(super) fn expression(
    table: ParameterId,
    step: &Step,
    cells: &mut dyn Cells<'_>,
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

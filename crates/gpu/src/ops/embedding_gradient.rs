//! The gradient of a table whose entries indices picked.

use vivarium_graph::{ParameterId, Step};

use crate::emit::Layers;
use crate::operand::{Slices, holds};
use crate::{Buffer, GpuError, Recorder, spread};

/// Adds up, for each entry of a table, dy of the lines whose indices picked it. Offsets of indices and dy in the arena, of
/// the table in each slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddingGradient {
    /// Lines of dy.
    pub rows: usize,
    /// Indices of a line.
    pub each: usize,
    /// Entries of the table.
    pub entries: usize,
    /// Numbers of an entry.
    pub width: usize,
    /// Whole numbers, \[rows, each\]; one out of range picks the nearest end.
    pub index: usize,
    /// dy, \[rows, width\].
    pub dy: usize,
    /// The table, \[entries, width\].
    pub table: usize,
    /// Adds to what the slices hold in place of overwriting it: for a table's second use.
    pub accumulate: bool,
}

/// The most invocations of a workgroup, one for each column.
const MOST_THREADS: usize = 256;
/// The fewest: whole words of bits.
const FEWEST_THREADS: usize = 32;

/// Records the gradient of a table: slice s gets the sums over the s-th part of the indices.
///
/// # Errors
/// [`GpuError`] where the device refuses the kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn embedding_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    slices: &Slices,
    gradient: &EmbeddingGradient,
) -> Result<(), GpuError> {
    let EmbeddingGradient { rows, each, entries, width, index, dy, table, accumulate } = *gradient;
    holds(arena, "the indices", index, rows * each);
    holds(arena, "dy", dy, rows * width);
    slices.hold("the table's gradient", table, entries * width);
    let threads = width.next_power_of_two().clamp(FEWEST_THREADS, MOST_THREADS);
    let text = include_str!("embedding_gradient.wgsl");
    let kernel = recorder.gpu().kernel("embedding_gradient", text, &[("THREADS", threads as f64)])?;
    let (count, slice) = (rows * each, slices.rows(rows) * each);
    let accumulate = usize::from(accumulate);
    let words = [count, each, entries, width, index, dy, table, accumulate, slice, slices.stride];
    let mut groups = spread(entries * width.div_ceil(threads));
    groups[2] = slices.count as u32;
    recorder.dispatch(&kernel, &[arena, slices.buffer], &words.map(|word| word as u32), groups);
    Ok(())
}

/// Records the gradient of a table.
pub(super) fn gradient(
    table: ParameterId,
    layers: &mut Layers<'_>,
    recorder: &mut Recorder,
    step: &Step,
) -> Result<(), GpuError> {
    let [index, dy] = [0, 1].map(|operand| step.operands[operand]);
    let width = layers.width(dy);
    let gradient = EmbeddingGradient {
        rows: layers.lines(step),
        each: layers.width(index),
        entries: layers.parameter_len(table) / width,
        width,
        index: layers.value(index),
        dy: layers.value(dy),
        table: layers.parameter(table),
        accumulate: layers.accumulates(recorder, &[table]),
    };
    embedding_gradient(recorder, layers.arena, layers.slices(), &gradient)
}

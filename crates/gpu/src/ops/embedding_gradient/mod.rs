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

/// Invocations of a workgroup.
const THREADS: usize = 256;
/// The most blocks of indices: so many workgroups that a large GPU is busy, few enough that counts for each are not many beside
/// the table.
const MOST_BLOCKS: usize = 64;
/// The fewest indices of a block, unless there are no more.
const FEWEST_INDICES: usize = 1024;

/// How the indices are cut into blocks: how many of them a block has, and how many blocks there are.
fn blocks(count: usize) -> (usize, usize) {
    let block = count.div_ceil(MOST_BLOCKS).max(FEWEST_INDICES).next_multiple_of(THREADS);
    (block, count.div_ceil(block).max(1))
}

/// The entry that an index picks: the nearest one, whatever the number.
const ENTRY_WGSL: &str = "fn entry_of(index: f32) -> u32 {
    return select(0u, u32(min(index, f32(u.entries - 1u))), index > 0.0);
}
";

/// Records the gradient of a table: the indices are sorted by the entry that they pick, then each entry adds up what its lines
/// got, slice s the s-th part of them. The work grows with the indices and with the table, not with their product.
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel, or has no room for the list of lines.
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
    let count = rows * each;
    let (block, blocks) = blocks(count);
    // As common.wgsl has it.
    let room = 1 + (blocks + 2) * entries + count;
    let work = recorder.gpu().buffer("the lines that pick each entry of a table", room)?;
    let words = [
        // Indices, how many of them a line has, and how many a block.
        ("count", count),
        ("each", each),
        ("block", block),
        ("blocks", blocks),
        ("entries", entries),
        ("width", width),
        // Where indices and dy lie in the arena, the table in a slice.
        ("index", index),
        ("dy", dy),
        ("table", table),
        // From one slice to the next, how many there are, and whether (1) sums are added to what they hold.
        ("stride", slices.stride),
        ("slices", slices.count),
        ("accumulate", usize::from(accumulate)),
    ];
    let mut run = |label: &str, parts: &[&str], buffers: &[&Buffer], groups: [u32; 3]| {
        let text = [crate::shader!("common.wgsl"), &parts.concat()];
        recorder.run(label, &text, buffers, &words, groups)
    };
    let of_blocks = [blocks as u32, 1, 1];
    run("count_picked", &[ENTRY_WGSL, crate::shader!("count.wgsl")], &[arena, &work], of_blocks)?;
    let of_entries = [entries.div_ceil(THREADS) as u32, 1, 1];
    run("place_picked", &[crate::shader!("place.wgsl")], &[&work], of_entries)?;
    run("list_picked", &[ENTRY_WGSL, crate::shader!("list.wgsl")], &[arena, &work], of_blocks)?;
    let mut of_sums = spread((entries * width).div_ceil(THREADS));
    of_sums[2] = slices.count as u32;
    run("embedding_gradient", &[crate::shader!("sum.wgsl")], &[arena, &work, slices.buffer], of_sums)
}

/// Records the gradient of a table.
pub(super) fn gradient(table: ParameterId, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
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
        accumulate: layers.accumulates(&[table]),
    };
    let slices = layers.slices();
    embedding_gradient(layers.recorder, layers.arena, &slices, &gradient)
}

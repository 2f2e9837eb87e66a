//! Gradient of an embedding table.

use vivarium_graph::PlanStep;
use vivarium_graph::op::EmbeddingGradientOp;

use super::form::{Form, LayerOp};
use crate::builder::Shader;
use crate::emit::LayerRecorder;
use crate::operand::{GradientSlicesView, check_bounds};
use crate::{Buffer, GpuError, GpuRecorder, dispatch_size};

/// Operands of [`embedding_gradient`]: the indices of an embedding, the gradient dy of its output, and the offset of
/// the table's gradient in each gradient slice. The gradient of a table entry is the sum of the rows of dy whose
/// indices select the entry.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddingGradientArgs {
    /// Number of rows of dy, the gradient of the embedding's output.
    pub rows: usize,
    /// Number of indices (selected table entries) for each row of the embedding's output.
    pub each: usize,
    /// Number of entries of the embedding table.
    pub entries: usize,
    /// Width of a table entry, the embedding dimension.
    pub width: usize,
    /// Word offset in the arena of the integer indices, `[rows, each]`. The kernel clamps the indices to the valid
    /// range.
    pub index: usize,
    /// Word offset in the arena of dy, the gradient of the embedding's output, \[rows, width\].
    pub dy: usize,
    /// Word offset of the embedding table's gradient, `[entries, width]`, in each gradient slice (gradients summed over
    /// a part of the batch).
    pub table: usize,
    /// Whether the kernel adds the table's gradient to the gradient slices (gradients summed over parts of the batch)
    /// instead of overwriting them. True for a table that is used twice.
    pub accumulate: bool,
}

/// Number of invocations in a workgroup of each embedding-gradient kernel.
const THREADS: usize = 256;
/// Maximum number of blocks into which the indices are divided, one block for each workgroup. Enough workgroups for a
/// large GPU. Each block has a counter for each table entry; the counters of few blocks need little memory compared
/// with the table.
const MOST_BLOCKS: usize = 64;
/// Minimum number of indices that a workgroup processes, unless the batch has fewer indices.
const FEWEST_INDICES: usize = 1024;

/// Divides `count` indices into blocks, one for each workgroup. Returns the number of indices in a block, and the
/// number of blocks.
fn blocks(count: usize) -> (usize, usize) {
    let block = count.div_ceil(MOST_BLOCKS).max(FEWEST_INDICES).next_multiple_of(THREADS);
    (block, count.div_ceil(block).max(1))
}

/// Records the gradient of an embedding table: sorts the indices by table entry (counting sort), then sums the rows of
/// the output gradient dy that belong to each entry. Gradient slice s is the sum over the s-th part of these rows. The
/// cost is proportional to the number of indices plus the table size.
///
/// # Errors
/// [`GpuError`] if a kernel does not compile, or memory for the sorted list of rows is exhausted.
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn embedding_gradient(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    slices: &GradientSlicesView,
    gradient: &EmbeddingGradientArgs,
) -> Result<(), GpuError> {
    let EmbeddingGradientArgs { rows, each, entries, width, index, dy, table, accumulate } = *gradient;
    check_bounds(arena, "the indices", index, rows * each);
    check_bounds(arena, "dy", dy, rows * width);
    slices.check_bounds("the table's gradient", table, entries * width);
    let count = rows * each;
    let (block, blocks) = blocks(count);
    // Layout as in common.wgsl.
    let scratch_len = 1 + (blocks + 2) * entries + count;
    let work = recorder.gpu().buffer("the index lists of an embedding gradient", scratch_len)?;
    let common = crate::shader!("common.wgsl");
    let lists = ("work", &work);
    // Number of blocks and of entries.
    let sizes = [("blocks", blocks), ("entries", entries)];
    // Number of indices in total and in a block, and the offset of the indices in the arena.
    let indices = [("count", count), ("block", block), ("index", index)];
    let of_blocks = [blocks as u32, 1, 1];
    Shader::own("count_picked", &[common, crate::shader!("count.wgsl")])
        .buffers([("arena", arena), lists])
        .uniforms(indices)
        .uniforms(sizes)
        .record(recorder, of_blocks)?;
    Shader::own("place_picked", &[common, crate::shader!("place.wgsl")])
        .buffers([lists])
        .uniforms(sizes)
        .record(recorder, [entries.div_ceil(THREADS) as u32, 1, 1])?;
    Shader::own("list_picked", &[common, crate::shader!("list.wgsl")])
        .buffers([("arena", arena), lists])
        .uniforms(indices)
        .uniforms(sizes)
        // Number of indices for each row of dy.
        .uniforms([("each", each)])
        .record(recorder, of_blocks)?;
    let mut of_sums = dispatch_size((entries * width).div_ceil(THREADS));
    of_sums[2] = slices.count as u32;
    Shader::own("embedding_gradient", &[common, crate::shader!("sum.wgsl")])
        .buffers([("arena", arena), lists, ("slices", slices.buffer)])
        .uniforms(sizes)
        .uniforms([("width", width), ("dy", dy), ("table", table)])
        .uniforms([("stride", slices.stride), ("slices", slices.count)])
        .constants([("ACCUMULATE", accumulate)])
        .record(recorder, of_sums)
}

lower!(EmbeddingGradientOp, |op| Form::Layer(op));

impl LayerOp for EmbeddingGradientOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let [index, dy] = [0, 1].map(|operand| step.operands[operand]);
        let width = layers.width(dy);
        let gradient = EmbeddingGradientArgs {
            rows: layers.lines(step),
            each: layers.width(index),
            entries: layers.parameter_len(self.table) / width,
            width,
            index: layers.value(index),
            dy: layers.value(dy),
            table: layers.parameter(self.table),
            accumulate: layers.accumulates(&[self.table]),
        };
        let slices = layers.slices();
        embedding_gradient(layers.recorder, layers.arena, &slices, &gradient)
    }
}

//! Output head of a language model fused with its cross-entropy loss. Tokens (rows of x) are processed in blocks; the
//! logits of all tokens are never in memory at the same time.

use vivarium_graph::op::{HeadLossGradientOp, HeadLossOp};
use vivarium_graph::{ParameterId, PlanStep};

use super::form::{Form, LayerOp};
use super::linear::{linear, linear_parameter_gradient};
use super::linear_transposed::linear_input_gradient;
use super::product::{LinearArgs, LinearInputGradientArgs, LinearParameterGradientArgs};
use crate::builder::Shader;
use crate::emit::{LayerRecorder, Origin, PlanSizes};
use crate::math::math_wgsl;
use crate::operand::{GradientSlicesView, check_bounds};
use crate::wgsl::TreeReduction;
use crate::{Buffer, GpuError, GpuRecorder, dispatch_size};

/// Operands of [`head_loss`], which computes −log softmax(x·Wᵀ)\[target\] for each row of x. W is the weight of the
/// output head, `target` the index of the correct vocabulary entry.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadLossArgs {
    /// Number of rows of x, the input of the output head: one for each token.
    pub rows: usize,
    /// Number of columns of x, the input of the output head.
    pub width: usize,
    /// Number of vocabulary entries: number of logits that the output head computes for each token.
    pub entries: usize,
    /// Word offset in the arena of x, the input of the output head, \[rows, width\].
    pub x: usize,
    /// Word offset in the arena of the integer target indices, `[rows]`. The kernel clamps the indices to the valid
    /// range.
    pub target: usize,
    /// Word offset of the head's weight W in the parameter buffer, \[entries, width\].
    pub weight: usize,
    /// Word offset in the arena of the scratch memory, which has [`HeadLossArgs::scratch_len`] words.
    pub scratch: usize,
}

/// Operands of [`head_gradient`], which computes the losses of an output head and the gradients of its input x and its
/// weight W. The gradient of W is at the same offset in each gradient slice (gradients summed over a part of the
/// batch) as W in the parameter buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadLossGradientArgs {
    /// Operands of the forward pass, which computes the losses from the head's input x and its weight W.
    pub of: HeadLossArgs,
    /// Word offset in the arena of the gradient with respect to the losses, `[rows]`.
    pub dloss: usize,
    /// Word offset in the arena to which the gradient of the head's input is written, `[rows, width]`.
    pub dx: usize,
    /// Word offset in the arena to which the losses are written, `[rows]`.
    pub loss: usize,
    /// Whether the kernel adds the gradient of the head's weight to the gradient slices (gradients summed over parts of
    /// the batch) instead of overwriting them. True for a weight that is shared with another layer, such as a tied
    /// embedding.
    pub accumulate: bool,
}

/// Maximum number of logits that are in memory at a time (64 MiB of f32 values). The head's input is processed in
/// blocks of rows; a block of [`FEWEST_LINES`] rows may exceed this limit.
const LOGITS: usize = 16 << 20;
/// Minimum number of rows of the head's input that are processed in a block, for any vocabulary size. Matrix products
/// with fewer rows do not occupy a GPU.
const FEWEST_LINES: usize = 128;

/// Number of invocations in a workgroup of the kernel that computes the losses from the logits.
const THREADS: usize = 256;

impl HeadLossArgs {
    /// Returns the number of rows of the head's input that are processed in a block, if the input has `rows` rows and
    /// the vocabulary has `entries` entries.
    fn block(rows: usize, entries: usize) -> usize {
        (LOGITS / entries).max(FEWEST_LINES).min(rows)
    }

    /// Returns the size, in words, of the scratch memory for the logits of a block of rows. The input x has `rows`
    /// rows, the vocabulary `entries` entries.
    pub fn scratch_len(rows: usize, entries: usize) -> usize {
        Self::block(rows, entries) * entries
    }

    fn check_bounds(&self, arena: &Buffer, parameters: &Buffer) {
        check_bounds(arena, "x", self.x, self.rows * self.width);
        check_bounds(arena, "the targets", self.target, self.rows);
        check_bounds(parameters, "the head's weight", self.weight, self.entries * self.width);
    }

    /// Records the computation of the logits of `rows` rows of the head's input, beginning with row `first`. The logits
    /// are written to the scratch memory.
    fn logits(
        &self,
        recorder: &mut GpuRecorder,
        arena: &Buffer,
        parameters: &Buffer,
        first: usize,
        rows: usize,
    ) -> Result<(), GpuError> {
        let product = LinearInputGradientArgs {
            rows,
            inputs: self.entries,
            outputs: self.width,
            dy: self.x + first * self.width,
            dx: self.scratch,
            weight: self.weight,
            ..LinearInputGradientArgs::default()
        };
        linear_input_gradient(recorder, arena, parameters, &[product], None)
    }

    /// Records the computation of the losses of `rows` rows of the head's input, beginning with row `first`, from their
    /// logits. If `dloss`, the arena offset of the gradient of the losses, is given, also overwrites the logits with
    /// their gradient.
    fn losses(
        &self,
        recorder: &mut GpuRecorder,
        arena: &Buffer,
        first: usize,
        rows: usize,
        loss: usize,
        dloss: Option<usize>,
    ) -> Result<(), GpuError> {
        let lanes = (self.entries / 2).next_power_of_two().clamp(4, THREADS);
        let tree = TreeReduction {
            name: "joined",
            element: "vec2<f32>",
            threads: THREADS,
            lanes,
            stride: 1,
            join: "join_softmax(a, b)",
        };
        Shader::own("softmax_loss", &[math_wgsl(), &tree.wgsl(), crate::shader!("softmax_loss.wgsl")])
            .constants([("THREADS", THREADS), ("LANES", lanes)])
            .constants([("GRADIENT", dloss.is_some())])
            .buffers([("arena", arena)])
            .uniforms([
                ("lines", rows),
                ("entries", self.entries),
                ("logits", self.scratch),
                ("target_place", self.target + first),
                ("loss", loss),
            ])
            .uniforms(dloss.map(|dloss| ("dloss", dloss + first)))
            .record(recorder, dispatch_size(rows.div_ceil(THREADS / lanes)))
    }
}

/// Records the computation of the cross-entropy losses \[rows\], which are stored at the arena offset `loss`.
///
/// # Errors
/// [`GpuError`] if a kernel does not compile.
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn head_loss(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    parameters: &Buffer,
    head: &HeadLossArgs,
    loss: usize,
) -> Result<(), GpuError> {
    head.check_bounds(arena, parameters);
    check_bounds(arena, "the losses", loss, head.rows);
    check_bounds(
        arena,
        "the head's scratch memory",
        head.scratch,
        HeadLossArgs::scratch_len(head.rows, head.entries),
    );
    let block = HeadLossArgs::block(head.rows, head.entries).max(1);
    for first in (0..head.rows).step_by(block) {
        let rows = block.min(head.rows - first);
        head.logits(recorder, arena, parameters, first, rows)?;
        head.losses(recorder, arena, first, rows, loss + first, None)?;
    }
    Ok(())
}

/// Records the gradient of an output head's losses. Slice s of the weight gradient is the sum over the s-th part of
/// each block of input rows.
///
/// # Errors
/// [`GpuError`] if a kernel does not compile.
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn head_gradient(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    parameters: &Buffer,
    slices: &GradientSlicesView,
    gradient: &HeadLossGradientArgs,
) -> Result<(), GpuError> {
    let HeadLossGradientArgs { of: head, dloss, dx, loss, accumulate } = *gradient;
    let HeadLossArgs { rows: lines, width, entries, x, weight, scratch, .. } = head;
    head.check_bounds(arena, parameters);
    check_bounds(arena, "the gradient of the losses", dloss, lines);
    check_bounds(arena, "the losses", loss, lines);
    check_bounds(arena, "the gradient of x", dx, lines * width);
    check_bounds(arena, "the head's scratch memory", scratch, HeadLossArgs::scratch_len(lines, entries));
    let block = HeadLossArgs::block(lines, entries).max(1);
    for first in (0..lines).step_by(block) {
        let rows = block.min(lines - first);
        head.logits(recorder, arena, parameters, first, rows)?;
        head.losses(recorder, arena, first, rows, loss + first, Some(dloss))?;
        // The scratch memory now holds the gradient of the logits.
        let (x, dx) = (x + first * width, dx + first * width);
        let product = LinearArgs {
            rows,
            inputs: entries,
            outputs: width,
            x: scratch,
            y: dx,
            weight,
            ..LinearArgs::default()
        };
        linear(recorder, arena, parameters, &[product], None)?;
        let product = LinearParameterGradientArgs {
            rows,
            inputs: entries,
            outputs: width,
            x: scratch,
            dy: x,
            weight,
            bias: None,
            accumulate: accumulate || first > 0,
        };
        linear_parameter_gradient(recorder, arena, slices, &[product], None)?;
    }
    Ok(())
}

/// Returns the size, in words, of the scratch memory of a plan step that computes an output head's losses: the number
/// of logits in a block of rows of the head's input.
fn scratch_len(weight: ParameterId, layers: &PlanSizes<'_>, step: &PlanStep) -> usize {
    let shape = layers.values.shape(step.operands[0]);
    HeadLossArgs::scratch_len(layers.rows * shape.lines(), layers.parameters[weight.0].len() / shape.width())
}

/// Returns the operands of a step that computes an output head's losses, or their gradient.
fn of_step(layers: &LayerRecorder<'_>, weight: ParameterId, step: &PlanStep) -> HeadLossArgs {
    let [x, target] = [0, 1].map(|operand| step.operands[operand]);
    let width = layers.width(x);
    HeadLossArgs {
        rows: layers.lines(step),
        width,
        entries: layers.parameter_len(weight) / width,
        x: layers.value(x),
        target: layers.value(target),
        weight: layers.parameter(weight),
        scratch: scratch(layers, step),
    }
}

/// Returns the word offset in the arena of the scratch memory of a plan step.
fn scratch(layers: &LayerRecorder<'_>, step: &PlanStep) -> usize {
    let scratch = match layers.sources.values.origin(step.results[0]) {
        Origin::Step(position) => layers.sources.layout.scratch[position],
        Origin::Input(_) | Origin::Nowhere => None,
    };
    scratch.expect("the layout allocates the scratch memory of each step")
}

lower!(HeadLossOp, |op| Form::Layer(op));
lower!(HeadLossGradientOp, |op| Form::Layer(op));

impl LayerOp for HeadLossOp {
    fn scratch_len(&self, sizes: &PlanSizes<'_>, step: &PlanStep) -> usize {
        scratch_len(self.weight, sizes, step)
    }

    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let (head, loss) = (of_step(layers, self.weight, step), layers.value(step.results[0]));
        head_loss(layers.recorder, layers.arena, layers.parameters, &head, loss)
    }
}

impl LayerOp for HeadLossGradientOp {
    fn scratch_len(&self, sizes: &PlanSizes<'_>, step: &PlanStep) -> usize {
        scratch_len(self.weight, sizes, step)
    }

    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let gradient = HeadLossGradientArgs {
            of: of_step(layers, self.weight, step),
            dloss: layers.value(step.operands[2]),
            dx: layers.value(step.results[0]),
            loss: layers.value(step.results[1]),
            accumulate: layers.accumulates(&[self.weight]),
        };
        let slices = layers.slices();
        head_gradient(layers.recorder, layers.arena, layers.parameters, &slices, &gradient)
    }
}

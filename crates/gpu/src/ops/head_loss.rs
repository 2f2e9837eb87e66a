//! The head of a language model and its cross-entropy in one, block by block of lines, so that the logits of all lines
//! together never exist.

use vivarium_graph::{ParameterId, Step};

use super::linear::{Linear, ParameterGradient, linear, linear_parameter_gradient};
use super::linear_transposed::{InputGradient, linear_input_gradient};
use crate::emit::{Layers, Sizes};
use crate::math::MATH_WGSL;
use crate::operand::{Slices, holds};
use crate::wgsl::{Tree, fill};
use crate::{Buffer, GpuError, Recorder, spread};

/// The cross-entropy of each line's target: −log softmax(x·Wᵀ) there. Offsets in the arena but for W, which is a parameter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    /// Lines of x.
    pub rows: usize,
    /// Columns of x.
    pub width: usize,
    /// Entries of the vocabulary.
    pub entries: usize,
    /// x, \[rows, width\].
    pub x: usize,
    /// Whole numbers, \[rows\]; one out of range picks the nearest end.
    pub target: usize,
    /// W, \[entries, width\].
    pub weight: usize,
    /// Room for [`Head::room`] numbers.
    pub room: usize,
}

/// The gradients of x and W, and the losses once more. Offsets in the arena, of W's gradient in each slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadGradient {
    /// The head.
    pub of: Head,
    /// The gradient of the losses, \[rows\].
    pub dloss: usize,
    /// The gradient of x, \[rows, width\].
    pub dx: usize,
    /// The losses, \[rows\].
    pub loss: usize,
    /// Adds to what the slices hold in place of overwriting it: for a matrix that another layer shares.
    pub accumulate: bool,
}

/// Logits of a block: 64 MiB of them.
const LOGITS: usize = 16 << 20;
/// Lines of a block, however large the vocabulary: products of fewer would leave a GPU idle.
const FEWEST_LINES: usize = 128;

/// Invocations of a workgroup.
const THREADS: usize = 256;

impl Head {
    /// Lines of a block.
    fn block(rows: usize, entries: usize) -> usize {
        (LOGITS / entries).max(FEWEST_LINES).min(rows)
    }

    /// Numbers of working memory in the arena that so many lines over so many entries need.
    pub fn room(rows: usize, entries: usize) -> usize {
        Self::block(rows, entries) * entries
    }

    fn hold(&self, arena: &Buffer, parameters: &Buffer) {
        holds(arena, "x", self.x, self.rows * self.width);
        holds(arena, "the targets", self.target, self.rows);
        holds(parameters, "the head's weight", self.weight, self.entries * self.width);
    }

    /// Records the logits of some lines.
    fn logits(
        &self,
        recorder: &mut Recorder,
        arena: &Buffer,
        parameters: &Buffer,
        first: usize,
        rows: usize,
    ) -> Result<(), GpuError> {
        let product = InputGradient {
            rows,
            inputs: self.entries,
            outputs: self.width,
            dy: self.x + first * self.width,
            dx: self.room,
            weight: self.weight,
            ..InputGradient::default()
        };
        linear_input_gradient(recorder, arena, parameters, &[product], None)
    }

    /// Records the losses of lines whose logits are there, and the gradient of the logits in their place, given `dloss`, the
    /// gradient of the losses.
    fn losses(
        &self,
        recorder: &mut Recorder,
        arena: &Buffer,
        first: usize,
        rows: usize,
        loss: usize,
        dloss: Option<usize>,
    ) -> Result<(), GpuError> {
        let lanes = (self.entries / 2).next_power_of_two().clamp(4, THREADS);
        let tree = Tree {
            name: "joined",
            element: "vec2<f32>",
            threads: THREADS,
            lanes,
            stride: 1,
            join: "join_softmax(a, b)",
        };
        let text = fill(
            crate::shader!("softmax_loss.wgsl"),
            &[
                ("$THREADS", &THREADS.to_string()),
                ("$LANES", &lanes.to_string()),
                ("$FUNCTIONS", &[MATH_WGSL, &tree.wgsl()].concat()),
            ],
        );
        let gradient = f64::from(u8::from(dloss.is_some()));
        let kernel = recorder.gpu().kernel("softmax_loss", &text, &[("GRADIENT", gradient)])?;
        let dloss = dloss.map_or(0, |dloss| dloss + first);
        let words = [rows, self.entries, self.room, self.target + first, loss, dloss];
        let groups = spread(rows.div_ceil(THREADS / lanes));
        recorder.dispatch(&kernel, &[arena], &words.map(|word| word as u32), groups);
        Ok(())
    }
}

/// Records the losses of a head, \[rows\] from `loss` on.
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn head_loss(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    head: &Head,
    loss: usize,
) -> Result<(), GpuError> {
    head.hold(arena, parameters);
    holds(arena, "the losses", loss, head.rows);
    holds(arena, "the head's room", head.room, Head::room(head.rows, head.entries));
    let block = Head::block(head.rows, head.entries).max(1);
    for first in (0..head.rows).step_by(block) {
        let rows = block.min(head.rows - first);
        head.logits(recorder, arena, parameters, first, rows)?;
        head.losses(recorder, arena, first, rows, loss + first, None)?;
    }
    Ok(())
}

/// Records the gradient of a head's losses: slice s of the weight's gradient gets the sums over the s-th part of each block.
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn head_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    slices: &Slices,
    gradient: &HeadGradient,
) -> Result<(), GpuError> {
    let HeadGradient { of: head, dloss, dx, loss, accumulate } = *gradient;
    let Head { rows: lines, width, entries, x, weight, room, .. } = head;
    head.hold(arena, parameters);
    holds(arena, "the gradient of the losses", dloss, lines);
    holds(arena, "the losses", loss, lines);
    holds(arena, "the gradient of x", dx, lines * width);
    holds(arena, "the head's room", room, Head::room(lines, entries));
    let block = Head::block(lines, entries).max(1);
    for first in (0..lines).step_by(block) {
        let rows = block.min(lines - first);
        head.logits(recorder, arena, parameters, first, rows)?;
        head.losses(recorder, arena, first, rows, loss + first, Some(dloss))?;
        // From here on the room holds the gradient of the logits.
        let (x, dx) = (x + first * width, dx + first * width);
        let product =
            Linear { rows, inputs: entries, outputs: width, x: room, y: dx, weight, ..Linear::default() };
        linear(recorder, arena, parameters, &[product], None)?;
        let product = ParameterGradient {
            rows,
            inputs: entries,
            outputs: width,
            x: room,
            dy: x,
            weight,
            bias: None,
            accumulate: accumulate || first > 0,
        };
        linear_parameter_gradient(recorder, arena, slices, &[product], None)?;
    }
    Ok(())
}

/// Numbers of working memory that a step needs: the logits of a block.
pub(super) fn room(weight: ParameterId, layers: &Sizes<'_>, step: &Step) -> usize {
    let shape = layers.values.shape(step.operands[0]);
    Head::room(layers.rows * shape.lines(), layers.parameters[weight.0].len() / shape.width())
}

/// The head of a step.
fn of_step(layers: &Layers<'_>, weight: ParameterId, step: &Step) -> Head {
    let [x, target] = [0, 1].map(|operand| step.operands[operand]);
    let width = layers.width(x);
    Head {
        rows: layers.lines(step),
        width,
        entries: layers.parameter_len(weight) / width,
        x: layers.value(x),
        target: layers.value(target),
        weight: layers.parameter(weight),
        room: layers.room(step),
    }
}

/// Records a head with its losses.
pub(super) fn layer(weight: ParameterId, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
    let (head, loss) = (of_step(layers, weight, step), layers.value(step.results[0]));
    head_loss(layers.recorder, layers.arena, layers.parameters, &head, loss)
}

/// Records the gradient of a head.
pub(super) fn gradient(weight: ParameterId, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
    let gradient = HeadGradient {
        of: of_step(layers, weight, step),
        dloss: layers.value(step.operands[2]),
        dx: layers.value(step.results[0]),
        loss: layers.value(step.results[1]),
        accumulate: layers.accumulates(&[weight]),
    };
    let slices = layers.slices();
    head_gradient(layers.recorder, layers.arena, layers.parameters, &slices, &gradient)
}

//! The head of a language model and its cross-entropy in one, block by block of lines, so that the logits of all lines
//! together never exist.

use super::super::{
    InputGradient, Linear, MATH_WGSL, ParameterGradient, Slices, holds, linear, linear_input_gradient,
    linear_parameter_gradient,
};
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
    /// Room for [`Head::room`] numbers, or for [`HeadGradient::room`].
    pub room: usize,
}

/// What x and W get, and the losses once more. Offsets in the arena, of W's gradient in each slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadGradient {
    /// The head.
    pub of: Head,
    /// What the losses got, \[rows\].
    pub dloss: usize,
    /// What x gets and then the loss, \[rows, width + 1\].
    pub y: usize,
    /// Adds to what the slices hold in place of overwriting it: for a matrix that another layer shares.
    pub accumulate: bool,
}

/// Logits of a block: 64 MiB of them.
const LOGITS: usize = 16 << 20;
/// Lines of a block, however large the vocabulary: products of fewer would leave a GPU idle.
const FEWEST_LINES: usize = 128;
/// Parts of the room start at multiples of this.
const ALIGNMENT: usize = 64;

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

    /// Records the losses of lines whose logits are there, and what the logits get if `dloss` says what the losses got.
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
        let text = [include_str!("softmax_loss.wgsl"), MATH_WGSL].concat();
        let gradient = f64::from(u8::from(dloss.is_some()));
        let constants = [("LANES", lanes as f64), ("GRADIENT", gradient)];
        let kernel = recorder.gpu().kernel("softmax_loss", &text, &constants)?;
        let dloss = dloss.map_or(0, |dloss| dloss + first);
        let words = [rows, self.entries, self.room, self.target + first, loss, dloss];
        let groups = spread(rows.div_ceil(THREADS / lanes));
        recorder.dispatch(&kernel, &[arena], &words.map(|word| word as u32), groups);
        Ok(())
    }
}

impl HeadGradient {
    /// Numbers of working memory in the arena that so many lines over so many entries need.
    pub fn room(rows: usize, width: usize, entries: usize) -> usize {
        let [logits, dx, losses] = Self::parts(rows, width, entries);
        logits + dx + losses
    }

    /// The logits of a block, what its lines get, and their losses.
    fn parts(rows: usize, width: usize, entries: usize) -> [usize; 3] {
        let block = Head::block(rows, entries);
        [entries, width, 1].map(|each| (block * each).next_multiple_of(ALIGNMENT))
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
    let HeadGradient { of: head, dloss, y, accumulate } = *gradient;
    let Head { rows: lines, width, entries, x, weight, room, .. } = head;
    head.hold(arena, parameters);
    holds(arena, "what the losses got", dloss, lines);
    holds(arena, "what x gets", y, lines * (width + 1));
    holds(arena, "the head's room", room, HeadGradient::room(lines, width, entries));
    let [logits, dx_len, _] = HeadGradient::parts(lines, width, entries);
    let (dx, losses) = (room + logits, room + logits + dx_len);
    let block = Head::block(lines, entries).max(1);
    for first in (0..lines).step_by(block) {
        let rows = block.min(lines - first);
        head.logits(recorder, arena, parameters, first, rows)?;
        head.losses(recorder, arena, first, rows, losses, Some(dloss))?;
        // From here on the room holds what the logits get.
        let product =
            Linear { rows, inputs: entries, outputs: width, x: room, y: dx, weight, ..Linear::default() };
        linear(recorder, arena, parameters, &[product], None)?;
        let product = ParameterGradient {
            rows,
            inputs: entries,
            outputs: width,
            x: room,
            dy: x + first * width,
            weight,
            bias: None,
            accumulate: accumulate || first > 0,
        };
        linear_parameter_gradient(recorder, arena, slices, &[product], None)?;
        let kernel = recorder.gpu().kernel("beside", include_str!("beside.wgsl"), &[])?;
        let words = [rows, width, dx, losses, y + first * (width + 1)].map(|word| word as u32);
        let groups = spread((rows * (width + 1)).div_ceil(THREADS));
        recorder.dispatch(&kernel, &[arena], &words, groups);
    }
    Ok(())
}

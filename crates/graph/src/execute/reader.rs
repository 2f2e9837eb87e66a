//! Where a step reads from.

use crate::execute::Chunk;
use crate::plan::{Operand, Place};

/// Everything that a step may read: the arena around its result, the inputs, and the outputs written before.
pub(crate) struct Reader<'a> {
    /// The arena up to the result; all of it if the result is elsewhere.
    pub(crate) before: &'a [f32],
    /// The arena after the result.
    pub(crate) after: &'a [f32],
    /// Where in the arena that begins.
    pub(crate) after_start: usize,
    pub(crate) inputs: &'a [&'a [f32]],
    pub(crate) outputs: &'a [&'a mut [f32]],
    pub(crate) chunk: Chunk,
}

impl Reader<'_> {
    /// The numbers of an operand, for the rows of the chunk.
    #[inline]
    pub(crate) fn get(&self, operand: &Operand) -> &[f32] {
        let size = operand.shape.size();
        let len = size * self.chunk.rows;
        match operand.place {
            Place::Input(index) => &self.inputs[index][self.chunk.first_input * size..][..len],
            Place::Output(index) => &self.outputs[index][self.chunk.first_output * size..][..len],
            Place::Arena(start) if start < self.before.len() => &self.before[start..][..len],
            Place::Arena(start) => &self.after[start - self.after_start..][..len],
        }
    }
}

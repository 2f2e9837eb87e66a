//! Operands of recorded shaders: places in the buffers of a network.

use crate::Buffer;

/// Where a layer norm's parameters lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Norm {
    /// \[width\].
    pub scale: usize,
    /// \[width\].
    pub shift: usize,
}

/// Gradients as partial sums: slice s holds, at `s * stride`, one number a parameter, summed over the s-th part of the rows.
#[derive(Clone, Copy, Debug)]
pub struct Slices<'a> {
    /// Where they lie.
    pub buffer: &'a Buffer,
    /// How many.
    pub count: usize,
    /// From one to the next, in words: the length of the parameters, or a little more.
    pub stride: usize,
}

impl Slices<'_> {
    /// Rows of a slice.
    pub fn rows(&self, rows: usize) -> usize {
        rows.div_ceil(self.count)
    }

    pub(crate) fn hold(&self, what: &str, start: usize, len: usize) {
        holds(self.buffer, what, (self.count - 1) * self.stride + start, len);
    }

    /// How many slices to cut so many rows into for a network of so many parameters: enough for a large GPU to be busy, few
    /// enough that adding them up costs little.
    pub fn count_for(rows: usize, parameters: usize) -> usize {
        /// Rows that are worth a slice.
        const ROWS: usize = 128;
        const MOST: usize = 128;
        /// Numbers that all slices may hold together (64 MiB).
        const NUMBERS: usize = 16 << 20;
        (rows / ROWS).min(MOST).min(NUMBERS / parameters.max(1)).max(1)
    }
}

/// Checks that an operand lies within its buffer.
pub(crate) fn holds(buffer: &Buffer, what: &str, start: usize, len: usize) {
    assert!(start + len <= buffer.len(), "{what} ({len} words at {start}) goes beyond {buffer:?}");
}

/// Whether all of these are multiples of four.
pub(crate) fn fours(words: &[usize]) -> bool {
    words.iter().all(|&word| word.is_multiple_of(4))
}

//! Where the values of a plan lie on the device.

use std::ops::Range;

use vivarium_graph::Value;

/// The places of all values that lie in the arena, in words.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Where each value starts; `None` for one that never leaves the registers of its shader.
    pub(crate) offsets: Vec<Option<usize>>,
    /// Where the working memory of each step starts, for those that need any.
    pub(crate) rooms: Vec<Option<usize>>,
    /// Where the inputs lie, in order; empty for one that nothing reads.
    pub(crate) inputs: Vec<Range<usize>>,
    /// Where the outputs lie, in order.
    pub(crate) outputs: Vec<Range<usize>>,
    /// How long the arena is.
    pub(crate) len: usize,
}

impl Layout {
    /// Where a value starts, if it lies in the arena.
    pub(crate) fn offset(&self, value: Value) -> Option<usize> {
        self.offsets[value.index()]
    }
}

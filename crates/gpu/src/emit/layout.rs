//! Memory layout of an execution plan on the device.

use std::ops::Range;

use vivarium_graph::Value;

/// Word offsets of all values in the arena.
#[derive(Debug)]
pub(crate) struct ArenaLayout {
    /// Offset of each value, by value index; `None` for values that stay in registers.
    pub(crate) offsets: Vec<Option<usize>>,
    /// Offset of the scratch memory of each step, by step index; `None` for a step without scratch memory.
    pub(crate) scratch: Vec<Option<usize>>,
    /// Word range of each input, in declaration order; empty for an unused input.
    pub(crate) inputs: Vec<Range<usize>>,
    /// Word range of each output.
    pub(crate) outputs: Vec<Range<usize>>,
    /// Length of the arena in words.
    pub(crate) len: usize,
}

impl ArenaLayout {
    /// Returns the offset of a value, if it is stored in the arena.
    pub(crate) fn offset(&self, value: Value) -> Option<usize> {
        self.offsets[value.index()]
    }
}

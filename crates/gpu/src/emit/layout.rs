//! Memory layout of an execution plan on the device.

use std::ops::Range;

use vivarium_graph::Value;

/// Layout of the arena, the buffer that holds all values of an execution plan.
#[derive(Debug)]
pub(crate) struct ArenaLayout {
    /// Word offset of each value in the arena (the buffer of all values), by value index; `None` for values that stay
    /// in registers.
    pub(crate) offsets: Vec<Option<usize>>,
    /// Word offset in the arena of each step's scratch memory, by step index; `None` for a step without scratch memory.
    pub(crate) scratch: Vec<Option<usize>>,
    /// Word range in the arena of each input of the plan, in declaration order; empty for an unused input.
    pub(crate) inputs: Vec<Range<usize>>,
    /// Word range in the arena of each output of the plan, in the order in which the outputs were requested at
    /// compilation.
    pub(crate) outputs: Vec<Range<usize>>,
    /// Length in words of the arena, the buffer of all values.
    pub(crate) len: usize,
}

impl ArenaLayout {
    /// Returns the word offset of a value in the arena, or `None` if the value stays in registers.
    pub(crate) fn offset(&self, value: Value) -> Option<usize> {
        self.offsets[value.index()]
    }
}

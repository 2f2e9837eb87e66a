//! Memory layout of an execution plan on the CPU: values lie in the caller's inputs and outputs, or in an arena that
//! reuses memory by liveness.

use crate::arena::ArenaAllocator;
use crate::graph::Graph;
use crate::ids::Value;
use crate::op::{InputOp, Op};
use crate::step::FusedSteps;

/// Memory location of a value while an execution plan runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueLocation {
    /// The value has no memory, because fusion removed the value or no step needs the value.
    Unallocated,
    /// The caller's input buffer with this index.
    Input(usize),
    /// The caller's output buffer with this index.
    Output(usize),
    /// The arena, at this offset in f32 values. The rows of one chunk are contiguous.
    Arena(usize),
}

/// Memory locations of all values of an execution plan.
#[derive(Debug, Clone)]
pub(crate) struct MemoryLayout {
    pub(crate) places: Vec<ValueLocation>,
    pub(crate) arena_len: usize,
}

/// Assigns a memory location to each value of an execution plan, for chunks of up to `chunk_rows` batch rows. The
/// results of a step that lie in the arena are contiguous.
pub(crate) fn lay_out(graph: &Graph, fused: &FusedSteps, chunk_rows: usize) -> MemoryLayout {
    // Align each value to a cache line (16 f32).
    const ALIGNMENT: usize = 16;
    let mut arena = ArenaAllocator::new(ALIGNMENT);
    let mut places = vec![ValueLocation::Unallocated; fused.shapes.len()];
    for node in &graph.nodes {
        if let Op::Input(InputOp(id)) = node.op {
            places[node.results[0].index()] = ValueLocation::Input(id.0);
        }
    }
    for (output, value) in fused.outputs.iter().enumerate() {
        places[value.index()] = ValueLocation::Output(output);
    }
    let len = |value: Value| (fused.shapes[value.index()].size() * chunk_rows).next_multiple_of(ALIGNMENT);
    let last_uses = last_uses(fused);
    // Live arena blocks: offset, and the last step that reads a result in the block.
    let mut living: Vec<(usize, usize)> = Vec::new();
    for (position, step) in fused.steps.iter().enumerate() {
        let in_arena: Vec<Value> = step
            .results
            .iter()
            .copied()
            .filter(|v| places[v.index()] == ValueLocation::Unallocated)
            .collect();
        if !in_arena.is_empty() {
            let mut start = arena.allocate(in_arena.iter().map(|&value| len(value)).sum());
            let last = in_arena.iter().map(|value| last_uses[value.index()]).max();
            living.push((start, last.unwrap_or(0)));
            for value in in_arena {
                places[value.index()] = ValueLocation::Arena(start);
                start += len(value);
            }
        }
        living.retain(|&(start, last)| {
            if last <= position {
                arena.free(start);
            }
            last > position
        });
    }
    MemoryLayout { places, arena_len: arena.len() }
}

/// Returns, by value index, the index of the last step that reads the value; 0 if no step reads the value.
fn last_uses(fused: &FusedSteps) -> Vec<usize> {
    let mut last = vec![0; fused.shapes.len()];
    for (position, step) in fused.steps.iter().enumerate() {
        for value in step.reads() {
            last[value.index()] = position;
        }
    }
    last
}

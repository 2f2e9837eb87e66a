//! Where the CPU engine keeps the values of a plan: in the caller's inputs and outputs, and in one arena by liveness.

use crate::arena::ArenaAllocator;
use crate::fuse::FusedSteps;
use crate::graph::Graph;
use crate::ids::Value;
use crate::op::Op;

/// Where a value lies while a plan runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueLocation {
    /// Nowhere: the plan has no use for it.
    Nowhere,
    /// In the caller's input of this number.
    Input(usize),
    /// In the caller's output of this number.
    Output(usize),
    /// In the arena, from this number on; a chunk's rows follow each other.
    Arena(usize),
}

/// The places of all values of a plan.
#[derive(Debug, Clone)]
pub(crate) struct MemoryLayout {
    pub(crate) places: Vec<ValueLocation>,
    pub(crate) arena_len: usize,
}

/// Lays out a plan for chunks of so many rows. The results of a step that lie in the arena follow each other there.
pub(crate) fn lay_out(graph: &Graph, fused: &FusedSteps, chunk_rows: usize) -> MemoryLayout {
    // Every value starts a cache line.
    const ALIGNMENT: usize = 16;
    let mut arena = ArenaAllocator::new(ALIGNMENT);
    let mut places = vec![ValueLocation::Nowhere; fused.shapes.len()];
    for node in &graph.nodes {
        if let Op::Input(id) = node.op {
            places[node.results[0].index()] = ValueLocation::Input(id.0);
        }
    }
    for (output, value) in fused.outputs.iter().enumerate() {
        places[value.index()] = ValueLocation::Output(output);
    }
    let len = |value: Value| (fused.shapes[value.index()].size() * chunk_rows).next_multiple_of(ALIGNMENT);
    let last_uses = last_uses(fused);
    // The results of earlier steps that lie in the arena: where they start, and the last step that reads any of them.
    let mut living: Vec<(usize, usize)> = Vec::new();
    for (position, step) in fused.steps.iter().enumerate() {
        let in_arena: Vec<Value> =
            step.results.iter().copied().filter(|v| places[v.index()] == ValueLocation::Nowhere).collect();
        if !in_arena.is_empty() {
            let mut start = arena.take(in_arena.iter().map(|&value| len(value)).sum());
            let last = in_arena.iter().map(|value| last_uses[value.index()]).max();
            living.push((start, last.unwrap_or(0)));
            for value in in_arena {
                places[value.index()] = ValueLocation::Arena(start);
                start += len(value);
            }
        }
        living.retain(|&(start, last)| {
            if last <= position {
                arena.give_back(start);
            }
            last > position
        });
    }
    MemoryLayout { places, arena_len: arena.len() }
}

/// The last step that reads each value; 0 where none does.
fn last_uses(fused: &FusedSteps) -> Vec<usize> {
    let mut last = vec![0; fused.shapes.len()];
    for (position, step) in fused.steps.iter().enumerate() {
        for value in &step.operands {
            last[value.index()] = position;
        }
    }
    last
}

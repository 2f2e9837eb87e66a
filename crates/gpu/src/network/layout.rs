//! Where values lie in the arena while the groups run.

use std::ops::Range;

use vivarium_graph::Arena;

use super::schedule::{Group, Kind};
use super::values::{Id, Node, Origin, Values};

/// Every value starts at a multiple of this many words: 256 bytes, the strictest alignment that there is.
pub(crate) const ALIGNMENT: usize = 64;

/// The places of all values that lie in memory.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Where each value starts, in words; `None` for one that never leaves the registers of its kernel.
    pub(crate) offsets: Vec<Option<usize>>,
    /// Where the working memory of the node that makes a value starts, for those that need any.
    #[cfg_attr(not(feature = "sequences"), expect(dead_code, reason = "no other node needs any"))]
    pub(crate) rooms: Vec<Option<usize>>,
    /// Where the inputs lie, in order; empty for one that nothing reads.
    pub(crate) inputs: Vec<Range<usize>>,
    /// Where the outputs lie, in order.
    pub(crate) outputs: Vec<Range<usize>>,
    /// How long the arena is, in words.
    pub(crate) len: usize,
}

/// Lays out the values of these groups for so many rows. Inputs and outputs keep their places for good; the others share
/// what is left, each from the group that writes it to the last one that reads it. `room` is how much working memory a node
/// needs.
pub(crate) fn lay_out(
    values: &Values,
    groups: &[Group],
    rows: usize,
    per_row: &[bool],
    outputs: usize,
    room: impl Fn(&Node) -> usize,
) -> Layout {
    let lifetimes = lifetimes(values, groups);
    let mut arena = Arena::new(ALIGNMENT);
    let mut offsets = vec![None; values.values.len()];
    let mut rooms = offsets.clone();
    let len = |id: Id| match values.values[id].origin {
        Origin::Input(input) if !per_row[input] => 1,
        _ => values.shape(id).size() * rows,
    };
    let mut inputs = vec![0..0; per_row.len()];
    let mut output_ranges = vec![0..0; outputs];
    for (id, value) in values.values.iter().enumerate() {
        let read = lifetimes[id].is_some();
        let range = match (value.origin, value.output) {
            (Origin::Input(input), _) if read => &mut inputs[input],
            (Origin::Node(_), Some(output)) => &mut output_ranges[output],
            _ => continue,
        };
        let start = arena.take(len(id));
        *range = start..start + len(id);
        offsets[id] = Some(start);
    }
    for (position, group) in groups.iter().enumerate() {
        for id in results(values, group) {
            if offsets[id].is_none() && (lifetimes[id].is_some() || group.kind == Kind::Layer) {
                offsets[id] = Some(arena.take(len(id)));
            }
        }
        for node in group.nodes.iter().map(|&node| &values.nodes[node]) {
            if let (Some(result), len @ 1..) = (node.result, room(node)) {
                rooms[result] = Some(arena.take(len));
            }
        }
        results(values, group).filter_map(|id| rooms[id]).for_each(|place| arena.give_back(place));
        // Only now may room be given back: what a kernel writes must not overlap what its other invocations still read.
        for (id, value) in values.values.iter().enumerate() {
            let fixed = value.output.is_some() || matches!(value.origin, Origin::Input(_));
            let made_here = || results(values, group).any(|result| result == id);
            let over = lifetimes[id] == Some(position) || (lifetimes[id].is_none() && made_here());
            if let (Some(offset), false, true) = (offsets[id], fixed, over) {
                arena.give_back(offset);
            }
        }
    }
    Layout { offsets, rooms, inputs, outputs: output_ranges, len: arena.len() }
}

/// What a group computes.
fn results<'a>(values: &'a Values, group: &'a Group) -> impl Iterator<Item = Id> + 'a {
    group.nodes.iter().filter_map(|&node| values.nodes[node].result)
}

/// The last group that reads each value from memory.
fn lifetimes(values: &Values, groups: &[Group]) -> Vec<Option<usize>> {
    let mut last = vec![None; values.values.len()];
    for (position, group) in groups.iter().enumerate() {
        for &node in &group.nodes {
            for &operand in &values.nodes[node].operands {
                let inside = match values.values[operand].origin {
                    Origin::Node(maker) => group.nodes.contains(&maker),
                    Origin::Input(_) => false,
                };
                let in_registers = matches!(group.kind, Kind::Lines | Kind::Elements)
                    && (inside || values.source(operand).is_some());
                if !in_registers {
                    last[operand] = Some(position);
                }
            }
        }
    }
    // A setting is read wherever its source is written down; it is never overwritten.
    for id in 0..values.values.len() {
        if let Some(vivarium_graph::Op::Setting(input)) = values.source(id) {
            last[input.0] = Some(groups.len());
        }
    }
    last
}

//! Gives the values their places in the arena.

use vivarium_graph::{Arena, Op, Plan, Step, Value};

use super::schedule::{Group, Kind, writes_sources};
use crate::emit::{Layout, Origin, Values};

/// Every value starts at a multiple of this many words: 256 bytes, the strictest alignment that there is.
const ALIGNMENT: usize = 64;

/// Lays out the values of these groups for so many rows. Inputs and outputs keep their places for good; the others share
/// what is left, each from the group that writes it to the last one that reads it. `room` is how much working memory a step
/// needs.
pub(crate) fn lay_out(
    plan: &Plan,
    values: &Values,
    groups: &[Group],
    rows: usize,
    room: impl Fn(usize) -> usize,
) -> Layout {
    let last_reads = last_reads(values, groups);
    let mut arena = Arena::new(ALIGNMENT);
    let mut layout = Layout {
        offsets: vec![None; values.len()],
        rooms: vec![None; values.steps().len()],
        inputs: vec![0..0; plan.inputs().len()],
        outputs: Vec::with_capacity(plan.outputs().len()),
        len: 0,
    };
    let len = |value: Value| values.shape(value).size() * rows;
    for (input, value) in plan.input_values().iter().enumerate() {
        let len = match value {
            Some(value) if last_reads[value.index()].is_some() => len(*value),
            None if values.steps().iter().any(|step| is_setting(step, input)) => 1,
            Some(_) | None => continue,
        };
        let start = arena.take(len);
        layout.inputs[input] = start..start + len;
        if let Some(value) = value {
            layout.offsets[value.index()] = Some(start);
        }
    }
    for &value in plan.output_values() {
        let start = arena.take(len(value));
        layout.outputs.push(start..start + len(value));
        layout.offsets[value.index()] = Some(start);
    }
    for (position, group) in groups.iter().enumerate() {
        let results: Vec<Value> =
            group.steps.iter().flat_map(|&step| &values.steps()[step].results).copied().collect();
        for &value in &results {
            let is_needed = last_reads[value.index()].is_some() || group.kind == Kind::Layer;
            if layout.offset(value).is_none() && is_needed {
                layout.offsets[value.index()] = Some(arena.take(len(value)));
            }
        }
        for &step in &group.steps {
            layout.rooms[step] = Some(room(step)).filter(|&len| len > 0).map(|len| arena.take(len));
        }
        group.steps.iter().filter_map(|&step| layout.rooms[step]).for_each(|room| arena.give_back(room));
        // Only now may room be given back: what a shader writes must not overlap what its other invocations still read.
        let operands = group.steps.iter().flat_map(|&step| &values.steps()[step].operands);
        for value in operands.chain(&results) {
            let is_fixed =
                values.output(*value).is_some() || matches!(values.origin(*value), Origin::Input(_));
            let is_over = last_reads[value.index()].is_none_or(|last| last <= position);
            if let (Some(offset), false, true) = (layout.offset(*value), is_fixed, is_over) {
                arena.give_back(offset);
            }
        }
    }
    layout.len = arena.len();
    layout
}

/// Whether a step is the setting of this input.
fn is_setting(step: &Step, input: usize) -> bool {
    matches!(step.op, Op::Setting(id) if id.0 == input)
}

/// The last group that reads each value from memory.
fn last_reads(values: &Values, groups: &[Group]) -> Vec<Option<usize>> {
    let mut last = vec![None; values.len()];
    for (position, group) in groups.iter().enumerate() {
        for operand in group.steps.iter().flat_map(|&step| &values.steps()[step].operands) {
            let is_inside = match values.origin(*operand) {
                Origin::Step(maker) => group.steps.contains(&maker),
                Origin::Input(_) | Origin::Nowhere => false,
            };
            let in_registers = writes_sources(group.kind) && (is_inside || values.source(*operand).is_some());
            if !in_registers {
                last[operand.index()] = Some(position);
            }
        }
    }
    last
}

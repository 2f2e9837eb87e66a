//! Arena allocation: assigns an offset to each value by its lifetime.

use vivarium_graph::{ArenaAllocator, InputId, Plan, Value};

use super::schedule::{ShaderGroup, ShaderKind, writes_sources};
use crate::emit::{ArenaLayout, InlineValue, Origin, PlanValues};

/// Alignment of each value in the arena, in words: 256 bytes, the strictest alignment that WebGPU allows devices to
/// require.
const ALIGNMENT: usize = 64;

/// Assigns an arena offset to each value of an execution plan for `rows` batch rows. Inputs and outputs do not share
/// memory. Other values share memory: such a value lives from the shader that writes the value to the last shader that
/// reads it. `scratch_len` returns the size in words of a step's scratch memory, by step index.
pub(crate) fn lay_out(
    plan: &Plan,
    values: &PlanValues,
    groups: &[ShaderGroup],
    rows: usize,
    scratch_len: impl Fn(usize) -> usize,
) -> ArenaLayout {
    let last_reads = last_reads(values, groups);
    let mut arena = ArenaAllocator::new(ALIGNMENT);
    let mut layout = ArenaLayout {
        offsets: vec![None; values.len()],
        scratch: vec![None; values.steps().len()],
        inputs: vec![0..0; plan.inputs().len()],
        outputs: Vec::with_capacity(plan.outputs().len()),
        len: 0,
    };
    let len = |value: Value| values.shape(value).size() * rows;
    for (input, value) in plan.input_values().iter().enumerate() {
        let len = match value {
            Some(value) if last_reads[value.index()].is_some() => len(*value),
            None if values.has_inline(InlineValue::Setting(InputId(input))) => 1,
            Some(_) | None => continue,
        };
        let start = arena.allocate(len);
        layout.inputs[input] = start..start + len;
        if let Some(value) = value {
            layout.offsets[value.index()] = Some(start);
        }
    }
    for &value in plan.output_values() {
        let start = arena.allocate(len(value));
        layout.outputs.push(start..start + len(value));
        layout.offsets[value.index()] = Some(start);
    }
    for (position, group) in groups.iter().enumerate() {
        let results: Vec<Value> =
            group.steps.iter().flat_map(|&step| &values.steps()[step].results).copied().collect();
        for &value in &results {
            let is_needed = last_reads[value.index()].is_some() || group.kind == ShaderKind::Layer;
            if layout.offset(value).is_none() && is_needed {
                layout.offsets[value.index()] = Some(arena.allocate(len(value)));
            }
        }
        for &step in &group.steps {
            layout.scratch[step] =
                Some(scratch_len(step)).filter(|&len| len > 0).map(|len| arena.allocate(len));
        }
        group.steps.iter().filter_map(|&step| layout.scratch[step]).for_each(|scratch| arena.free(scratch));
        // Freed only after the results were allocated: results must not overlap operands that other invocations still
        // read.
        let operands = group.steps.iter().flat_map(|&step| values.steps()[step].reads());
        for value in operands.chain(results) {
            let is_fixed = values.output(value).is_some() || matches!(values.origin(value), Origin::Input(_));
            let is_over = last_reads[value.index()].is_none_or(|last| last <= position);
            if let (Some(offset), false, true) = (layout.offset(value), is_fixed, is_over) {
                arena.free(offset);
            }
        }
    }
    layout.len = arena.len();
    layout
}

/// Returns, by value index, the index of the last shader group that reads the value from memory; `None` if no group
/// reads it from memory.
fn last_reads(values: &PlanValues, groups: &[ShaderGroup]) -> Vec<Option<usize>> {
    let mut last = vec![None; values.len()];
    for (position, group) in groups.iter().enumerate() {
        for operand in group.steps.iter().flat_map(|&step| values.steps()[step].reads()) {
            let is_inside = match values.origin(operand) {
                Origin::Step(maker) => group.steps.contains(&maker),
                Origin::Input(_) | Origin::Nowhere => false,
            };
            let in_registers = writes_sources(group.kind) && (is_inside || values.source(operand).is_some());
            if !in_registers {
                last[operand.index()] = Some(position);
            }
        }
    }
    last
}

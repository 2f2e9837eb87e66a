//! Operations on wide lines that look at all of a line's numbers: several invocations a line.

use vivarium_graph::Op;

use super::text::Sources;
use super::values::Node;
use crate::error::GpuError;
use crate::kernels::MATH_WGSL;
use crate::memory::Buffer;
use crate::program::{Recorder, spread};

/// The kernel, and the exponential function that it calls.
const WGSL: [&str; 2] = [include_str!("reduction.wgsl"), MATH_WGSL];

/// Invocations of a workgroup.
const THREADS: usize = 256;

/// Records the kernel of a node: one of the softmaxes, a gradient of one, or a sum.
pub(crate) fn record(
    recorder: &mut Recorder,
    sources: Sources<'_>,
    node: &Node,
    rows: usize,
    arena: &Buffer,
) -> Result<(), GpuError> {
    let mode = match node.op() {
        Some(Op::Softmax) => 0,
        Some(Op::LogSoftmax) => 1,
        Some(Op::Sum) => 2,
        Some(Op::SoftmaxGradient) => 3,
        Some(Op::LogSoftmaxGradient) => 4,
        _ => unreachable!("only operations on whole lines are reductions"),
    };
    let shape = sources.values.shape(node.operands[0]);
    let lines = rows * shape.lines();
    let offset = |id: usize| sources.layout.offsets[id].expect("operands and results lie in memory") as u32;
    let a = offset(node.operands[0]);
    let b = node.operands.get(1).map_or(a, |&id| offset(id));
    let y = node.result.map_or(a, offset);
    // Two numbers an invocation at least: to add up takes as long as to read several.
    let lanes = (shape.width() / 2).next_power_of_two().min(THREADS);
    let kernel = recorder.gpu().kernel(
        "reduction",
        &WGSL.concat(),
        &[("MODE", f64::from(mode)), ("LANES", lanes as f64)],
    )?;
    let words = [lines as u32, shape.width() as u32, a, b, y];
    recorder.dispatch(&kernel, &[arena], &words, spread(lines.div_ceil(THREADS / lanes)));
    Ok(())
}

//! Gather along the last dimension, and its gradient (scatter).

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::op::{GatherOp, ScatterOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::{ReferenceCall, clamp_index};
use crate::tape::GradientTape;

impl Graph {
    /// Appends a gather along the last dimension: x \[…, n\] and an index \[…, 1\] give the selected element x\[index\]
    /// \[…, 1\]. Indices are whole numbers stored as f32.
    pub fn gather(&mut self, x: Value, index: Value) -> Value {
        let [from, by] = [x, index].map(|operand| self.shape(operand));
        let shape = (from.same_lines(&by) && by.width() == 1).then_some(by);
        self.push(GatherOp, &[x, index], shape.ok_or("[…, n] and an index […, 1]"))
    }
}

impl Operation for GatherOp {
    const NAME: &'static str = "gather";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (x, index) = (node.operands[0], node.operands[1]);
        let n = tape.graph.shape(x).width();
        tape.add_op(x, ScatterOp(n), &[index, dy]);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        let lines = call.operands[0].iter().zip(call.operands[1].numbers);
        lines.map(|(line, &index)| line[clamp_index(index, line.len())]).collect()
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let n = call.width(0);
        let lines = call.operand(0).chunks_exact(n).zip(call.operand(1));
        for ((line, &index), y) in lines.zip(target.result()) {
            *y = line[clamped_column(index, n)];
        }
    }
}

impl GradientOperation for ScatterOp {
    const NAME: &'static str = "scatter";
    const ACCUMULATES: bool = false;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (n, result) = (self.0, target.result());
        result.fill(0.0);
        for ((line, &index), &d) in result.chunks_exact_mut(n).zip(call.operand(0)).zip(call.operand(1)) {
            line[clamped_column(index, n)] = d;
        }
    }
}

/// Converts an index (a whole number stored as f32) to a column below n. An index out of range is clamped; NaN gives 0.
#[inline]
pub(super) fn clamped_column(index: f32, n: usize) -> usize {
    (index as usize).min(n - 1)
}

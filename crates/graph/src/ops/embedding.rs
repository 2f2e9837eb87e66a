//! Embedding lookup.

use vivarium_kernels::embedding;

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::{ParameterId, Value};
use crate::init::Initializer;
use crate::op::{GradientOp, Op};
use crate::reference_call::{ReferenceCall, picked};
use crate::tape::GradientTape;

impl Graph {
    /// Appends the sum of the rows of the table `NAME.weight` \[entries, width\] that the indices select: \[…, k\]
    /// gives \[…, width\]. Equivalent to a k-hot vector times the table. Indices are whole numbers stored as f32.
    pub fn embedding(
        &mut self,
        name: &str,
        indices: Value,
        entries: usize,
        width: usize,
        initializer: Initializer,
    ) -> Value {
        let table = self.declare_table(&format!("{name}.weight"), &[entries, width], initializer);
        self.append(Op::Embedding { table }, &[indices], self.shape(indices).with_width(width))
    }
}

pub(super) fn gradient(table: ParameterId, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    tape.sink(GradientOp::Embedding { table }, &[node.operands[0], dy]);
}

pub(super) fn reference(table: ParameterId, call: &ReferenceCall<'_>) -> Vec<f64> {
    let rows: Vec<&[f64]> = call.parameter(table).chunks_exact(call.width()).collect();
    call.per_line(|indices| {
        let column = |j: usize| indices.iter().map(|&index| rows[picked(index, rows.len())][j]).sum();
        (0..call.width()).map(column).collect()
    })
}

pub(super) fn run(table: ParameterId, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let (k, n) = (call.width(0), call.dims(table)[1]);
    embedding::embedding(call.level(), k, n, call.operand(0), call.parameter(table), target.result());
}

/// Adds dy to the gradients of the selected table rows.
pub(super) fn run_gradient(table: ParameterId, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let (k, n) = (call.width(0), call.dims(table)[1]);
    let gradient = &mut target.gradients[call.range(table)];
    embedding::embedding_gradient(call.level(), k, n, call.operand(0), call.operand(1), gradient);
}

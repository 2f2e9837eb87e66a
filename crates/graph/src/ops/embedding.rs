//! Embedding lookup.

use vivarium_kernels::embedding;

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::init::Initializer;
use crate::onnx::form::{OnnxForm, integer_attribute};
use crate::op::{EmbeddingGradientOp, EmbeddingOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::{ReferenceCall, clamp_index};
use crate::tape::GradientTape;

impl Graph {
    /// Appends an embedding lookup: the sum of the k rows of the table `NAME.weight` \[entries, width\] that the
    /// indices \[…, k\] select, \[…, width\]. Equals a k-hot vector times the table. Indices are whole numbers stored
    /// as f32.
    pub fn embedding(
        &mut self,
        name: &str,
        indices: Value,
        entries: usize,
        width: usize,
        initializer: Initializer,
    ) -> Value {
        let table = self.declare_table(&format!("{name}.weight"), &[entries, width], initializer);
        self.append(EmbeddingOp { table }, &[indices], self.shape(indices).with_width(width))
    }
}

impl Operation for EmbeddingOp {
    const NAME: &'static str = "embedding";
    const READS_PARAMETERS: bool = true;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        tape.sink(EmbeddingGradientOp { table: self.table }, &[node.operands[0], dy]);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        let rows: Vec<&[f64]> = call.parameter(self.table).chunks_exact(call.width()).collect();
        call.per_line(|indices| {
            let column =
                |j: usize| indices.iter().map(|&index| rows[clamp_index(index, rows.len())][j]).sum();
            (0..call.width()).map(column).collect()
        })
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        if !form.is_index(0) {
            return None;
        }
        let (indices, table) = (form.operand(0), form.parameter(self.table));
        let rows = form.node("Gather", &[&table, &indices], &[]);
        // An index input with one index per row of the result is exported without its last dimension, of size 1.
        if form.shape(0).width() == 1 {
            return Some(rows);
        }
        let lines = form.integers(&[-2]);
        Some(form.node("ReduceSum", &[&rows, &lines], &[integer_attribute("keepdims", 0)]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (k, n) = (call.width(0), call.dims(self.table)[1]);
        let table = call.parameter(self.table);
        embedding::embedding(call.level(), k, n, call.operand(0), table, target.result());
    }
}

impl GradientOperation for EmbeddingGradientOp {
    const NAME: &'static str = "embedding_gradient";
    const ACCUMULATES: bool = true;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (k, n) = (call.width(0), call.dims(self.table)[1]);
        let gradient = &mut target.gradients[call.range(self.table)];
        embedding::embedding_gradient(call.level(), k, n, call.operand(0), call.operand(1), gradient);
    }
}

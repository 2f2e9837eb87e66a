//! Causal multi-head self-attention over the tokens of a sequence. Each row of the batch is one sequence.

use vivarium_kernels::attention::{AttentionOutput, AttentionSizes, attention, attention_backward};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::{OnnxForm, integer_attribute, integers_attribute};
use crate::op::{AttentionGradientOp, AttentionOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::plan::Plan;
use crate::reference_call::{ReferenceCall, log_softmax};
use crate::shape::Shape;
use crate::step::PlanStep;
use crate::tape::GradientTape;

impl Graph {
    /// Appends causal multi-head self-attention: each token attends to itself and all earlier tokens. `qkv` \[tokens,
    /// 3·width\] holds the queries, keys and values of each token side by side; the result is \[tokens, width\].
    pub fn attention(&mut self, qkv: Value, heads: usize) -> Value {
        let shape = self.shape(qkv);
        let fits = heads > 0 && shape.dims().len() == 2 && shape.width().is_multiple_of(3 * heads);
        if !fits {
            let allowed = "[tokens, 3·width] with a width divisible by the number of heads";
            return self.push(AttentionOp { heads }, &[qkv], Err(allowed));
        }
        let shapes = [shape.with_width(shape.width() / 3), shape.with_width(heads)];
        let [y, _] = self.append_all(AttentionOp { heads }, &[qkv], shapes);
        y
    }
}

impl Operation for AttentionOp {
    const NAME: &'static str = "attention";
    const READS_PARAMETERS: bool = false;

    /// Adds the gradient of the operand qkv to the tape, given the gradient `dy` of the first result. No loss reads the
    /// second result, the log-sum-exp, which therefore has no gradient.
    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (qkv, y, log_sum_exps) = (node.operands[0], node.results[0], node.results[1]);
        tape.add_op(qkv, AttentionGradientOp { heads: self.heads }, &[qkv, y, log_sum_exps, dy]);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        let (tokens, width) = (call.shape.lines(), call.width());
        let sequences = call.operands[0].numbers.chunks_exact(tokens * 3 * width);
        sequences.flat_map(|qkv| reference_of_sequence(qkv, tokens, self.heads)).collect()
    }

    /// Appends the ONNX nodes of causal attention (Vaswani et al. 2017): softmax(q·kᵀ/√d + mask)·v for each head. Code
    /// comments state ONNX shapes with the dimensions batch B, time T, heads H and head width D.
    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (qkv, time) = (form.operand(0), form.time()?);
        let AttentionSizes { heads, head_width, .. } = sequence(form.shape(0), self.heads);
        // In a `Reshape`, 0 keeps the dimension of the operand.
        let split = form.integers(&[0, 0, 3, heads as i64, head_width as i64]);
        let split = form.node("Reshape", &[&qkv, &split], &[]); // B, T, 3, H, D
        let parts = form.node("Transpose", &[&split], &[integers_attribute("perm", &[2, 0, 3, 1, 4])]);
        let [q, k, v] = [0, 1, 2].map(|part| {
            let part = form.integer_tensor(&[], &[part]);
            form.node("Gather", &[&parts, &part], &[]) // B, H, T, D
        });
        let k = form.node("Transpose", &[&k], &[integers_attribute("perm", &[0, 1, 3, 2])]);
        let scale = form.number(1.0 / (head_width as f32).sqrt());
        let q = form.node("Mul", &[&q, &scale], &[]);
        let scores = form.node("MatMul", &[&q, &k], &[]); // B, H, T, T

        // A query attends to keys at its own position and before.
        let scalar = form.integers(&[0]);
        let count = form.node("Squeeze", &[&time, &scalar], &[]);
        let [first, step] = [0, 1].map(|integer| form.integer_tensor(&[], &[integer]));
        let keys = form.node("Range", &[&first, &count, &step], &[]); // T
        let last = form.integers(&[1]);
        let queries = form.node("Unsqueeze", &[&keys, &last], &[]); // T, 1
        let is_visible = form.node("LessOrEqual", &[&keys, &queries], &[]); // T, T
        let masked = form.number(f32::NEG_INFINITY);
        let scores = form.node("Where", &[&is_visible, &scores, &masked], &[]);

        let weights = form.node("Softmax", &[&scores], &[integer_attribute("axis", -1)]);
        let heads = form.node("MatMul", &[&weights, &v], &[]); // B, H, T, D
        let heads = form.node("Transpose", &[&heads], &[integers_attribute("perm", &[0, 2, 1, 3])]);
        let width = form.integers(&[0, 0, form.result_shape().width() as i64]);
        Some(form.node("Reshape", &[&heads, &width], &[])) // B, T, H·D
    }

    fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
        sequence(plan.shape(step.operands[0]), self.heads).scratch_len()
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let shape = sequence(call.shape(0), self.heads);
        let [y, log_sum_exps] = &mut target.results;
        let results = y
            .chunks_exact_mut(shape.tokens * shape.width())
            .zip(log_sum_exps.chunks_exact_mut(shape.tokens * self.heads));
        let sequences = call.operand(0).chunks_exact(shape.tokens * 3 * shape.width());
        for (qkv, (y, log_sum_exps)) in sequences.zip(results) {
            attention(call.level(), shape, qkv, y, log_sum_exps, target.scratch);
        }
    }
}

impl GradientOperation for AttentionGradientOp {
    const NAME: &'static str = "attention_gradient";
    const ACCUMULATES: bool = false;

    fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
        sequence(plan.shape(step.operands[0]), self.heads).scratch_len()
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let shape = sequence(call.shape(0), self.heads);
        let len = shape.tokens * shape.width();
        let [y, dy] = [1, 3].map(|index| call.operand(index).chunks_exact(len));
        let attended = y.zip(call.operand(2).chunks_exact(shape.tokens * self.heads));
        let sequences = call.operand(0).chunks_exact(3 * len).zip(attended).zip(dy);
        for (((qkv, (y, log_sum_exps)), dy), dqkv) in
            sequences.zip(target.results[0].chunks_exact_mut(3 * len))
        {
            let attended = AttentionOutput { y, log_sum_exps };
            attention_backward(call.level(), shape, qkv, attended, dy, dqkv, target.scratch);
        }
    }
}

fn reference_of_sequence(qkv: &[f64], tokens: usize, heads: usize) -> Vec<f64> {
    let width = qkv.len() / tokens / 3;
    let head_width = width / heads;
    let part = |token: usize, part: usize, head: usize| {
        &qkv[token * 3 * width + part * width + head * head_width..][..head_width]
    };
    let mut result = Vec::new();
    for (i, head) in (0..tokens).flat_map(|i| (0..heads).map(move |head| (i, head))) {
        let dot = |j: usize| part(i, 0, head).iter().zip(part(j, 1, head)).map(|(q, k)| q * k).sum::<f64>();
        let scores: Vec<f64> = (0..=i).map(|j| dot(j) / (head_width as f64).sqrt()).collect();
        let logs = log_softmax(&scores);
        let weighted =
            |c: usize| logs.iter().enumerate().map(|(j, log)| log.exp() * part(j, 2, head)[c]).sum();
        result.extend((0..head_width).map(weighted).collect::<Vec<f64>>());
    }
    result
}

/// Returns the sizes of a sequence for the attention kernel. `qkv` is the shape \[tokens, 3·width\] of the concatenated
/// queries, keys and values.
fn sequence(qkv: Shape, heads: usize) -> AttentionSizes {
    AttentionSizes { tokens: qkv.lines(), heads, head_width: qkv.width() / 3 / heads }
}

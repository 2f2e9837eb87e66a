//! Operations that look at all tokens of a sequence together.

use vivarium_kernels::attention::{self as kernels, Sequence};
use vivarium_kernels::head::{self, Head};

use crate::execute::Call;
use crate::graph::ParameterId;
use crate::plan::Operand;

/// The shape of an attention over queries, keys and values.
pub(crate) fn shape(qkv: &Operand, heads: usize) -> Sequence {
    let head_width = qkv.shape.width() / 3 / heads;
    Sequence { tokens: qkv.shape.lines(), heads, head_width }
}

/// What each head finds, and the log-sum of its scores.
pub(crate) fn attention(call: &Call<'_>, heads: usize, result: &mut [f32], scratch: &mut [f32]) {
    let shape = shape(&call.step.operands[0], heads);
    let ldy = shape.width() + heads;
    let rows = call.operand(0).chunks_exact(shape.tokens * 3 * shape.width());
    for (qkv, y) in rows.zip(result.chunks_exact_mut(shape.tokens * ldy)) {
        kernels::attention(call.run.level, shape, qkv, y, ldy, scratch);
    }
}

/// What queries, keys and values get.
pub(crate) fn attention_gradient(call: &Call<'_>, heads: usize, result: &mut [f32], scratch: &mut [f32]) {
    let shape = shape(&call.step.operands[0], heads);
    let ldy = shape.width() + heads;
    let len = shape.tokens * 3 * shape.width();
    let [y, dy] = [1, 2].map(|index| call.operand(index).chunks_exact(shape.tokens * ldy));
    let rows = call.operand(0).chunks_exact(len).zip(y).zip(dy);
    for (((qkv, y), dy), dqkv) in rows.zip(result.chunks_exact_mut(len)) {
        kernels::attention_backward(call.run.level, shape, qkv, y, dy, ldy, dqkv, scratch);
    }
}

/// The cross-entropy of each line's target.
pub(crate) fn head_loss(call: &Call<'_>, weight: ParameterId, result: &mut [f32], scratch: &mut [f32]) {
    let head = Head { transposed: call.run.packed.transposed(weight), forward: &[] };
    head::losses(call.run.level, head, call.operand(0), call.operand(1), result, scratch);
}

/// What x gets and the losses, and what the weights get.
pub(crate) fn head_loss_gradient(
    call: &Call<'_>,
    weight: ParameterId,
    result: &mut [f32],
    scratch: &mut [f32],
    gradients: &mut [f32],
) {
    let packed = call.run.packed;
    let head = Head { transposed: packed.transposed(weight), forward: packed.forward(weight) };
    let dw = &mut gradients[call.run.plan.parameters()[weight.0].range()];
    let [x, target, d] = [0, 1, 2].map(|index| call.operand(index));
    head::gradient(call.run.level, head, x, target, d, result, dw, scratch);
}

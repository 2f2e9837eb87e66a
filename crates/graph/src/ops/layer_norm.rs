//! Layer norm over each line, with whatever is fused behind it.

use vivarium_kernels::layernorm::{self, LayerNorm, LayerNormGradient};

use crate::call::{Call, Target};
use crate::graph::{Graph, Node};
use crate::ids::Value;
use crate::init::Initializer;
use crate::lines::Reference;
use crate::op::{GradientOp, LAYER_NORM_EPSILON, Norm, Op};
use crate::tape::Tape;

impl Graph {
    /// Layer norm over the last dimension, with parameters `NAME.weight` (one) and `NAME.bias` (zero), each \[n\].
    pub fn layer_norm(&mut self, name: &str, x: Value) -> Value {
        let n = self.shape(x).width();
        let scale = self.declare_parameter(&format!("{name}.weight"), &[n], Initializer::Constant(1.0));
        let shift = self.declare_parameter(&format!("{name}.bias"), &[n], Initializer::Constant(0.0));
        self.append(Op::LayerNorm(Norm { scale, shift }), &[x], self.shape(x))
    }
}

pub(super) fn gradient(norm: Norm, node: &Node, dy: Value, tape: &mut Tape) {
    let x = node.operands[0];
    let dx = tape.graph.append(Op::Gradient(GradientOp::LayerNorm(norm)), &[x, dy], tape.graph.shape(x));
    tape.add(x, |_| dx);
}

pub(super) fn reference(norm: Norm, call: &Reference<'_>) -> Vec<f64> {
    call.per_line(|x| {
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
        let normal = x.iter().map(|x| (x - mean) / (variance + f64::from(LAYER_NORM_EPSILON)).sqrt());
        let learned = call.parameter(norm.scale).iter().zip(call.parameter(norm.shift));
        normal.zip(learned).map(|(x, (scale, shift))| x * scale + shift).collect()
    })
}

/// A norm's parameters as the kernels take them.
pub(super) fn kernel<'a>(norm: Norm, call: &Call<'a>) -> LayerNorm<'a> {
    LayerNorm {
        gain: call.parameter(norm.scale),
        shift: call.parameter(norm.shift),
        epsilon: LAYER_NORM_EPSILON,
    }
}

pub(super) fn run(norm: Norm, call: &Call<'_>, target: &mut Target<'_>) {
    let result = target.result();
    result.copy_from_slice(call.operand(0));
    layernorm::forward(call.level(), result, &kernel(norm, call), call.added(), call.step.after.activation);
}

pub(super) fn run_gradient(norm: Norm, call: &Call<'_>, target: &mut Target<'_>) {
    let [scale, shift] = [norm.scale, norm.shift].map(|id| call.range(id));
    // Both gradients lie in one buffer, in either order.
    let scale_first = scale.start < shift.start;
    let (low, high) = if scale_first { (scale, shift) } else { (shift, scale) };
    let (front, back) = target.gradients.split_at_mut(high.start);
    let (low, high) = (&mut front[low], &mut back[..high.len()]);
    let (gain, shift) = if scale_first { (low, high) } else { (high, low) };
    let gradient = LayerNormGradient { gain, shift };
    let (x, dy) = (call.operand(0), call.operand(1));
    layernorm::backward(call.level(), x, &kernel(norm, call), dy, target.results[0], gradient);
}

//! Layer norm over the last dimension, with a fused epilogue.

use vivarium_kernels::layernorm::{self, LayerNorm, LayerNormGradient};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::init::Initializer;
use crate::op::{GradientOp, LAYER_NORM_EPSILON, LayerNormParameters, Op};
use crate::reference_call::ReferenceCall;
use crate::tape::GradientTape;

impl Graph {
    /// Appends layer norm over the last dimension, with gain `NAME.weight` (initially 1) and offset `NAME.bias`
    /// (initially 0), each \[n\].
    pub fn layer_norm(&mut self, name: &str, x: Value) -> Value {
        let n = self.shape(x).width();
        let scale = self.declare_parameter(&format!("{name}.weight"), &[n], Initializer::Constant(1.0));
        let shift = self.declare_parameter(&format!("{name}.bias"), &[n], Initializer::Constant(0.0));
        self.append(Op::LayerNorm(LayerNormParameters { scale, shift }), &[x], self.shape(x))
    }
}

pub(super) fn gradient(norm: LayerNormParameters, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    let x = node.operands[0];
    let dx = tape.graph.append(Op::Gradient(GradientOp::LayerNorm(norm)), &[x, dy], tape.graph.shape(x));
    tape.add(x, |_| dx);
}

pub(super) fn reference(norm: LayerNormParameters, call: &ReferenceCall<'_>) -> Vec<f64> {
    call.per_line(|x| {
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
        let normal = x.iter().map(|x| (x - mean) / (variance + f64::from(LAYER_NORM_EPSILON)).sqrt());
        let learned = call.parameter(norm.scale).iter().zip(call.parameter(norm.shift));
        normal.zip(learned).map(|(x, (scale, shift))| x * scale + shift).collect()
    })
}

/// Returns gain and offset as the parameters of the layer-norm kernels.
pub(super) fn kernel<'a>(norm: LayerNormParameters, call: &StepCall<'a>) -> LayerNorm<'a> {
    LayerNorm {
        gain: call.parameter(norm.scale),
        shift: call.parameter(norm.shift),
        epsilon: LAYER_NORM_EPSILON,
    }
}

pub(super) fn run(norm: LayerNormParameters, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let result = target.result();
    result.copy_from_slice(call.operand(0));
    layernorm::forward(
        call.level(),
        result,
        &kernel(norm, call),
        call.added(),
        call.step.epilogue.activation,
    );
}

pub(super) fn run_gradient(norm: LayerNormParameters, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let [scale, shift] = [norm.scale, norm.shift].map(|id| call.range(id));
    // The two gradients are separate ranges of one buffer, in either order.
    let scale_first = scale.start < shift.start;
    let (low, high) = if scale_first { (scale, shift) } else { (shift, scale) };
    let (front, back) = target.gradients.split_at_mut(high.start);
    let (low, high) = (&mut front[low], &mut back[..high.len()]);
    let (gain, shift) = if scale_first { (low, high) } else { (high, low) };
    let gradient = LayerNormGradient { gain, shift };
    let (x, dy) = (call.operand(0), call.operand(1));
    layernorm::backward(call.level(), x, &kernel(norm, call), dy, target.results[0], gradient);
}

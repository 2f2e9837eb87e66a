//! Layer norm over the last dimension, with a fused epilogue.

use vivarium_kernels::epilogue::EpilogueActivation;
use vivarium_kernels::layernorm::{self, LayerNormGradient};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::init::Initializer;
use crate::onnx::node::{OnnxNode, attribute, last_dimension};
use crate::op::{LAYER_NORM_EPSILON, LayerNormGradientOp, LayerNormOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::step::{Epilogue, EpiloguePart, Fusion, PlanStep};
use crate::tape::GradientTape;

impl Graph {
    /// Appends layer norm over the last dimension, with gain `NAME.weight` (initially 1) and offset `NAME.bias`
    /// (initially 0), each \[n\].
    pub fn layer_norm(&mut self, name: &str, x: Value) -> Value {
        let n = self.shape(x).width();
        let scale = self.declare_parameter(&format!("{name}.weight"), &[n], Initializer::Constant(1.0));
        let shift = self.declare_parameter(&format!("{name}.bias"), &[n], Initializer::Constant(0.0));
        self.append(LayerNormOp { scale, shift }, &[x], self.shape(x))
    }
}

impl Operation for LayerNormOp {
    const NAME: &'static str = "layer_norm";
    const READS_PARAMETERS: bool = true;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let x = node.operands[0];
        let dx = tape.graph.append(LayerNormGradientOp(*self), &[x, dy], tape.graph.shape(x));
        tape.add(x, |_| dx);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| {
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
            let normal = x.iter().map(|x| (x - mean) / (variance + f64::from(LAYER_NORM_EPSILON)).sqrt());
            let learned = call.parameter(self.scale).iter().zip(call.parameter(self.shift));
            normal.zip(learned).map(|(x, (scale, shift))| x * scale + shift).collect()
        })
    }

    fn onnx(&self) -> Option<OnnxNode> {
        let epsilon = attribute("epsilon", 1).float(2, LAYER_NORM_EPSILON);
        Some(OnnxNode {
            operator: "LayerNormalization",
            parameters: vec![self.scale, self.shift],
            attributes: vec![last_dimension(), epsilon],
        })
    }

    fn accepts(&self, epilogue: &Epilogue) -> bool {
        epilogue.norm.is_none() && !matches!(epilogue.activation, EpilogueActivation::Gradient { .. })
    }

    fn join(&self, fusion: &Fusion<'_>) -> Option<PlanStep> {
        fusion.earlier.with(EpiloguePart::Norm(*self))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let result = target.result();
        result.copy_from_slice(call.operand(0));
        let epilogue = Epilogue { norm: Some(*self), ..call.step.epilogue };
        call.epilogue(epilogue).apply(call.level(), result);
    }
}

impl GradientOperation for LayerNormGradientOp {
    const NAME: &'static str = "layer_norm_gradient";
    const ACCUMULATES: bool = true;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let [scale, shift] = [self.0.scale, self.0.shift].map(|id| call.range(id));
        // The two gradients are separate ranges of one buffer, in either order.
        let scale_first = scale.start < shift.start;
        let (low, high) = if scale_first { (scale, shift) } else { (shift, scale) };
        let (front, back) = target.gradients.split_at_mut(high.start);
        let (low, high) = (&mut front[low], &mut back[..high.len()]);
        let (gain, shift) = if scale_first { (low, high) } else { (high, low) };
        let gradient = LayerNormGradient { gain, shift };
        let (x, dy) = (call.operand(0), call.operand(1));
        layernorm::backward(call.level(), x, &call.layer_norm(self.0), dy, target.results[0], gradient);
    }
}

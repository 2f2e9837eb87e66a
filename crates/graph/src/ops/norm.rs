//! Layer norm and root-mean-square norm over the last dimension, with a fused epilogue.

use vivarium_kernels::epilogue::{EpilogueActivation, NORM_EPSILON, Norm};
use vivarium_kernels::layernorm::{self, LayerNorm, LayerNormGradient};
use vivarium_kernels::rmsnorm::{self, RmsNorm};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::{ParameterId, Value};
use crate::init::Initializer;
use crate::onnx::form::{OnnxForm, float_attribute, integers_attribute, last_dimension};
use crate::op::{NormGradientOp, NormOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::step::{Epilogue, EpiloguePart, Fusion, PlanStep};
use crate::tape::GradientTape;

impl Graph {
    /// Appends layer norm over the last dimension n, with the parameters gain `NAME.weight` \[n\], initially 1, and
    /// offset `NAME.bias` \[n\], initially 0.
    pub fn layer_norm(&mut self, name: &str, x: Value) -> Value {
        let (scale, n) = (self.norm_gain(name, x), self.shape(x).width());
        let shift = self.declare_parameter(&format!("{name}.bias"), &[n], Initializer::Constant(0.0));
        self.append(Norm::Layer { scale, shift: Some(shift) }, &[x], self.shape(x))
    }

    /// Appends layer norm over the last dimension n without offset. The parameter is the gain `NAME.weight` \[n\],
    /// initially 1.
    pub fn layer_norm_without_bias(&mut self, name: &str, x: Value) -> Value {
        let scale = self.norm_gain(name, x);
        self.append(Norm::Layer { scale, shift: None }, &[x], self.shape(x))
    }

    /// Appends root-mean-square norm over the last dimension n. The parameter is the gain `NAME.weight` \[n\],
    /// initially 1.
    pub fn rms_norm(&mut self, name: &str, x: Value) -> Value {
        let scale = self.norm_gain(name, x);
        self.append(Norm::Rms { scale }, &[x], self.shape(x))
    }

    fn norm_gain(&mut self, name: &str, x: Value) -> ParameterId {
        let n = self.shape(x).width();
        self.declare_parameter(&format!("{name}.weight"), &[n], Initializer::Constant(1.0))
    }
}

impl Operation for NormOp {
    const NAME: &'static str = "norm";
    const READS_PARAMETERS: bool = true;

    fn name(&self) -> &'static str {
        match self {
            Norm::Layer { .. } => "layer_norm",
            Norm::Rms { .. } => "rms_norm",
        }
    }

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let x = node.operands[0];
        let dx = tape.graph.append(NormGradientOp(*self), &[x, dy], tape.graph.shape(x));
        tape.add(x, |_| dx);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| {
            let mean = match self {
                Norm::Layer { .. } => x.iter().sum::<f64>() / x.len() as f64,
                Norm::Rms { .. } => 0.0,
            };
            let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
            let deviation = (variance + f64::from(NORM_EPSILON)).sqrt();
            let shift = self.shift().map(|shift| call.parameter(shift));
            let scaled = x.iter().zip(call.parameter(self.scale())).map(|(x, g)| (x - mean) / deviation * g);
            scaled.enumerate().map(|(i, y)| y + shift.map_or(0.0, |shift| shift[i])).collect()
        })
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (x, scale) = (form.operand(0), form.parameter(self.scale()));
        if let Norm::Layer { shift, .. } = *self {
            let shift = form.optional_parameter(shift);
            let attributes = [last_dimension(), float_attribute("epsilon", NORM_EPSILON)];
            return Some(form.node("LayerNormalization", &[&x, &scale, &shift], &attributes));
        }
        let square = form.node("Mul", &[&x, &x], &[]);
        let mean = form.node("ReduceMean", &[&square], &[integers_attribute("axes", &[-1])]);
        let epsilon = form.number(NORM_EPSILON);
        let moment = form.node("Add", &[&mean, &epsilon], &[]);
        let deviation = form.node("Sqrt", &[&moment], &[]);
        let normalized = form.node("Div", &[&x, &deviation], &[]);
        Some(form.node("Mul", &[&normalized, &scale], &[]))
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

impl GradientOperation for NormGradientOp {
    const NAME: &'static str = "norm_gradient";
    const ACCUMULATES: bool = true;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (level, x, dy) = (call.level(), call.operand(0), call.operand(1));
        let dx = &mut *target.results[0];
        match self.0.map(|id| (call.parameter(id), call.range(id))) {
            Norm::Layer { scale: (gain, scale), shift: None } => {
                let norm = LayerNorm { gain, shift: None, epsilon: NORM_EPSILON };
                let gradient = LayerNormGradient { gain: &mut target.gradients[scale], shift: None };
                layernorm::backward(level, x, &norm, dy, dx, gradient);
            }
            Norm::Layer { scale: (gain, scale), shift: Some((offset, shift)) } => {
                let norm = LayerNorm { gain, shift: Some(offset), epsilon: NORM_EPSILON };
                let [gain, shift] = target
                    .gradients
                    .get_disjoint_mut([scale, shift])
                    .expect("gain and offset are different parameters");
                let gradient = LayerNormGradient { gain, shift: Some(shift) };
                layernorm::backward(level, x, &norm, dy, dx, gradient);
            }
            Norm::Rms { scale: (gain, scale) } => {
                let norm = RmsNorm { gain, epsilon: NORM_EPSILON };
                rmsnorm::backward(level, &norm, x, dy, dx, &mut target.gradients[scale]);
            }
        }
    }
}

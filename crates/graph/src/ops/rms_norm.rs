//! Root-mean-square norm over the last dimension.

use vivarium_kernels::rmsnorm::{self, RmsNorm};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::init::Initializer;
use crate::op::{RmsNormGradientOp, RmsNormOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::tape::GradientTape;

impl RmsNormOp {
    /// ε, added to the mean of the squares.
    pub const EPSILON: f32 = 1e-5;

    /// Returns the arguments of the CPU kernels of this norm: gain and ε.
    fn kernel<'a>(&self, call: &StepCall<'a>) -> RmsNorm<'a> {
        RmsNorm { gain: call.parameter(self.scale), epsilon: Self::EPSILON }
    }
}

impl Graph {
    /// Appends root-mean-square norm over the last dimension, with gain `NAME.weight` (initially 1) \[n\].
    pub fn rms_norm(&mut self, name: &str, x: Value) -> Value {
        let n = self.shape(x).width();
        let scale = self.declare_parameter(&format!("{name}.weight"), &[n], Initializer::Constant(1.0));
        self.append(RmsNormOp { scale }, &[x], self.shape(x))
    }
}

impl Operation for RmsNormOp {
    const NAME: &'static str = "rms_norm";
    const READS_PARAMETERS: bool = true;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let x = node.operands[0];
        let dx = tape.graph.append(RmsNormGradientOp(*self), &[x, dy], tape.graph.shape(x));
        tape.add(x, |_| dx);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| {
            let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
            let inverse = 1.0 / (mean + f64::from(Self::EPSILON)).sqrt();
            x.iter().zip(call.parameter(self.scale)).map(|(x, scale)| x * inverse * scale).collect()
        })
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        rmsnorm::forward(call.level(), &self.kernel(call), call.operand(0), target.result());
    }
}

impl GradientOperation for RmsNormGradientOp {
    const NAME: &'static str = "rms_norm_gradient";
    const ACCUMULATES: bool = true;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let dgain = &mut target.gradients[call.range(self.0.scale)];
        let (x, dy) = (call.operand(0), call.operand(1));
        rmsnorm::backward(call.level(), &self.0.kernel(call), x, dy, target.results[0], dgain);
    }
}

//! Root-mean-square norm and its gradient (Zhang and Sennrich 2019, <https://arxiv.org/abs/1910.07467>).

use vivarium_graph::PlanStep;
use vivarium_graph::op::{RmsNormGradientOp, RmsNormOp};

use super::form::{Form, LayerOp};
use crate::builder::Shader;
use crate::emit::LayerRecorder;
use crate::wgsl::TreeReduction;
use crate::{GpuError, dispatch_size};

lower!(RmsNormOp, |op| Form::Layer(op));
lower!(RmsNormGradientOp, |op| Form::Layer(op));

/// Number of invocations in a workgroup.
const THREADS: usize = 256;

/// Returns the shader of the forward pass or of the input gradient, which writes the step's first result, and its
/// dispatch size.
fn rows<'a>(
    is_gradient: bool,
    op: RmsNormOp,
    layers: &LayerRecorder<'a>,
    step: &PlanStep,
) -> (Shader<'a>, [u32; 3]) {
    let (rows, width) = (layers.lines(step), layers.width(step.operands[0]));
    let lanes = (width / 2).next_power_of_two().clamp(4, THREADS);
    let (name, element, threads) = ("row_sum", "f32", THREADS);
    let sum = TreeReduction { name, element, threads, lanes, stride: 1, join: "a + b" }.wgsl();
    let shader = Shader::own("rms_norm", &[&sum, crate::shader!("rms_norm.wgsl")])
        .constants([("THREADS", THREADS), ("LANES", lanes)])
        .constants([("GRADIENT", is_gradient)])
        .constants([("EPSILON", RmsNormOp::EPSILON)])
        .buffers([("arena", layers.arena), ("parameters", layers.parameters)])
        .uniforms([("rows", rows), ("width", width), ("x", layers.value(step.operands[0]))])
        .uniforms([("y", layers.value(step.results[0])), ("scale", layers.parameter(op.scale))]);
    (shader, dispatch_size(rows.div_ceil(THREADS / lanes)))
}

impl LayerOp for RmsNormOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let (shader, groups) = rows(false, *self, layers, step);
        shader.record(layers.recorder, groups)
    }
}

impl LayerOp for RmsNormGradientOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let (lines, width) = (layers.lines(step), layers.width(step.operands[0]));
        let [x, dy] = [0, 1].map(|operand| layers.value(step.operands[operand]));
        let inverses = layers.recorder.gpu().buffer("the statistics of an RMS norm", lines)?;
        let (shader, groups) = rows(true, self.0, layers, step);
        let shader = shader.buffers([("inverses", &inverses)]).uniforms([("dy", dy)]);
        shader.record(layers.recorder, groups)?;
        let (before, slices) = (layers.accumulates(&[self.0.scale]), layers.slices());
        Shader::own("rms_norm_scale", &[crate::shader!("rms_norm_scale.wgsl")])
            .constants([("ACCUMULATE", before)])
            .buffers([("arena", layers.arena), ("inverses", &inverses), ("slices", slices.buffer)])
            .uniforms([("rows", lines), ("width", width), ("x", x), ("dy", dy)])
            .uniforms([("scale", layers.parameter(self.0.scale))])
            .uniforms([("slice", slices.rows(lines)), ("stride", slices.stride)])
            .record_each(layers.recorder, slices.count * width)
    }
}

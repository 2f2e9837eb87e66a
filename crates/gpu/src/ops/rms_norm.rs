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

const FORWARD: &str = "    for (var j = lane; j < columns; j += $LANESu) {
        arena[u.y + row * u.width + j] = arena[start + j] * inverse * parameters[u.scale + j];
    }";

/// WGSL of the input gradient: dx = (g − x̂·mean(g·x̂))/√(mean(x²) + ε), with x̂ = x/√(mean(x²) + ε) and g = scale·dy.
const BACKWARD: &str = "    let start_dy = u.dy + row * u.width;
    var products = 0.0;
    for (var j = lane; j < columns; j += $LANESu) {
        products += parameters[u.scale + j] * arena[start_dy + j] * arena[start + j] * inverse;
    }
    let mean = row_sum(t, products) / f32(u.width);
    for (var j = lane; j < columns; j += $LANESu) {
        let g = parameters[u.scale + j] * arena[start_dy + j];
        arena[u.y + row * u.width + j] = (g - arena[start + j] * inverse * mean) * inverse;
    }
    if (lane == 0u && columns > 0u) { inverses[row] = inverse; }";

/// WGSL of the scale's gradient: sum of dy·x̂ over the rows of each gradient slice, one invocation for each column.
const COLUMNS: &str = "var<storage, read> arena: array<f32>;
var<storage, read> inverses: array<f32>;
var<storage, read_write> slices: array<f32>;
fn each(i: u32) {
    let column = i % u.width;
    let slice = i / u.width;
    let end = min((slice + 1u) * u.slice, u.rows);
    var sum = 0.0;
    for (var row = slice * u.slice; row < end; row += 1u) {
        let at = row * u.width + column;
        sum += arena[u.dy + at] * arena[u.x + at] * inverses[row];
    }
    let at = u.scale + slice * u.stride + column;
    slices[at] = $BEFORE sum;
}";

/// Returns the shader of the forward pass or of the input gradient, and its dispatch size. `pass` holds the WGSL text
/// of the pass and of its additional buffer. The shader writes the step's first result.
fn rows<'a>(
    pass: [&str; 2],
    op: RmsNormOp,
    layers: &LayerRecorder<'a>,
    step: &PlanStep,
) -> (Shader<'a>, [u32; 3]) {
    let (rows, width) = (layers.lines(step), layers.width(step.operands[0]));
    let lanes = (width / 2).next_power_of_two().clamp(4, THREADS);
    let (name, element, threads) = ("row_sum", "f32", THREADS);
    let sum = TreeReduction { name, element, threads, lanes, stride: 1, join: "a + b" }.wgsl();
    let [pass, buffer] = pass;
    let pass = pass.replace("$LANES", &lanes.to_string());
    let shader = Shader::own("rms_norm", &[crate::shader!("rms_norm.wgsl")])
        .values([("THREADS", THREADS), ("LANES", lanes)])
        .values([("BUFFER", buffer), ("SUM", &sum), ("PASS", &pass)])
        .values([("EPSILON", format!("{:e}", RmsNormOp::EPSILON))])
        .buffers([("arena", layers.arena), ("parameters", layers.parameters)])
        .uniforms([("rows", rows), ("width", width), ("x", layers.value(step.operands[0]))])
        .uniforms([("y", layers.value(step.results[0])), ("scale", layers.parameter(op.scale))]);
    (shader, dispatch_size(rows.div_ceil(THREADS / lanes)))
}

impl LayerOp for RmsNormOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let (shader, groups) = rows([FORWARD, ""], *self, layers, step);
        shader.record(layers.recorder, groups)
    }
}

impl LayerOp for RmsNormGradientOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let (lines, width) = (layers.lines(step), layers.width(step.operands[0]));
        let [x, dy] = [0, 1].map(|operand| layers.value(step.operands[operand]));
        let inverses = layers.recorder.gpu().buffer("the statistics of an RMS norm", lines)?;
        let buffer = "var<storage, read_write> inverses: array<f32>;";
        let (shader, groups) = rows([BACKWARD, buffer], self.0, layers, step);
        let shader = shader.buffers([("inverses", &inverses)]).uniforms([("dy", dy)]);
        shader.record(layers.recorder, groups)?;
        let (before, slices) = (layers.accumulates(&[self.0.scale]), layers.slices());
        Shader::own("rms_norm_scale", &[COLUMNS])
            .values([("BEFORE", if before { "slices[at] +" } else { "" })])
            .buffers([("arena", layers.arena), ("inverses", &inverses), ("slices", slices.buffer)])
            .uniforms([("rows", lines), ("width", width), ("x", x), ("dy", dy)])
            .uniforms([("scale", layers.parameter(self.0.scale))])
            .uniforms([("slice", slices.rows(lines)), ("stride", slices.stride)])
            .record_each(layers.recorder, slices.count * width)
    }
}

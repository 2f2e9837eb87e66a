//! Layer normalization (Ba et al., 2016, [Layer Normalization](https://arxiv.org/abs/1607.06450)) and root-mean-square
//! normalization (Zhang and Sennrich, 2019, <https://arxiv.org/abs/1910.07467>), with their gradients.

use vivarium_graph::PlanStep;
use vivarium_graph::op::{NormGradientOp, NormOp};
use vivarium_kernels::epilogue::{Epilogue, EpilogueActivation, NORM_EPSILON, Norm};

use super::column_sums::{ColumnSumsKernel, NormalizedInput};
use super::form::{Form, LayerOp};
use super::product::epilogue_values;
use crate::builder::Shader;
use crate::emit::LayerRecorder;
use crate::math::math_wgsl;
use crate::operand::{GradientSlicesView, OperandEpilogue, check_bounds, epilogue_uniforms, norm_uniforms};
use crate::wgsl::TreeReduction;
use crate::{Buffer, GpuError, GpuRecorder, dispatch_size};

/// Operands of [`norm`], which computes y = activation(norm(x) + residual) for each row of x, with ε =
/// [`NORM_EPSILON`].
#[derive(Clone, Copy, Debug)]
pub struct NormArgs {
    /// Number of rows of the input x and the output y.
    pub rows: usize,
    /// Number of columns of the input x and the output y.
    pub width: usize,
    /// Word offset in the arena of the input x, `[rows, width]`.
    pub x: usize,
    /// Word offset in the arena of the output y, `[rows, width]`. The output may overwrite the input x or the residual.
    pub y: usize,
    /// Kind of the norm, with the word offsets of its scale and (layer norm only) its shift in the parameter buffer.
    pub norm: Norm<usize>,
    /// Word offset in the arena of the residual, `[rows, width]`, which is added to the normalized rows; `None` if
    /// nothing is added.
    pub residual: Option<usize>,
    /// Activation, or derivative of an activation, that is applied after the residual is added.
    pub activation: EpilogueActivation<usize>,
}

/// Operands of [`norm_gradient`], which computes the gradients of a norm's input and parameters. The norm has no
/// residual and no activation.
#[derive(Clone, Copy, Debug)]
pub struct NormGradientArgs {
    /// Number of rows of the input x and of the output gradient dy.
    pub rows: usize,
    /// Number of columns of the input x and of the output gradient dy.
    pub width: usize,
    /// Word offset in the arena of the norm's input x, `[rows, width]`.
    pub x: usize,
    /// Word offset in the arena of the output gradient dy, `[rows, width]`.
    pub dy: usize,
    /// Word offset in the arena to which the input gradient dx is written, `[rows, width]`. The memory must not overlap
    /// x or dy.
    pub dx: usize,
    /// Kind of the norm, with the word offsets of its scale and shift. The offsets are the same in the parameter buffer
    /// and in each gradient slice (gradients summed over a part of the batch).
    pub norm: Norm<usize>,
    /// Whether the kernel adds the gradients of scale and shift to the gradient slices (gradients summed over parts of
    /// the batch) instead of overwriting them.
    pub accumulate: bool,
}

/// Method by which the invocations of a norm kernel compute sums over a row of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSums {
    /// Tree reduction in workgroup memory. Works on every adapter.
    Memory,
    /// Subgroup operations, with one subgroup of any size for each row. Requires an adapter with
    /// [`AdapterInfo::subgroups`](crate::AdapterInfo::subgroups).
    Subgroup,
}

impl RowSums {
    /// Returns the fastest method of summation over rows that the device of `recorder` supports; in a browser always
    /// [`RowSums::Memory`].
    fn best(recorder: &GpuRecorder) -> Self {
        // Browsers use the portable method, because their subgroup support is still changing.
        if recorder.gpu().adapter_info().subgroups && cfg!(not(target_arch = "wasm32")) {
            Self::Subgroup
        } else {
            Self::Memory
        }
    }
}

/// Number of invocations in a workgroup of the norm kernel.
const THREADS: usize = 256;

/// Number of rows that a workgroup processes if sums over rows use subgroup operations.
const SUBGROUP_ROWS: usize = 8;

/// Returns the shader that computes a norm of the kind `kind` followed by `epilogue`, or the gradient of the norm if
/// `epilogue` is `None`. Also returns the dispatch size for `rows` rows. The caller adds the buffers and uniforms.
fn row_shader<'a>(
    rows: usize,
    width: usize,
    kind: Norm<()>,
    epilogue: Option<&Epilogue<(), ()>>,
    sums: RowSums,
) -> (Shader<'a>, [u32; 3]) {
    // At most one lane for every two columns: a reduction step costs as much as several loads.
    let lanes = (width / 2).next_power_of_two().clamp(4, THREADS);
    let (tree, group_rows) = match sums {
        RowSums::Memory => {
            let element = "vec2<f32>";
            let tree =
                TreeReduction { name: "sums", element, threads: THREADS, lanes, stride: 1, join: "a + b" };
            (tree.wgsl(), THREADS / lanes)
        }
        // naga enables subgroups implicitly, and does not support WGSL's `enable subgroups` yet (gfx-rs/wgpu#5555).
        RowSums::Subgroup => (String::new(), SUBGROUP_ROWS),
    };
    let is_plain = epilogue.is_none_or(|epilogue| epilogue.activation == EpilogueActivation::None);
    let functions = if is_plain { "" } else { math_wgsl() };
    let label = match (kind, epilogue) {
        (Norm::Layer { .. }, Some(_)) => "layer_norm",
        (Norm::Layer { .. }, None) => "layer_norm_gradient",
        (Norm::Rms { .. }, Some(_)) => "rms_norm",
        (Norm::Rms { .. }, None) => "rms_norm_gradient",
    };
    let shader = Shader::own(label, &[functions, &tree, crate::shader!("norm.wgsl")])
        .constants([("LANES", lanes), ("THREADS", THREADS), ("ROWS", group_rows)])
        .constants([("GRADIENT", epilogue.is_none()), ("SUBGROUP", sums == RowSums::Subgroup)])
        .constants([("CENTERED", kind.is_centered()), ("SHIFT", kind.shift().is_some())])
        .constants([("EPSILON", NORM_EPSILON)])
        .constants(epilogue_values(epilogue.unwrap_or(&Epilogue::default())));
    (shader, dispatch_size(rows.div_ceil(group_rows)))
}

/// Records a norm of each row. `sums` selects the method by which invocations sum over a row; `None` selects the
/// fastest.
///
/// # Errors
/// [`GpuError`] if the kernel does not compile.
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn norm(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    parameters: &Buffer,
    layer: &NormArgs,
    sums: Option<RowSums>,
) -> Result<(), GpuError> {
    let sums = sums.unwrap_or_else(|| RowSums::best(recorder));
    let NormArgs { rows, width, x, y, norm, residual, activation } = *layer;
    if rows == 0 {
        return Ok(());
    }
    check_bounds(arena, "x", x, rows * width);
    check_bounds(arena, "y", y, rows * width);
    norm.parameters().for_each(|at| check_bounds(parameters, "a parameter of the norm", at, width));
    let epilogue = OperandEpilogue { norm: None, residual, activation };
    epilogue.operands().for_each(|&at| check_bounds(arena, "an operand of the epilogue", at, rows * width));
    let (shader, groups) = row_shader(rows, width, norm.map(|_| ()), Some(&epilogue.parts()), sums);
    shader
        .buffers([("arena", arena), ("parameters", parameters)])
        .uniforms([("rows", rows), ("width", width), ("x", x), ("y", y)])
        .uniforms(norm_uniforms(&norm))
        .uniforms(epilogue_uniforms(&epilogue))
        .record(recorder, groups)
}

/// Records the gradient of a norm: dx = (g − mean(g) − x̂·mean(g·x̂))/σ with x̂ = (x − mean)/σ and g = scale·dy, the
/// column sums of dy·x̂ for the scale, and of dy for the shift. In a root-mean-square norm, both mean(x) and mean(g)
/// are replaced by 0. `sums` selects the method of summation over a row, as in [`norm`].
///
/// # Errors
/// [`GpuError`] if a kernel does not compile, or memory for two words per row is exhausted.
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn norm_gradient(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    parameters: &Buffer,
    slices: &GradientSlicesView,
    layer: &NormGradientArgs,
    sums: Option<RowSums>,
) -> Result<(), GpuError> {
    let sums = sums.unwrap_or_else(|| RowSums::best(recorder));
    let NormGradientArgs { rows, width, x, dy, dx, norm, accumulate } = *layer;
    let scale = norm.scale();
    check_bounds(arena, "x", x, rows * width);
    check_bounds(arena, "dy", dy, rows * width);
    check_bounds(arena, "dx", dx, rows * width);
    check_bounds(parameters, "the scale", scale, width);
    let statistics = recorder.gpu().buffer("the statistics of a norm", 2 * rows.max(1))?;
    if rows > 0 {
        let (shader, groups) = row_shader(rows, width, norm.map(|_| ()), None, sums);
        shader
            .buffers([("arena", arena), ("parameters", parameters), ("kept", &statistics)])
            .uniforms([("rows", rows), ("width", width), ("x", x), ("dx", dx), ("dy", dy)])
            .uniforms([("scale", scale)])
            .record(recorder, groups)?;
    }
    let normalized = Some(NormalizedInput { x, statistics: &statistics, scale });
    let columns = ColumnSumsKernel { rows, width, dy, shift: norm.shift(), normalized, accumulate };
    columns.record(recorder, arena, slices)
}

lower!(NormOp, |op| Form::Layer(op));
lower!(NormGradientOp, |op| Form::Layer(op));

impl LayerOp for NormOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let OperandEpilogue { residual, activation, .. } = layers.epilogue(step);
        let layer = NormArgs {
            rows: layers.lines(step),
            width: layers.width(step.operands[0]),
            x: layers.value(step.operands[0]),
            y: layers.value(step.results[0]),
            norm: self.map(|id| layers.parameter(id)),
            residual,
            activation,
        };
        norm(layers.recorder, layers.arena, layers.parameters, &layer, None)
    }
}

impl LayerOp for NormGradientOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let layer = NormGradientArgs {
            rows: layers.lines(step),
            width: layers.width(step.operands[0]),
            x: layers.value(step.operands[0]),
            dy: layers.value(step.operands[1]),
            dx: layers.value(step.results[0]),
            norm: self.0.map(|id| layers.parameter(id)),
            accumulate: layers.accumulates(&self.0.parameters().collect::<Vec<_>>()),
        };
        let slices = layers.slices();
        norm_gradient(layers.recorder, layers.arena, layers.parameters, &slices, &layer, None)
    }
}

//! Layer norm over rows, and its gradient.

use vivarium_graph::{self as graph, Activation, LAYER_NORM_EPSILON, Step};

use super::column_sums::{ColumnSums, Normalized, record_column_sums};
use super::product::activated;
use crate::emit::Layers;
use crate::math::MATH_WGSL;
use crate::operand::{Norm, Slices, holds};
use crate::wgsl::{Tree, fill};
use crate::{Buffer, GpuError, Recorder, spread};

/// y = activation((x − mean)/√(variance + ε)·scale + shift + residual) over each row, with ε = [`LAYER_NORM_EPSILON`]. Offsets
/// of x, y and the residual in the arena, of the norm in the parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayerNorm {
    /// Rows of x and y.
    pub rows: usize,
    /// Columns of x and y.
    pub width: usize,
    /// x, \[rows, width\].
    pub x: usize,
    /// y, \[rows, width\]; may be the place of x or of the residual.
    pub y: usize,
    /// Scale and shift.
    pub norm: Norm,
    /// Added after the norm, \[rows, width\].
    pub residual: Option<usize>,
    /// What comes last.
    pub activation: Activation,
}

/// The gradients of a layer norm without residual and activation: dx, and the column sums for scale and shift. Offsets of x,
/// dy and dx in the arena, of the norm in the parameters and in each slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayerNormGradient {
    /// Rows of x and dy.
    pub rows: usize,
    /// Columns of x and dy.
    pub width: usize,
    /// The layer norm's input, \[rows, width\].
    pub x: usize,
    /// dy, \[rows, width\].
    pub dy: usize,
    /// dx, \[rows, width\], apart from x and dy.
    pub dx: usize,
    /// Scale and shift.
    pub norm: Norm,
    /// Adds to what the slices hold in place of overwriting it.
    pub accumulate: bool,
}

/// How the invocations of a row add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSums {
    /// Through the workgroup's memory: works everywhere.
    Memory,
    /// Within a subgroup of any size, which has the row to itself: needs an adapter with
    /// [`subgroups`](crate::Report::subgroups).
    Subgroup,
}

impl RowSums {
    /// The better one of those that this device has.
    fn best(recorder: &Recorder) -> Self {
        // In a browser the portable form: what a subgroup may do there is still changing.
        if recorder.gpu().report().subgroups && cfg!(not(target_arch = "wasm32")) {
            Self::Subgroup
        } else {
            Self::Memory
        }
    }
}

/// Invocations of a workgroup.
const THREADS: usize = 256;

/// Rows that a workgroup does with subgroups.
const SUBGROUP_ROWS: usize = 8;

/// The WGSL of a row kernel, and how many rows a workgroup does.
fn row_kernel(binding: &str, functions: &str, do_row: &str, width: usize, sums: RowSums) -> (String, usize) {
    // A lane for every two columns at least: a sum costs as much as reading several numbers.
    let lanes = (width / 2).next_power_of_two().clamp(4, THREADS);
    let (row_sum, main, rows) = match sums {
        RowSums::Memory => (
            Tree { name: "sums", element: "vec2<f32>", threads: THREADS, lanes, stride: 1, join: "a + b" }
                .wgsl()
                + "var<private> t: u32;
fn row_sum(value: vec2<f32>) -> vec2<f32> { return sums(t, value); }",
            format!(
                "@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) index: u32) {{
    t = index;
    let row = (group.x + group.y * 65535u) * {rows}u + t / {lanes}u;
    do_row(row, select(0u, u.width, row < u.rows), t % {lanes}u, {lanes}u);
}}",
                rows = THREADS / lanes
            ),
            THREADS / lanes,
        ),
        // naga takes subgroups for granted, and does not know WGSL's `enable subgroups` yet (gfx-rs/wgpu#5555).
        RowSums::Subgroup => (
            "fn row_sum(value: vec2<f32>) -> vec2<f32> { return subgroupAdd(value); }".to_owned(),
            format!(
                "@compute @workgroup_size({THREADS})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) lanes: u32,
) {{
    let first = (group.x + group.y * 65535u) * {SUBGROUP_ROWS}u;
    for (var row = first + subgroup; row < min(first + {SUBGROUP_ROWS}u, u.rows); row += subgroups) {{
        do_row(row, u.width, lane, lanes);
    }}
}}"
            ),
            SUBGROUP_ROWS,
        ),
    };
    let text = fill(
        crate::shader!("layer_norm.wgsl"),
        &[
            ("$LANES", &lanes.to_string()),
            ("$BINDING", binding),
            ("$ROW_SUM", &row_sum),
            ("$MATH", functions),
            ("$EPSILON", &format!("{LAYER_NORM_EPSILON:e}")),
            ("$DO_ROW", do_row),
            ("$MAIN", &main),
        ],
    );
    (text, rows)
}

/// Records a layer norm, whose rows are added up in the way that is best on this device unless one is given.
///
/// # Errors
/// [`GpuError`] where the device refuses the kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn layer_norm(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    layer: &LayerNorm,
    sums: Option<RowSums>,
) -> Result<(), GpuError> {
    let sums = sums.unwrap_or_else(|| RowSums::best(recorder));
    let LayerNorm { rows, width, x, y, norm, residual, activation } = *layer;
    if rows == 0 {
        return Ok(());
    }
    holds(arena, "x", x, rows * width);
    holds(arena, "y", y, rows * width);
    residual.iter().for_each(|&at| holds(arena, "the residual", at, rows * width));
    holds(parameters, "the scale", norm.scale, width);
    holds(parameters, "the shift", norm.shift, width);
    let added = if residual.is_some() { " + arena[u.residual + row * u.width + j]" } else { "" };
    let last = match activation {
        Activation::None => "value".to_owned(),
        other => format!("{}.x", activated(other, "vec4<f32>(value, 0.0, 0.0, 0.0)")),
    };
    let do_row = format!(
        "fn do_row(row: u32, columns: u32, lane: u32, lanes: u32) {{
    let start = u.x + row * u.width;
    let found = statistics(start, columns, lane, lanes);
    for (var j = lane; j < columns; j += lanes) {{
        let normalized = (arena[start + j] - found.x) * found.y;
        let value = normalized * parameters[u.scale + j] + parameters[u.shift + j]{added};
        arena[u.y + row * u.width + j] = {last};
    }}
}}"
    );
    let functions = if activation == Activation::None { "" } else { MATH_WGSL };
    let (text, rows_each) = row_kernel("", functions, &do_row, width, sums);
    let words = [
        ("rows", rows),
        ("width", width),
        ("x", x),
        ("y", y),
        ("residual", residual.unwrap_or(0)),
        ("scale", norm.scale),
        ("shift", norm.shift),
    ];
    let groups = spread(rows.div_ceil(rows_each));
    recorder.run("layer_norm", &[&text], &[arena, parameters], &words, groups)
}

/// Records the gradient of a layer norm: dx = (g − mean(g) − x̂·mean(g·x̂))/σ with x̂ = (x − mean)/σ and g = scale·dy, the column
/// sums of dy·x̂ for the scale, those of dy for the shift. Rows are added up as in [`layer_norm`].
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel or has no room for two numbers a row.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn layer_norm_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    parameters: &Buffer,
    slices: &Slices,
    layer: &LayerNormGradient,
    sums: Option<RowSums>,
) -> Result<(), GpuError> {
    let sums = sums.unwrap_or_else(|| RowSums::best(recorder));
    let LayerNormGradient { rows, width, x, dy, dx, norm, accumulate } = *layer;
    holds(arena, "x", x, rows * width);
    holds(arena, "dy", dy, rows * width);
    holds(arena, "dx", dx, rows * width);
    holds(parameters, "the scale", norm.scale, width);
    let statistics = recorder.gpu().buffer("the means and deviations of a layer norm", 2 * rows.max(1))?;
    if rows > 0 {
        let do_row = "fn do_row(row: u32, columns: u32, lane: u32, lanes: u32) {
    let start = u.x + row * u.width;
    let start_dy = u.dy + row * u.width;
    let found = statistics(start, columns, lane, lanes);
    var both = vec2<f32>();
    for (var j = lane; j < columns; j += lanes) {
        let g = parameters[u.scale + j] * arena[start_dy + j];
        both += vec2<f32>(g, g * (arena[start + j] - found.x) * found.y);
    }
    let means = row_sum(both) / f32(u.width);
    for (var j = lane; j < columns; j += lanes) {
        let normalized = (arena[start + j] - found.x) * found.y;
        let g = parameters[u.scale + j] * arena[start_dy + j];
        arena[u.dx + row * u.width + j] = (g - means.x - normalized * means.y) * found.y;
    }
    if (lane == 0u && columns > 0u) { kept[row] = found; }
}";
        let kept = "@group(0) @binding(2) var<storage, read_write> kept: array<vec2<f32>>;";
        let (text, rows_each) = row_kernel(kept, "", do_row, width, sums);
        let buffers = [arena, parameters, &statistics];
        let words =
            [("rows", rows), ("width", width), ("x", x), ("dx", dx), ("scale", norm.scale), ("dy", dy)];
        let groups = spread(rows.div_ceil(rows_each));
        recorder.run("layer_norm_gradient", &[&text], &buffers, &words, groups)?;
    }
    let of_norm = Some(Normalized { x, statistics: &statistics, scale: norm.scale });
    let columns = ColumnSums { rows, width, dy, parameter: norm.shift, accumulate };
    record_column_sums(recorder, arena, slices, &columns, of_norm)
}

/// Records a layer norm.
pub(super) fn layer(norm: graph::Norm, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
    let layer = LayerNorm {
        rows: layers.lines(step),
        width: layers.width(step.operands[0]),
        x: layers.value(step.operands[0]),
        y: layers.value(step.results[0]),
        norm: layers.norm(norm),
        residual: step.after.added.then(|| layers.value(step.operands[1])),
        activation: step.after.activation,
    };
    layer_norm(layers.recorder, layers.arena, layers.parameters, &layer, None)
}

/// Records the gradient of a layer norm.
pub(super) fn gradient(norm: graph::Norm, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
    let accumulate = layers.accumulates(&[norm.scale, norm.shift]);
    let layer = LayerNormGradient {
        rows: layers.lines(step),
        width: layers.width(step.operands[0]),
        x: layers.value(step.operands[0]),
        dy: layers.value(step.operands[1]),
        dx: layers.value(step.results[0]),
        norm: layers.norm(norm),
        accumulate,
    };
    let slices = layers.slices();
    layer_norm_gradient(layers.recorder, layers.arena, layers.parameters, &slices, &layer, None)
}

//! Column sums: the gradient of a parameter that is added to every row.

use crate::operand::{GradientSlicesView, check_bounds};
use crate::wgsl::{TreeReduction, fill};
use crate::{Buffer, GpuError, GpuRecorder};

/// Operands of [`column_sums`]: the sum of each column of dy is the gradient of a parameter. The offset of dy is in the
/// arena, the offset of the parameter in each gradient slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnSumsArgs {
    /// Number of rows of dy.
    pub rows: usize,
    /// Number of columns of dy.
    pub width: usize,
    /// Word offset of dy, \[rows, width\].
    pub dy: usize,
    /// Word offset of the parameter, \[width\].
    pub parameter: usize,
    /// Whether the kernel adds to the gradient slices instead of overwriting them.
    pub accumulate: bool,
}

/// Number of invocations in a workgroup.
const THREADS: usize = 256;

/// Records a kernel that sums the columns of dy, the gradient of a parameter that is added to every row.
///
/// # Errors
/// [`GpuError`] if the kernel does not compile.
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn column_sums(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    slices: &GradientSlicesView,
    columns: &ColumnSumsArgs,
) -> Result<(), GpuError> {
    record_column_sums(recorder, arena, slices, columns, None)
}

/// Input of a layer norm, from which the column sums of dy·x̂ are computed in addition to the column sums of dy.
pub(super) struct NormalizedInput<'a> {
    pub x: usize,
    /// Mean and 1/σ of each row, `[rows, 2]`.
    pub statistics: &'a Buffer,
    pub scale: usize,
}

pub(super) fn record_column_sums(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    slices: &GradientSlicesView,
    columns: &ColumnSumsArgs,
    normalized: Option<NormalizedInput>,
) -> Result<(), GpuError> {
    let ColumnSumsArgs { rows, width, dy, parameter, accumulate } = *columns;
    check_bounds(arena, "dy", dy, rows * width);
    slices.check_bounds("a parameter's gradient", parameter, width);
    let across = width.next_power_of_two().clamp(4, 64);
    let set = |place: &str, value: &str| {
        let sign = if accumulate { "+=" } else { "=" };
        format!("slices[{place} + group.z * u.stride + column] {sign} {value};")
    };
    let (binding, read, scaled) = if let Some(normalized) = &normalized {
        slices.check_bounds("the scale's gradient", normalized.scale, width);
        (
            "@group(0) @binding(2) var<storage, read> kept: array<vec2<f32>>;",
            "(arena[u.x + row * u.width + column] - kept[row].x) * kept[row].y * dy",
            set("u.scale", "total.y"),
        )
    } else {
        ("", "0.0", String::new())
    };
    let sums = TreeReduction {
        name: "total_of",
        element: "vec2<f32>",
        threads: THREADS,
        lanes: THREADS,
        stride: across,
        join: "a + b",
    };
    let text = fill(
        crate::shader!("column_sums.wgsl"),
        &[
            ("$BINDING", binding),
            ("$SUMS", &sums.wgsl()),
            ("$ACROSS", &across.to_string()),
            ("$DOWN", &(THREADS / across).to_string()),
            ("$NORMALIZED", read),
            ("$SET_SHIFT", &set("u.shift", "total.x")),
            ("$SET_SCALE", &scaled),
        ],
    );
    let (x, scale) = normalized.as_ref().map_or((0, 0), |normalized| (normalized.x, normalized.scale));
    let words = [
        ("rows", rows),
        ("width", width),
        ("x", x),
        ("dy", dy),
        ("scale", scale),
        ("shift", parameter),
        ("slice", slices.rows(rows)),
        ("stride", slices.stride),
    ];
    let mut buffers = vec![arena, slices.buffer];
    buffers.extend(normalized.as_ref().map(|normalized| normalized.statistics));
    let groups = [width.div_ceil(across) as u32, 1, slices.count as u32];
    recorder.run("column_sums", &[&text], &buffers, &words, groups)
}

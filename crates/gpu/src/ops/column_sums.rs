//! Sums over columns: the gradient of a parameter that every row adds to.

use vivarium_graph::{ParameterId, Step};

use crate::emit::Layers;
use crate::operand::{Slices, holds};
use crate::wgsl::{Tree, fill};
use crate::{Buffer, GpuError, Recorder};

/// The column sums of dy as the gradient of a parameter. Offset of dy in the arena, of the parameter in each slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnSums {
    /// Rows of dy.
    pub rows: usize,
    /// Columns of dy.
    pub width: usize,
    /// dy, \[rows, width\].
    pub dy: usize,
    /// The parameter, \[width\].
    pub parameter: usize,
    /// Adds to what the slices hold in place of overwriting it.
    pub accumulate: bool,
}

/// Invocations of a workgroup.
const THREADS: usize = 256;

/// Records sums over columns.
///
/// # Errors
/// [`GpuError`] where the device refuses the kernel.
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn column_sums(
    recorder: &mut Recorder,
    arena: &Buffer,
    slices: &Slices,
    columns: &ColumnSums,
) -> Result<(), GpuError> {
    record_column_sums(recorder, arena, slices, columns, None)
}

/// The normalized x̂, for the column sums of dy·x̂ besides those of dy.
pub(super) struct Normalized<'a> {
    pub x: usize,
    /// The mean and 1/σ of each row.
    pub statistics: &'a Buffer,
    pub scale: usize,
}

pub(super) fn record_column_sums(
    recorder: &mut Recorder,
    arena: &Buffer,
    slices: &Slices,
    columns: &ColumnSums,
    normalized: Option<Normalized>,
) -> Result<(), GpuError> {
    let ColumnSums { rows, width, dy, parameter, accumulate } = *columns;
    holds(arena, "dy", dy, rows * width);
    slices.hold("a parameter's gradient", parameter, width);
    let across = width.next_power_of_two().clamp(4, 64);
    let set = |place: &str, value: &str| {
        let sign = if accumulate { "+=" } else { "=" };
        format!("slices[{place} + group.z * u.stride + column] {sign} {value};")
    };
    let (binding, read, scaled) = if let Some(normalized) = &normalized {
        slices.hold("the scale's gradient", normalized.scale, width);
        (
            "@group(0) @binding(2) var<storage, read> kept: array<vec2<f32>>;",
            "(arena[u.x + row * u.width + column] - kept[row].x) * kept[row].y * dy",
            set("u.scale", "total.y"),
        )
    } else {
        ("", "0.0", String::new())
    };
    let sums = Tree {
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

/// Records the gradient of a parameter that is a value.
pub(super) fn gradient(id: ParameterId, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
    let accumulate = layers.accumulates(&[id]);
    // All of its numbers are columns, however many lines it has.
    let (rows, width, dy) = (layers.rows, layers.parameter_len(id), layers.value(step.operands[0]));
    let columns = ColumnSums { rows, width, dy, parameter: layers.parameter(id), accumulate };
    let slices = layers.slices();
    column_sums(layers.recorder, layers.arena, &slices, &columns)
}

//! Column sums of a matrix: the gradient of a bias, or of another parameter vector that is added to every row.

use crate::builder::Shader;
use crate::operand::{GradientSlicesView, check_bounds};
use crate::wgsl::TreeReduction;
use crate::{Buffer, GpuError, GpuRecorder};

/// Operands of [`column_sums`]: the matrix dy, and the offset of the result in each gradient slice. The column sums of
/// dy are the gradient of a parameter vector that is added to every row.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnSumsArgs {
    /// Number of rows of dy, the matrix whose columns are summed.
    pub rows: usize,
    /// Number of columns of dy, the matrix whose columns are summed.
    pub width: usize,
    /// Word offset in the arena of dy, the matrix whose columns are summed, `[rows, width]`.
    pub dy: usize,
    /// Word offset of the parameter vector's gradient, `[width]`, in each gradient slice (gradients summed over a part
    /// of the batch).
    pub parameter: usize,
    /// Whether the kernel adds the column sums to the gradient slices (gradients summed over parts of the batch)
    /// instead of overwriting them.
    pub accumulate: bool,
}

/// Number of invocations in a workgroup of the column-sum kernel.
const THREADS: usize = 256;

/// Records a kernel that computes the column sums of the output gradient dy. The sums are the gradient of a bias, a
/// vector added to every row.
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
    let ColumnSumsArgs { rows, width, dy, parameter, accumulate } = *columns;
    let shift = Some(parameter);
    ColumnSumsKernel { rows, width, dy, shift, normalized: None, accumulate }.record(recorder, arena, slices)
}

/// Input x of a norm, from which the column sums of dy·x̂ are computed, where x̂ is the normalized x. These sums are
/// the gradient of the norm's scale.
pub(super) struct NormalizedInput<'a> {
    pub x: usize,
    /// Buffer with the mean and 1/σ of each row of the norm's input, `[rows, 2]`.
    pub statistics: &'a Buffer,
    pub scale: usize,
}

/// Kernel that computes the column sums of dy (gradient of a shift or bias), of dy·x̂ (gradient of a norm's scale), or
/// of both.
pub(super) struct ColumnSumsKernel<'a> {
    pub rows: usize,
    pub width: usize,
    pub dy: usize,
    /// Word offset, in each gradient slice (gradients summed over a part of the batch), to which the column sums of dy
    /// are written; `None` if the kernel does not compute these sums.
    pub shift: Option<usize>,
    pub normalized: Option<NormalizedInput<'a>>,
    pub accumulate: bool,
}

impl ColumnSumsKernel<'_> {
    pub(super) fn record(
        self,
        recorder: &mut GpuRecorder,
        arena: &Buffer,
        slices: &GradientSlicesView,
    ) -> Result<(), GpuError> {
        let Self { rows, width, dy, shift, normalized, accumulate } = self;
        check_bounds(arena, "dy", dy, rows * width);
        let across = width.next_power_of_two().clamp(4, 64);
        let scale = normalized.as_ref().map(|normalized| normalized.scale);
        for at in shift.into_iter().chain(scale) {
            slices.check_bounds("a parameter's gradient", at, width);
        }
        let sums = TreeReduction {
            name: "total_of",
            element: "vec2<f32>",
            threads: THREADS,
            lanes: THREADS,
            stride: across,
            join: "a + b",
        };
        let shader = Shader::own("column_sums", &[&sums.wgsl(), crate::shader!("column_sums.wgsl")])
            .constants([("ACROSS", across), ("DOWN", THREADS / across)])
            .constants([
                ("NORM", normalized.is_some()),
                ("SHIFT", shift.is_some()),
                ("ACCUMULATE", accumulate),
            ])
            .buffers([("arena", arena), ("slices", slices.buffer)])
            .uniforms([
                ("rows", rows),
                ("width", width),
                ("dy", dy),
                ("slice", slices.rows(rows)),
                ("stride", slices.stride),
            ])
            .uniforms(shift.map(|at| ("shift", at)));
        let shader = match normalized {
            Some(NormalizedInput { x, statistics, scale }) => {
                shader.buffers([("kept", statistics)]).uniforms([("x", x), ("scale", scale)])
            }
            None => shader,
        };
        shader.record(recorder, [width.div_ceil(across) as u32, 1, slices.count as u32])
    }
}

//! dW += xᵀ·dy: the inner dimension is the rows.

use super::tile::{Finish, LARGEST, each_tile, tile_tn};
use crate::simd::{Level, Simd, SimdBase, dispatch};

/// dW += xᵀ·dy: the gradient of a product's weights, added to the row-major `k`×`n` matrix `dw`.
///
/// x is \[rows, k\] with leading dimension `ldx`, dy is \[rows, n\] with leading dimension `ldy`.
pub fn gemm_tn(
    level: Level,
    rows: usize,
    k: usize,
    n: usize,
    x: &[f32],
    ldx: usize,
    dy: &[f32],
    ldy: usize,
    dw: &mut [f32],
) {
    assert!(ldx >= k && ldy >= n, "a leading dimension is shorter than its row");
    let x = Operand { data: x, stride: ldx, columns: k };
    let dy = Operand { data: dy, stride: ldy, columns: n };
    dispatch!(level, s => gradient(s, rows, x, dy, &mut dw[..k * n]));
}

/// One of the two matrices, its rows `stride` apart.
#[derive(Clone, Copy)]
struct Operand<'a> {
    data: &'a [f32],
    stride: usize,
    columns: usize,
}

impl<'a> Operand<'a> {
    /// The part that starts at this row and column.
    #[inline(always)]
    fn from(self, row: usize, column: usize) -> &'a [f32] {
        &self.data[row * self.stride + column..]
    }
}

/// Rows that are summed in registers before dW is touched: their part of a panel stays in the first-level cache.
const ROW_BLOCK: usize = 128;

/// From so many columns of x on, a panel of dy is copied before the tiles read it, for it is read so often: rows that lie a
/// power of two apart fall on a few lines of the first-level cache alone, which then holds no panel of them.
const OFTEN: usize = 256;

#[inline(always)]
fn gradient<S: Simd>(s: S, rows: usize, x: Operand<'_>, dy: Operand<'_>, dw: &mut [f32]) {
    let n = dy.columns;
    let wide = 2 * S::f32s::LEN;
    // The vectors lie along dy; but a dy of a few columns would leave most of a vector empty.
    let along_x = n < S::f32s::LEN && n < x.columns;
    let (a, b) = if along_x { (dy, x) } else { (x, dy) };
    for row in (0..rows).step_by(ROW_BLOCK) {
        let count = ROW_BLOCK.min(rows - row);
        for column in (0..b.columns).step_by(wide) {
            let rest = b.columns - column;
            if along_x {
                edge_panel::<S, true>(s, count, row, a, b, column, rest.min(wide), n, dw);
            } else if rest >= wide {
                let dw = &mut dw[column..];
                if a.columns >= OFTEN {
                    copied_panel(s, count, row, a, b, column, dw, n);
                } else {
                    whole_panel(s, count, row, a, b.from(row, column), b.stride, dw, n);
                }
            } else {
                edge_panel::<S, false>(s, count, row, a, b, column, rest, n, dw);
            }
        }
    }
}

/// [`whole_panel`] with the panel copied first, so that its rows lie side by side.
#[inline(always)]
fn copied_panel<S: Simd>(
    s: S,
    rows: usize,
    row: usize,
    a: Operand<'_>,
    b: Operand<'_>,
    column: usize,
    dw: &mut [f32],
    ldw: usize,
) {
    let wide = 2 * S::f32s::LEN;
    let mut panel = [0.0; ROW_BLOCK * 32];
    for (packed, r) in panel.chunks_exact_mut(wide).zip(row..row + rows) {
        packed.copy_from_slice(&b.from(r, column)[..wide]);
    }
    whole_panel(s, rows, row, a, &panel, wide, dw, ldw);
}

/// Columns of dW, two vectors wide, from a panel of dy.
#[inline(always)]
fn whole_panel<S: Simd>(
    s: S,
    rows: usize,
    row: usize,
    a: Operand<'_>,
    panel: &[f32],
    stride: usize,
    dw: &mut [f32],
    ldw: usize,
) {
    each_tile!(a.columns, S::f32s::LEN, |p, MR| tile_tn::<S, MR, 2>(
        s,
        rows,
        a.from(row, p),
        a.stride,
        panel,
        stride,
        Finish::Accumulate(1.0),
        &mut dw[p * ldw..],
        ldw
    ));
}

/// Columns `column..column + columns` of aᵀ·b, at most two vectors wide, through a scratch tile into dW, or into its
/// transpose where the roles of x and dy are swapped.
#[inline(always)]
fn edge_panel<S: Simd, const SWAPPED: bool>(
    s: S,
    rows: usize,
    row: usize,
    a: Operand<'_>,
    b: Operand<'_>,
    column: usize,
    columns: usize,
    ldw: usize,
    dw: &mut [f32],
) {
    let width = columns.next_multiple_of(S::f32s::LEN);
    let mut panel = [0.0; ROW_BLOCK * 32];
    let (panel, stride) = if width == columns {
        (b.from(row, column), b.stride)
    } else {
        // A vector may not reach beyond the end of b, so the panel is copied and padded.
        for (r, packed) in panel.chunks_exact_mut(width).take(rows).enumerate() {
            packed[..columns].copy_from_slice(&b.from(row + r, column)[..columns]);
        }
        (&panel[..], width)
    };
    let mut scratch = [0.0; LARGEST];
    each_tile!(a.columns, S::f32s::LEN, |p, MR| {
        let x = a.from(row, p);
        if width > S::f32s::LEN {
            tile_tn::<S, MR, 2>(s, rows, x, a.stride, panel, stride, Finish::Store, &mut scratch, width);
        } else {
            tile_tn::<S, MR, 1>(s, rows, x, a.stride, panel, stride, Finish::Store, &mut scratch, width);
        }
        for i in 0..MR {
            for j in 0..columns {
                let into = if SWAPPED { (column + j) * ldw + p + i } else { (p + i) * ldw + column + j };
                dw[into] += scratch[i * width + j];
            }
        }
    });
}

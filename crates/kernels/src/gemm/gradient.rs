//! Weight gradient dW += xᵀ·dy of a linear layer.

use super::tile::{Finish, MAX_TILE, each_tile, tile_tn};
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, Simd, SimdBase, dispatch};

/// Adds the weight gradient xᵀ·dy of a product x·W to `dw` (row-major, \[columns of x, columns of dy\]). x and dy have
/// `rows` rows.
///
/// # Panics
/// If x or dy has fewer than `rows` rows, or `dw` is too short.
pub fn gemm_tn(level: Level, rows: usize, x: Matrix<'_>, dy: Matrix<'_>, dw: &mut [f32]) {
    dispatch!(level, s => gradient(s, rows, x, dy, &mut dw[..x.columns * dy.columns]));
}

/// Number of rows of x and dy that are summed in registers before the weight gradient dW += xᵀ·dy is updated. A panel
/// (two SIMD vectors of columns) of this many rows stays in the L1 cache.
const ROW_BLOCK: usize = 128;

/// Minimum number of columns of x for which the weight gradient xᵀ·dy copies each panel of dy (two SIMD vectors of
/// columns) before use. Without the copy, rows at a distance of a power of two map to few sets of the L1 cache and
/// evict each other.
const MIN_COPIED_COLUMNS: usize = 256;

#[inline(always)]
fn gradient<S: Simd>(s: S, rows: usize, x: Matrix<'_>, dy: Matrix<'_>, dw: &mut [f32]) {
    let n = dy.columns;
    let wide = 2 * S::f32s::LEN;
    // Vectors run along dy, unless dy has few columns, which would leave most lanes empty.
    let along_x = n < S::f32s::LEN && n < x.columns;
    let (a, b) = if along_x { (dy, x) } else { (x, dy) };
    for row in (0..rows).step_by(ROW_BLOCK) {
        let count = ROW_BLOCK.min(rows - row);
        let a = a.from(row, 0);
        for column in (0..b.columns).step_by(wide) {
            let b = b.from(row, column);
            if along_x {
                edge_panel::<S, true>(s, count, a, b, n, &mut dw[column * n..]);
                continue;
            }
            let dw = &mut dw[column..];
            if b.columns < wide {
                edge_panel::<S, false>(s, count, a, b, n, dw);
            } else if a.columns >= MIN_COPIED_COLUMNS {
                copied_panel(s, count, a, b, MatrixMut { data: dw, columns: wide, stride: n });
            } else {
                whole_panel(s, count, a, b, MatrixMut { data: dw, columns: wide, stride: n });
            }
        }
    }
}

/// Adds aᵀ·b to `dw` as [`whole_panel`] does, but first copies the panel to contiguous memory. The panel is the first
/// two SIMD vectors of columns of b.
#[inline(always)]
fn copied_panel<S: Simd>(s: S, rows: usize, a: Matrix<'_>, b: Matrix<'_>, dw: MatrixMut<'_>) {
    let wide = 2 * S::f32s::LEN;
    let mut panel = [0.0; ROW_BLOCK * 32];
    for (r, packed) in panel.chunks_exact_mut(wide).take(rows).enumerate() {
        packed.copy_from_slice(&b.data[r * b.stride..][..wide]);
    }
    whole_panel(s, rows, a, Matrix::new(&panel, wide), dw);
}

/// Adds aᵀ·`panel` to `dw`, the corresponding columns of the weight gradient. The panel is two SIMD vectors of columns
/// wide.
#[inline(always)]
fn whole_panel<S: Simd>(s: S, rows: usize, a: Matrix<'_>, panel: Matrix<'_>, mut dw: MatrixMut<'_>) {
    each_tile!(a.columns, S::f32s::LEN, |p, MR| {
        tile_tn::<S, MR, 2>(s, rows, a.from(0, p), panel, Finish::Accumulate(1.0), dw.from(p, 0));
    });
}

/// Adds the first columns of aᵀ·b, at most two SIMD vectors, to the weight gradient dW through a scratch tile. dW has
/// rows of `n` elements. If `SWAPPED`, a is the output gradient and b the input of the layer, and the transpose of aᵀ·b
/// is added.
#[inline(always)]
fn edge_panel<S: Simd, const SWAPPED: bool>(
    s: S,
    rows: usize,
    a: Matrix<'_>,
    b: Matrix<'_>,
    n: usize,
    dw: &mut [f32],
) {
    let columns = b.columns.min(2 * S::f32s::LEN);
    let width = columns.next_multiple_of(S::f32s::LEN);
    let mut copied = [0.0; ROW_BLOCK * 32];
    let panel = if width == columns {
        b
    } else {
        // A vector load must not exceed the end of b, so the panel is copied and padded.
        for (r, packed) in copied.chunks_exact_mut(width).take(rows).enumerate() {
            packed[..columns].copy_from_slice(&b.data[r * b.stride..][..columns]);
        }
        Matrix::new(&copied, width)
    };
    let mut scratch = [0.0; MAX_TILE];
    each_tile!(a.columns, S::f32s::LEN, |p, MR| {
        let (x, into) = (a.from(0, p), MatrixMut::new(&mut scratch, width));
        if width > S::f32s::LEN {
            tile_tn::<S, MR, 2>(s, rows, x, panel, Finish::Store, into);
        } else {
            tile_tn::<S, MR, 1>(s, rows, x, panel, Finish::Store, into);
        }
        for i in 0..MR {
            for j in 0..columns {
                let into = if SWAPPED { j * n + p + i } else { (p + i) * n + j };
                dw[into] += scratch[i * width + j];
            }
        }
    });
}

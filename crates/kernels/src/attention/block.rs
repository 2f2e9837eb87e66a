//! Helpers of the forward and the backward pass of attention: copies of a head's rows, and matrix products of blocks.

use crate::gemm::product::panel_rows;
use crate::gemm::tile::{Finish, each_tile, tile_tn};
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Select, Simd, SimdBase};

/// Copies the columns of one attention head, `width` per token, to contiguous rows of `padded` elements, padded with
/// zeros. The source is a matrix with leading dimension `stride`.
#[inline(always)]
pub(super) fn gather(from: &[f32], stride: usize, width: usize, padded: usize, into: &mut [f32]) {
    for (into, from) in into.chunks_exact_mut(padded).zip(from.chunks(stride)) {
        into[..width].copy_from_slice(&from[..width]);
        into[width..].fill(0.0);
    }
}

/// Stores the transpose of the first `rows` rows of `from`, multiplied by `factor`. The result has rows of `columns`
/// elements, of which all but the first `rows` are zero.
#[inline(always)]
pub(super) fn transpose(from: Matrix<'_>, rows: usize, factor: f32, columns: usize, into: &mut [f32]) {
    into[..from.columns * columns].fill(0.0);
    for row in 0..rows {
        let from = &from.data[row * from.stride..][..from.columns];
        for (into, x) in into.chunks_exact_mut(columns).zip(from) {
            into[row] = x * factor;
        }
    }
}

/// Packs the first `rows` rows of a matrix, multiplied by `factor`, into panels: groups of columns, each stored row by
/// row. A panel is two SIMD vectors wide; the last panel may be one SIMD vector wide. Panels are padded with zero rows
/// to `height` rows.
#[inline(always)]
pub(super) fn panels<S: Simd>(from: Matrix<'_>, rows: usize, factor: f32, height: usize, into: &mut [f32]) {
    into.fill(0.0);
    let mut column = 0;
    for panel in into.chunks_mut(height * 2 * S::f32s::LEN) {
        let wide = panel.len() / height;
        let count = wide.min(from.columns - column);
        for (row, into) in panel.chunks_exact_mut(wide).take(rows).enumerate() {
            let from = &from.data[row * from.stride + column..][..count];
            into.iter_mut().zip(from).for_each(|(into, x)| *into = x * factor);
        }
        column += wide;
    }
}

/// Computes y = x·W or y += x·W, as `finish` states, for `rows` rows. W is packed by [`panels`] with `x.columns` rows.
/// Not inlined, because the function has many callers.
#[inline(never)]
pub(super) fn product<S: Simd>(
    s: S,
    rows: usize,
    x: Matrix<'_>,
    w: &[f32],
    finish: Finish<'_>,
    mut y: MatrixMut<'_>,
) {
    let wide = 2 * S::f32s::LEN;
    for (index, panel) in w.chunks(x.columns * wide).enumerate() {
        let y = y.from(0, index * wide);
        if panel.len() == x.columns * wide {
            panel_rows::<S, 2, false>(s, rows, x, panel, finish, y);
        } else {
            panel_rows::<S, 1, false>(s, rows, x, panel, finish, y);
        }
    }
}

/// Computes y += aᵀ·b, where a and b have `rows` rows. b and y have the same width, a multiple of the SIMD vector
/// length.
#[inline(never)]
pub(super) fn product_tn<S: Simd>(s: S, rows: usize, a: Matrix<'_>, b: Matrix<'_>, y: &mut [f32]) {
    let wide = 2 * S::f32s::LEN;
    let add = Finish::Accumulate(1.0);
    let mut y = MatrixMut::new(y, b.columns);
    for column in (0..b.columns).step_by(wide) {
        let b = b.from(0, column);
        if b.columns >= wide {
            each_tile!(a.columns, S::f32s::LEN, |p, MR| {
                tile_tn::<S, MR, 2>(s, rows, a.from(0, p), b, add, y.from(p, column));
            });
        } else {
            each_tile!(a.columns, S::f32s::LEN, |p, MR| {
                tile_tn::<S, MR, 1>(s, rows, a.from(0, p), b, add, y.from(p, column));
            });
        }
    }
}

/// Returns the indices 0, 1, … of the queries in a block, which has one query for each lane of two SIMD vectors.
#[inline(always)]
pub(super) fn queries<S: Simd>(s: S) -> [S::f32s; 2] {
    const COUNT: [f32; 32] = {
        let mut count = [0.0; 32];
        let mut i = 0;
        while i < 32 {
            count[i] = i as f32;
            i += 1;
        }
        count
    };
    let lanes = S::f32s::LEN;
    [0, 1].map(|v| S::f32s::from_slice(s, &COUNT[v * lanes..][..lanes]))
}

/// Applies the causal mask: returns `x` in lanes whose query may attend to the key, else `other`. `query` has the
/// positions of the queries, and `ahead` the position of the key, both relative to the block's first query.
#[inline(always)]
pub(super) fn causal<S: Simd>(s: S, query: S::f32s, ahead: f32, x: S::f32s, other: f32) -> S::f32s {
    query.simd_lt(ahead).select(S::f32s::splat(s, other), x)
}

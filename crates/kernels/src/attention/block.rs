//! What both directions are made of: copies of a head's numbers, and products of blocks.

use crate::gemm::product::panel_rows;
use crate::gemm::tile::{Finish, each_tile, tile_tn};
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Select, Simd, SimdBase};

/// Copies the numbers of one head, from rows `stride` apart, into rows of `padded` numbers, with zeros behind them.
#[inline(always)]
pub(super) fn gather(from: &[f32], stride: usize, width: usize, padded: usize, into: &mut [f32]) {
    for (into, from) in into.chunks_exact_mut(padded).zip(from.chunks(stride)) {
        into[..width].copy_from_slice(&from[..width]);
        into[width..].fill(0.0);
    }
}

/// Writes `rows` rows as columns, each number times `factor`; zeros in the columns that are left.
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

/// Writes `rows` rows, each number times `factor`, as panels of two vectors of columns (the last of one if that is enough),
/// `height` rows each; zeros in what is left.
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

/// y = x·W for `rows` rows, or added to y; W is in [`panels`] that are as high as x is wide. Not inlined: it is called from
/// many places, and its tiles are vectors by themselves.
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

/// y += aᵀ·b over `rows` rows: b and y are as wide as each other, which is a number of whole vectors.
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

/// A vector whose lanes are the first queries of a block, counted from its first one, and the vector after it.
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

/// `x` where the query may look at the key, else `other`: no query looks at a key that comes after it. `ahead` is by how
/// much the key comes after the block's first query.
#[inline(always)]
pub(super) fn causal<S: Simd>(s: S, query: S::f32s, ahead: f32, x: S::f32s, other: f32) -> S::f32s {
    query.simd_lt(ahead).select(S::f32s::splat(s, other), x)
}

//! Softmax of narrow rows, vectorized across rows: one SIMD vector holds column j of several rows.

use crate::math;
use crate::simd::{Simd, SimdBase, SimdFloat};

/// Maximum number of columns of a matrix for which softmax is vectorized across rows.
pub(super) const MAX_COLUMNS: usize = 8;

/// A block of rows as one SIMD vector per column. Each lane belongs to one row.
type Columns<S> = [<S as Simd>::f32s; MAX_COLUMNS];

#[inline(always)]
pub(super) fn forward<S: Simd, const LOG: bool>(s: S, n: usize, x: &[f32], y: &mut [f32]) {
    for (x, y) in x.chunks(n * S::f32s::LEN).zip(y.chunks_mut(n * S::f32s::LEN)) {
        let mut columns = load_columns(s, n, x);
        let mut max = columns[0];
        for column in &columns[1..n] {
            max = max.max(*column);
        }
        let mut total = S::f32s::splat(s, 0.0);
        for column in &mut columns[..n] {
            let difference = *column - max;
            let e = math::exp(s, difference);
            total += e;
            *column = if LOG { difference } else { e };
        }
        let shift = if LOG { math::ln(s, total) } else { S::f32s::splat(s, 1.0) / total };
        for column in &mut columns[..n] {
            *column = if LOG { *column - shift } else { *column * shift };
        }
        store_columns(s, n, &columns, y);
    }
}

#[inline(always)]
pub(super) fn backward<S: Simd, const LOG: bool>(s: S, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    let block = n * S::f32s::LEN;
    for ((y, dy), dx) in y.chunks(block).zip(dy.chunks(block)).zip(dx.chunks_mut(block)) {
        let (y, mut dy) = (load_columns(s, n, y), load_columns(s, n, dy));
        let mut total = S::f32s::splat(s, 0.0);
        for (y, dy) in y[..n].iter().zip(&dy) {
            total = if LOG { total + *dy } else { y.mul_add(*dy, total) };
        }
        for (y, dy) in y[..n].iter().zip(&mut dy) {
            *dy = if LOG { *dy - math::exp(s, *y) * total } else { *y * (*dy - total) };
        }
        store_columns(s, n, &dy, dx);
    }
}

/// Loads a block of rows as one SIMD vector per column: lane r of vector j is `x[r][j]`. Lanes after the last row are
/// zero.
#[inline(always)]
fn load_columns<S: Simd>(s: S, n: usize, x: &[f32]) -> Columns<S> {
    let lanes = S::f32s::LEN;
    let mut columns = [S::f32s::splat(s, 0.0); MAX_COLUMNS];
    if n == 2 && x.len() == 2 * lanes {
        let (low, high) = (S::f32s::from_slice(s, &x[..lanes]), S::f32s::from_slice(s, &x[lanes..]));
        (columns[0], columns[1]) = low.deinterleave(high);
    } else {
        for (r, row) in x.chunks_exact(n).enumerate() {
            for (column, &x) in columns.iter_mut().zip(row) {
                column[r] = x;
            }
        }
    }
    columns
}

/// Stores a block of rows that is given as one SIMD vector per column; the inverse of [`load_columns`].
#[inline(always)]
fn store_columns<S: Simd>(_: S, n: usize, columns: &Columns<S>, y: &mut [f32]) {
    let lanes = S::f32s::LEN;
    if n == 2 && y.len() == 2 * lanes {
        let (low, high) = columns[0].interleave(columns[1]);
        low.store_slice(&mut y[..lanes]);
        high.store_slice(&mut y[lanes..]);
    } else {
        for (r, row) in y.chunks_exact_mut(n).enumerate() {
            for (column, y) in columns.iter().zip(row) {
                *y = column[r];
            }
        }
    }
}

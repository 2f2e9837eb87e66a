//! y = x·W for a W of very few columns (policy and value heads): dot products, the lanes along a row of x.

use super::pack::PackedMatrix;
use super::tile::Finish;
use crate::simd::{Simd, SimdBase, SimdFloat, load_partial, sums_of_each};

#[inline(always)]
pub(super) fn product<S: Simd>(
    s: S,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    match w.n() {
        1 => rows_of::<S, 1>(s, rows, x, ldx, w, finish, y, ldy),
        2 => rows_of::<S, 2>(s, rows, x, ldx, w, finish, y, ldy),
        3 => rows_of::<S, 3>(s, rows, x, ldx, w, finish, y, ldy),
        _ => rows_of::<S, 4>(s, rows, x, ldx, w, finish, y, ldy),
    }
}

/// Four rows at a time, whose sums across lanes share their additions, then one by one.
#[inline(always)]
fn rows_of<S: Simd, const N: usize>(
    s: S,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    let mut row = 0;
    while rows - row >= 4 {
        block::<S, 4, N>(s, &x[row * ldx..], ldx, w, finish, &mut y[row * ldy..], ldy);
        row += 4;
    }
    while row < rows {
        block::<S, 1, N>(s, &x[row * ldx..], ldx, w, finish, &mut y[row * ldy..], ldy);
        row += 1;
    }
}

#[inline(always)]
fn block<S: Simd, const R: usize, const N: usize>(
    s: S,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    let lanes = S::f32s::LEN;
    let k = w.k();
    let (whole, padded) = (k - k % lanes, k.next_multiple_of(lanes));
    let mut sums = [[S::f32s::splat(s, 0.0); R]; N];
    for step in (0..whole).step_by(lanes) {
        let mut row = [S::f32s::splat(s, 0.0); R];
        for r in 0..R {
            row[r] = S::f32s::from_slice(s, &x[r * ldx + step..][..lanes]);
        }
        for j in 0..N {
            let w = S::f32s::from_slice(s, &w.data()[j * padded + step..][..lanes]);
            for r in 0..R {
                sums[j][r] = row[r].mul_add(w, sums[j][r]);
            }
        }
    }
    if whole < k {
        for r in 0..R {
            let row = load_partial(s, &x[r * ldx + whole..r * ldx + k], 0.0);
            for j in 0..N {
                let w = S::f32s::from_slice(s, &w.data()[j * padded + whole..][..lanes]);
                sums[j][r] = row.mul_add(w, sums[j][r]);
            }
        }
    }
    for j in 0..N {
        let dots = sums_of_each::<S, R>(s, sums[j]);
        for r in 0..R {
            let y = &mut y[r * ldy + j];
            *y = match finish {
                Finish::Store => dots[r],
                Finish::Bias(bias) => dots[r] + bias[j],
                Finish::Accumulate(beta) => beta * *y + dots[r],
            };
        }
    }
}

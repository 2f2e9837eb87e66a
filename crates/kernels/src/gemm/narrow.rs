//! y = x·W for a W of very few columns (policy and value heads): dot products, the lanes along a row of x.

use super::pack::PackedMatrix;
use super::tile::Finish;
use crate::simd::{Simd, SimdBase, SimdFloat, load_partial};

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
    let lanes = S::f32s::LEN;
    let k = w.k();
    let padded = k.next_multiple_of(lanes);
    for r in 0..rows {
        let x = &x[r * ldx..][..k];
        let mut sums = [S::f32s::splat(s, 0.0); N];
        for (v, x) in x.chunks(lanes).enumerate() {
            let x = if x.len() == lanes { S::f32s::from_slice(s, x) } else { load_partial(s, x, 0.0) };
            for j in 0..N {
                let w = S::f32s::from_slice(s, &w.data()[j * padded + v * lanes..][..lanes]);
                sums[j] = x.mul_add(w, sums[j]);
            }
        }
        let y = &mut y[r * ldy..][..N];
        for j in 0..N {
            let dot = sums[j].reduce_sum();
            y[j] = match finish {
                Finish::Store => dot,
                Finish::Bias(bias) => dot + bias[j],
                Finish::Accumulate(beta) => beta * y[j] + dot,
            };
        }
    }
}

//! Weight gradient dW += xᵀ·dy for a sparse x.

use super::gradient::gemm_tn;
use super::nonzero::{Indices, STEPS, nonzero};
use crate::matrix::Matrix;
use crate::reduce::is_finite;
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch};

/// Computes dW += xᵀ·dy as [`gemm_tn`](super::gemm_tn) does, in time proportional to the number of nonzero elements of
/// x. If an element of dy is infinite or NaN, the function takes the time of `gemm_tn`.
///
/// # Panics
/// As [`gemm_tn`](super::gemm_tn).
pub fn gemm_tn_sparse(level: Level, rows: usize, x: Matrix<'_>, dy: Matrix<'_>, dw: &mut [f32]) {
    let is_finite = |row: usize| is_finite(level, &dy.data[row * dy.stride..][..dy.columns]);
    if !(0..rows).all(is_finite) {
        return gemm_tn(level, rows, x, dy, dw);
    }
    dispatch!(level, s => gradient(s, rows, x, dy, &mut dw[..x.columns * dy.columns]));
}

/// Computes dW += xᵀ·dy: for each nonzero element x\[row, column\], adds x\[row, column\]·dy\[row\] to row `column` of
/// dW.
#[inline(always)]
fn gradient<S: Simd>(s: S, rows: usize, x: Matrix<'_>, dy: Matrix<'_>, dw: &mut [f32]) {
    let n = dy.columns;
    let lanes = S::f32s::LEN;
    let whole = n - n % lanes;
    let mut room: Indices = [0; _];
    for row in 0..rows {
        let dy = &dy.data[row * dy.stride..][..n];
        for (part, x) in x.data[row * x.stride..][..x.columns].chunks(STEPS).enumerate() {
            let end = nonzero(s, x, &mut room);
            for &place in &room[..end] {
                let place = usize::from(place);
                let number = x[place];
                let dw = &mut dw[(part * STEPS + place) * n..][..n];
                let many = S::f32s::splat(s, number);
                for (dw, dy) in dw[..whole].chunks_exact_mut(lanes).zip(dy.chunks_exact(lanes)) {
                    let sum = many.mul_add(S::f32s::from_slice(s, dy), S::f32s::from_slice(s, dw));
                    sum.store_slice(dw);
                }
                for (dw, dy) in dw[whole..].iter_mut().zip(&dy[whole..]) {
                    *dw += number * dy;
                }
            }
        }
    }
}

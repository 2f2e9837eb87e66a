//! Matrix product y = x·W for a W of at most four columns, such as policy and value heads: dot products along the rows
//! of x.

use super::pack::PackedMatrix;
use super::tile::{Finish, GemmArguments};
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Simd, SimdBase, SimdFloat, load_partial, sums_of_each};

#[inline(always)]
pub(super) fn product<S: Simd>(s: S, product: GemmArguments<'_>) {
    assert_eq!(product.w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    match product.w.n() {
        1 => rows_of::<S, 1>(s, product),
        2 => rows_of::<S, 2>(s, product),
        3 => rows_of::<S, 3>(s, product),
        _ => rows_of::<S, 4>(s, product),
    }
}

/// Computes x·W for a W of `N` columns: blocks of four rows with shared horizontal sums, then the remaining rows one by
/// one.
#[inline(always)]
fn rows_of<S: Simd, const N: usize>(s: S, GemmArguments { rows, x, w, finish, mut y }: GemmArguments<'_>) {
    let mut row = 0;
    while rows - row >= 4 {
        block::<S, 4, N>(s, x.from(row, 0), w, finish, y.from(row, 0));
        row += 4;
    }
    while row < rows {
        block::<S, 1, N>(s, x.from(row, 0), w, finish, y.from(row, 0));
        row += 1;
    }
}

#[inline(always)]
fn block<S: Simd, const R: usize, const N: usize>(
    s: S,
    x: Matrix<'_>,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: MatrixMut<'_>,
) {
    let lanes = S::f32s::LEN;
    let k = w.k();
    let (whole, padded) = (k - k % lanes, k.next_multiple_of(lanes));
    let mut sums = [[S::f32s::splat(s, 0.0); R]; N];
    for step in (0..whole).step_by(lanes) {
        let mut row = [S::f32s::splat(s, 0.0); R];
        for r in 0..R {
            row[r] = S::f32s::from_slice(s, &x.data[r * x.stride + step..][..lanes]);
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
            let row = load_partial(s, &x.data[r * x.stride + whole..r * x.stride + k], 0.0);
            for j in 0..N {
                let w = S::f32s::from_slice(s, &w.data()[j * padded + whole..][..lanes]);
                sums[j][r] = row.mul_add(w, sums[j][r]);
            }
        }
    }
    for j in 0..N {
        let dots = sums_of_each::<S, R>(s, sums[j]);
        for r in 0..R {
            let y = &mut y.data[r * y.stride + j];
            *y = match finish {
                Finish::Store => dots[r],
                Finish::Bias(bias) => dots[r] + bias[j],
                Finish::Accumulate(beta) => beta * *y + dots[r],
            };
        }
    }
}

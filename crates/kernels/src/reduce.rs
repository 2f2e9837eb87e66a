//! Sums and means of slices, and column sums of matrices.

use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, zip_slice};

/// Returns the sum Σ x; 0 for an empty slice.
pub fn sum(level: Level, x: &[f32]) -> f32 {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &[f32]) -> f32 {
        total(
            s,
            x,
            #[inline(always)]
            |sum, v| sum + v,
        )
    }
    dispatch!(level, s => kernel(s, x))
}

/// Returns whether all elements are finite: neither infinite nor NaN.
pub fn is_finite(level: Level, x: &[f32]) -> bool {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &[f32]) -> f32 {
        let zero = S::f32s::splat(s, 0.0);
        total(
            s,
            x,
            #[inline(always)]
            |sum, v| v.mul_add(zero, sum),
        )
    }
    // 0 times infinity or NaN is NaN.
    dispatch!(level, s => kernel(s, x)) == 0.0
}

/// Folds the elements of x by `add(sum, vector)`, and returns the total. Four independent SIMD sums avoid a dependency
/// chain. The last vector is padded with zeros.
#[inline(always)]
pub(crate) fn total<S: Simd>(s: S, x: &[f32], add: impl Fn(S::f32s, S::f32s) -> S::f32s) -> f32 {
    let mut sums = [S::f32s::splat(s, 0.0); 4];
    let mut blocks = x.chunks_exact(4 * S::f32s::LEN);
    for block in &mut blocks {
        for (sum, chunk) in sums.iter_mut().zip(block.chunks_exact(S::f32s::LEN)) {
            *sum = add(*sum, S::f32s::from_slice(s, chunk));
        }
    }
    for chunk in blocks.remainder().chunks(S::f32s::LEN) {
        sums[0] = add(sums[0], load_partial(s, chunk, 0.0));
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).reduce_sum()
}

/// Returns the mean of a slice; NaN for an empty slice.
pub fn mean(level: Level, x: &[f32]) -> f32 {
    sum(level, x) / x.len() as f32
}

/// Returns mean and population variance of a slice, computed in two passes; NaN for an empty slice.
pub fn mean_and_variance(level: Level, x: &[f32]) -> (f32, f32) {
    #[inline(always)]
    fn squares<S: Simd>(s: S, x: &[f32], mean: f32) -> f32 {
        let mut sum = S::f32s::splat(s, 0.0);
        for chunk in x.chunks(S::f32s::LEN) {
            // Padding lanes have a deviation of 0.
            let deviation = load_partial(s, chunk, mean) - mean;
            sum += deviation * deviation;
        }
        sum.reduce_sum()
    }
    let mean = mean(level, x);
    let squares = dispatch!(level, s => squares(s, x, mean));
    (mean, squares / x.len() as f32)
}

/// Adds x to y element by element: y ← y + x.
///
/// # Panics
/// If x and y differ in length.
pub fn add(level: Level, x: &[f32], y: &mut [f32]) {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &[f32], y: &mut [f32]) {
        zip_slice(
            s,
            y,
            x,
            #[inline(always)]
            |y, x| y + x,
        );
    }
    assert_eq!(x.len(), y.len(), "the two slices differ in length");
    dispatch!(level, s => kernel(s, x, y))
}

/// Adds the column sums of x to `sums`: sums\[j\] += Σ x\[row, j\], for x \[rows, n\] with leading dimension `ldx`.
///
/// # Panics
/// If `ldx` is below `n`, or a slice is too short.
pub fn add_columns(level: Level, rows: usize, n: usize, x: &[f32], ldx: usize, sums: &mut [f32]) {
    assert!(ldx >= n, "the leading dimension is shorter than a row");
    let sums = &mut sums[..n];
    if rows > 0 && n > 0 {
        let x = &x[..(rows - 1) * ldx + n];
        dispatch!(level, s => columns(s, rows, n, x, ldx, sums));
    }
}

#[inline(always)]
fn columns<S: Simd>(s: S, rows: usize, n: usize, x: &[f32], ldx: usize, sums: &mut [f32]) {
    match (n, ldx == n) {
        (1, true) => few_columns::<S, 1>(s, x, sums),
        (2, true) => few_columns::<S, 2>(s, x, sums),
        (3, true) => few_columns::<S, 3>(s, x, sums),
        (4, true) => few_columns::<S, 4>(s, x, sums),
        _ => {
            let lanes = S::f32s::LEN;
            let mut column = 0;
            while n - column >= 4 * lanes {
                whole_columns::<S, 4>(s, rows, &x[column..], ldx, &mut sums[column..]);
                column += 4 * lanes;
            }
            while n - column >= lanes {
                whole_columns::<S, 1>(s, rows, &x[column..], ldx, &mut sums[column..]);
                column += lanes;
            }
            for row in x.chunks(ldx) {
                for (sum, x) in sums[column..].iter_mut().zip(&row[column..n]) {
                    *sum += x;
                }
            }
        }
    }
}

/// Adds the column sums of the first `NV` SIMD vectors of columns of x to `sums`. The matrix x has `rows` rows and
/// leading dimension `ldx`; the totals stay in registers.
#[inline(always)]
fn whole_columns<S: Simd, const NV: usize>(s: S, rows: usize, x: &[f32], ldx: usize, sums: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let mut totals = [S::f32s::splat(s, 0.0); NV];
    for row in x.chunks(ldx).take(rows) {
        for (total, x) in totals.iter_mut().zip(row.chunks_exact(lanes)) {
            *total += S::f32s::from_slice(s, x);
        }
    }
    for (total, sum) in totals.into_iter().zip(sums.chunks_exact_mut(lanes)) {
        (total + S::f32s::from_slice(s, sum)).store_slice(sum);
    }
}

/// Adds the column sums of contiguous rows of `N` columns to `sums`, for `N` up to the number of SIMD lanes. A block of
/// `N` vectors holds whole rows: lane l of vector v belongs to column (v·lanes + l) mod `N`.
#[inline(always)]
fn few_columns<S: Simd, const N: usize>(s: S, x: &[f32], sums: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let mut totals = [S::f32s::splat(s, 0.0); N];
    let mut blocks = x.chunks_exact(N * lanes);
    for block in &mut blocks {
        for (total, x) in totals.iter_mut().zip(block.chunks_exact(lanes)) {
            *total += S::f32s::from_slice(s, x);
        }
    }
    for (v, total) in totals.iter().enumerate() {
        for (lane, total) in total.as_slice().iter().enumerate() {
            sums[(v * lanes + lane) % N] += total;
        }
    }
    for row in blocks.remainder().chunks_exact(N) {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += x;
        }
    }
}

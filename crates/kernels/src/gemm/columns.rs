//! Selected columns of y = x·W, with a separate selection for each row. Computes the policy logits of legal actions
//! only.

use crate::aligned::AlignedVec;
use crate::matrix::Ragged;
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, sums_of_each};

/// A k×n matrix whose columns are contiguous in memory, packed once for many products.
#[derive(Clone, Debug)]
pub struct PackedColumns {
    k: usize,
    n: usize,
    /// Distance between the starts of successive columns in elements: k, rounded up to whole cache lines.
    stride: usize,
    data: AlignedVec<f32>,
}

/// Number of f32 values in a cache line.
const LINE: usize = 16;

impl PackedColumns {
    /// Packs the columns of the row-major `k`×`n` matrix `w`.
    ///
    /// # Panics
    /// If the length of `w` is not `k`·`n`.
    pub fn pack(w: &[f32], k: usize, n: usize) -> Self {
        let stride = k.next_multiple_of(LINE);
        let mut packed = Self { k, n, stride, data: AlignedVec::zeros(stride * n) };
        packed.repack(w);
        packed
    }

    /// Replaces the weights by the row-major `k`×`n` matrix `w`, without allocating.
    ///
    /// # Panics
    /// If the length of `w` is not `k`·`n`.
    pub fn repack(&mut self, w: &[f32]) {
        let Self { k, n, stride, .. } = *self;
        assert_eq!(w.len(), k * n, "the weights are not a {k}×{n} matrix");
        // Iterates over blocks of `LINE` columns, so that the written cache lines remain cached while the rows are
        // read.
        for first in (0..n).step_by(LINE) {
            for (p, row) in w.chunks_exact(n).enumerate() {
                for (j, &weight) in row[first..].iter().take(LINE).enumerate() {
                    self.data[(first + j) * stride + p] = weight;
                }
            }
        }
    }
}

/// Computes selected elements of x·W + b for x \[rows, k\] and b \[n\]. Row r of `columns` lists the selected columns
/// of row r. `y` receives the selected elements in the order of `columns.values`.
///
/// # Panics
/// If `x` has fewer rows than `columns`, `bias` does not have n elements, or `y` and `columns.values` differ in length.
pub fn gemm_columns(
    level: Level,
    x: &[f32],
    w: &PackedColumns,
    bias: &[f32],
    columns: Ragged<'_, u32>,
    y: &mut [f32],
) {
    let rows = columns.ends.len();
    assert!(
        x.len() >= rows * w.k && bias.len() == w.n && y.len() == columns.values.len(),
        "x, bias or y has the wrong length"
    );
    dispatch!(level, s => rows_of(s, x, w, bias, columns, y));
}

#[inline(always)]
fn rows_of<S: Simd>(
    s: S,
    x: &[f32],
    w: &PackedColumns,
    bias: &[f32],
    columns: Ragged<'_, u32>,
    y: &mut [f32],
) {
    for (x, range) in x.chunks_exact(w.k).zip(columns.ranges()) {
        let mut fours = columns.values[range.clone()].chunks_exact(4);
        let mut sums = y[range].chunks_exact_mut(4);
        for (columns, y) in (&mut fours).zip(&mut sums) {
            let columns = [columns[0], columns[1], columns[2], columns[3]].map(|column| column as usize);
            y.copy_from_slice(&dots::<S, 4>(s, x, w, bias, columns));
        }
        for (&column, y) in fours.remainder().iter().zip(sums.into_remainder()) {
            [*y] = dots::<S, 1>(s, x, w, bias, [column as usize]);
        }
    }
}

/// Computes the dot products x·w + b of one row x with `N` columns w of W. The horizontal sums of the `N` dot products
/// share additions.
#[inline(always)]
fn dots<S: Simd, const N: usize>(
    s: S,
    x: &[f32],
    w: &PackedColumns,
    bias: &[f32],
    columns: [usize; N],
) -> [f32; N] {
    let lanes = S::f32s::LEN;
    let whole = w.k - w.k % lanes;
    let mut sums = [S::f32s::splat(s, 0.0); N];
    let mut weights = [&w.data[..0]; N];
    for j in 0..N {
        weights[j] = &w.data[columns[j] * w.stride..][..w.stride];
    }
    for step in (0..whole).step_by(lanes) {
        let x = S::f32s::from_slice(s, &x[step..][..lanes]);
        for j in 0..N {
            sums[j] = x.mul_add(S::f32s::from_slice(s, &weights[j][step..][..lanes]), sums[j]);
        }
    }
    let mut dots = sums_of_each::<S, N>(s, sums);
    for j in 0..N {
        for p in whole..w.k {
            dots[j] += x[p] * weights[j][p];
        }
        dots[j] += bias[columns[j]];
    }
    dots
}

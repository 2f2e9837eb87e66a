//! Matrix products in the three forms that training needs: y = x·W, dx = dy·Wᵀ and dW += xᵀ·dy.

use crate::aligned::AlignedVec;
use crate::simd::Level;

/// A matrix of weights laid out once for many products.
#[derive(Clone, Debug)]
pub struct PackedMatrix {
    k: usize,
    n: usize,
    panels: AlignedVec<f32>,
}

impl PackedMatrix {
    /// Room for a `k`×`n` matrix, zero for now, in the layout that products at `level` read.
    pub fn zeros(_level: Level, k: usize, n: usize) -> Self {
        Self { k, n, panels: AlignedVec::zeros(k * n) }
    }

    /// The row-major `k`×`n` matrix `w`: multiplying by it is x\[rows, k\] → y\[rows, n\].
    pub fn pack(level: Level, w: &[f32], k: usize, n: usize) -> Self {
        let mut packed = Self::zeros(level, k, n);
        packed.repack(w);
        packed
    }

    /// The transpose of the row-major `k`×`n` matrix `w`: multiplying by it is dy\[rows, n\] → dx\[rows, k\].
    pub fn pack_transposed(level: Level, w: &[f32], k: usize, n: usize) -> Self {
        let mut packed = Self::zeros(level, n, k);
        packed.repack_transposed(w);
        packed
    }

    /// Takes new weights, row-major `k`×`n`, without allocating.
    pub fn repack(&mut self, w: &[f32]) {
        self.panels.copy_from_slice(&w[..self.k * self.n]);
    }

    /// Takes new weights from the row-major `n`×`k` matrix `w`, transposed on the way, without allocating.
    pub fn repack_transposed(&mut self, w: &[f32]) {
        for p in 0..self.k {
            for j in 0..self.n {
                self.panels[p * self.n + j] = w[j * self.k + p];
            }
        }
    }

    /// Rows of the matrix: the length of a row of x.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Columns of the matrix: the length of a row of y.
    pub fn n(&self) -> usize {
        self.n
    }
}

/// y = x·W + `beta`·y, for `rows` rows; `beta` = 0 ignores what y held, even if it was NaN.
///
/// x is \[rows, k\] with leading dimension `ldx`, y is \[rows, n\] with leading dimension `ldy`.
pub fn gemm(
    _level: Level,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    y: &mut [f32],
    ldy: usize,
    beta: f32,
) {
    for r in 0..rows {
        let y = &mut y[r * ldy..][..w.n];
        if beta == 0.0 {
            y.fill(0.0);
        } else {
            y.iter_mut().for_each(|y| *y *= beta);
        }
        for (p, &x) in x[r * ldx..][..w.k].iter().enumerate() {
            for (y, &w) in y.iter_mut().zip(&w.panels[p * w.n..][..w.n]) {
                *y += x * w;
            }
        }
    }
}

/// dW += xᵀ·dy: the gradient of a product's weights, added to the row-major `k`×`n` matrix `dw`.
///
/// x is \[rows, k\] with leading dimension `ldx`, dy is \[rows, n\] with leading dimension `ldy`.
pub fn gemm_tn(
    _level: Level,
    rows: usize,
    k: usize,
    n: usize,
    x: &[f32],
    ldx: usize,
    dy: &[f32],
    ldy: usize,
    dw: &mut [f32],
) {
    for r in 0..rows {
        for p in 0..k {
            let x = x[r * ldx + p];
            for (dw, &dy) in dw[p * n..][..n].iter_mut().zip(&dy[r * ldy..][..n]) {
                *dw += x * dy;
            }
        }
    }
}

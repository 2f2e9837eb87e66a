//! Scalar reference implementations that accumulate in f64. The self-check of the GPU engine compares kernels with the
//! functions in this file. The functions in `testing.rs` are only for tests.

use crate::layernorm::LayerNorm;

mod testing;
#[doc(hidden)]
pub use testing::*;

/// Computes y = x·w + `beta`·y for contiguous matrices x \[rows, k\], w \[k, n\] and y \[rows, n\].
pub fn gemm(rows: usize, k: usize, n: usize, x: &[f32], w: &[f32], y: &mut [f32], beta: f32) {
    for r in 0..rows {
        for j in 0..n {
            let product: f64 = (0..k).map(|p| f64::from(x[r * k + p]) * f64::from(w[p * n + j])).sum();
            let before = if beta == 0.0 { 0.0 } else { f64::from(beta) * f64::from(y[r * n + j]) };
            y[r * n + j] = (product + before) as f32;
        }
    }
}

/// Computes dw += xᵀ·dy for contiguous matrices x \[rows, k\], dy \[rows, n\] and dw \[k, n\].
pub fn gemm_tn(rows: usize, k: usize, n: usize, x: &[f32], dy: &[f32], dw: &mut [f32]) {
    for p in 0..k {
        for j in 0..n {
            let product: f64 = (0..rows).map(|r| f64::from(x[r * k + p]) * f64::from(dy[r * n + j])).sum();
            dw[p * n + j] = (f64::from(dw[p * n + j]) + product) as f32;
        }
    }
}

/// Returns mean and 1/√(variance + ε) of a row.
fn mean_and_inverse_deviation(row: &[f32], epsilon: f32) -> (f32, f32) {
    let n = row.len() as f64;
    let mean = row.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
    let variance = row.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / n;
    (mean as f32, (1.0 / (variance + f64::from(epsilon)).sqrt()) as f32)
}

/// Writes the layer normalization of the row x to y. Returns mean and 1/√(variance + ε) of x.
pub fn layer_norm_row(x: &[f32], norm: &LayerNorm<'_>, y: &mut [f32]) -> (f32, f32) {
    let (mean, inverse) = mean_and_inverse_deviation(x, norm.epsilon);
    for j in 0..x.len() {
        y[j] = (x[j] - mean) * inverse * norm.gain[j] + norm.shift.map_or(0.0, |shift| shift[j]);
    }
    (mean, inverse)
}

/// Computes the gradients of layer normalization for one row x with output gradient dy. Overwrites dx, and adds to
/// `dgain` and `dshift`.
///
/// With x̂ = (x − mean)/σ and g = γ·dy: dx = (g − mean(g) − x̂·mean(g·x̂))/σ.
pub fn layer_norm_backward_row(
    x: &[f32],
    mean: f32,
    inverse_deviation: f32,
    gain: &[f32],
    dy: &[f32],
    dx: &mut [f32],
    dgain: &mut [f32],
    dshift: &mut [f32],
) {
    let n = x.len();
    let normalized = |j: usize| f64::from(x[j] - mean) * f64::from(inverse_deviation);
    let g = |j: usize| f64::from(gain[j]) * f64::from(dy[j]);
    let mean_g = (0..n).map(g).sum::<f64>() / n as f64;
    let mean_gx = (0..n).map(|j| g(j) * normalized(j)).sum::<f64>() / n as f64;
    for j in 0..n {
        dx[j] = ((g(j) - mean_g - normalized(j) * mean_gx) * f64::from(inverse_deviation)) as f32;
        dgain[j] += (f64::from(dy[j]) * normalized(j)) as f32;
        dshift[j] += dy[j];
    }
}

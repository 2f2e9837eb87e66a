//! Layer normalisation over the rows of a \[rows, n\] matrix, and its gradient (Ba, Kiros, Hinton, 2016).

use crate::reference;
use crate::simd::Level;

/// The learned part of a layer normalisation over n features.
#[derive(Clone, Copy, Debug)]
pub struct LayerNorm<'a> {
    /// γ, \[n\].
    pub gain: &'a [f32],
    /// β, \[n\].
    pub shift: &'a [f32],
    /// Added to the variance; 1e-5 is usual.
    pub epsilon: f32,
}

/// y = γ·(x − mean)/√(variance + ε) + β for every row. Keeps each row's mean and 1/√(variance + ε) for [`backward`].
pub fn forward(
    _level: Level,
    rows: usize,
    n: usize,
    x: &[f32],
    norm: &LayerNorm<'_>,
    y: &mut [f32],
    mean: &mut [f32],
    inverse_deviation: &mut [f32],
) {
    for r in 0..rows {
        let row = r * n..(r + 1) * n;
        (mean[r], inverse_deviation[r]) = reference::layer_norm_row(&x[row.clone()], norm, &mut y[row]);
    }
}

/// [`forward`] in place and keeping nothing: for inference.
pub fn forward_in_place(_level: Level, rows: usize, n: usize, x: &mut [f32], norm: &LayerNorm<'_>) {
    for row in x[..rows * n].chunks_exact_mut(n) {
        let (mean, inverse) = reference::mean_and_inverse_deviation(row, norm.epsilon);
        for ((x, g), b) in row.iter_mut().zip(norm.gain).zip(norm.shift) {
            *x = (*x - mean) * inverse * g + b;
        }
    }
}

/// The gradients of [`forward`], from its input x and what it kept: dx is overwritten, `dgain` and `dshift` are added to.
pub fn backward(
    _level: Level,
    rows: usize,
    n: usize,
    x: &[f32],
    mean: &[f32],
    inverse_deviation: &[f32],
    gain: &[f32],
    dy: &[f32],
    dx: &mut [f32],
    dgain: &mut [f32],
    dshift: &mut [f32],
) {
    for r in 0..rows {
        let row = r * n..(r + 1) * n;
        reference::layer_norm_backward_row(
            &x[row.clone()],
            mean[r],
            inverse_deviation[r],
            gain,
            &dy[row.clone()],
            &mut dx[row],
            dgain,
            dshift,
        );
    }
}

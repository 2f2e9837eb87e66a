//! Softmax and log-softmax over the rows of a \[rows, n\] matrix, and their gradients.

use crate::simd::Level;

/// Every row of y becomes the softmax of that row of x: yⱼ = e^(xⱼ − max) / Σ e^(xᵢ − max).
pub fn softmax(_level: Level, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for (x, y) in x[..rows * n].chunks_exact(n).zip(y[..rows * n].chunks_exact_mut(n)) {
        crate::reference::softmax_row(x, y);
    }
}

/// Every row of y becomes the log-softmax of that row of x: yⱼ = xⱼ − max − ln Σ e^(xᵢ − max).
pub fn log_softmax(_level: Level, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for (x, y) in x[..rows * n].chunks_exact(n).zip(y[..rows * n].chunks_exact_mut(n)) {
        crate::reference::log_softmax_row(x, y);
    }
}

/// dx = y·(dy − Σ yⱼ dyⱼ) for every row, from the softmax's output y.
pub fn softmax_backward(_level: Level, rows: usize, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    for r in 0..rows {
        let row = r * n..(r + 1) * n;
        crate::reference::softmax_backward_row(&y[row.clone()], &dy[row.clone()], &mut dx[row]);
    }
}

/// dx = dy − eʸ·Σ dyⱼ for every row, from the log-softmax's output y.
pub fn log_softmax_backward(_level: Level, rows: usize, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    for r in 0..rows {
        let row = r * n..(r + 1) * n;
        crate::reference::log_softmax_backward_row(&y[row.clone()], &dy[row.clone()], &mut dx[row]);
    }
}

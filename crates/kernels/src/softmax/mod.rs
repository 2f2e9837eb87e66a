//! Softmax and log-softmax over the rows of a \[rows, n\] matrix, and their gradients.
//!
//! Wide rows are worked on one at a time, the lanes along the row. The few columns of a policy over a handful of actions
//! would leave most lanes empty, so there the lanes are rows.
//!
//! A logit of −∞ gets probability zero; a row of nothing else has no softmax, and becomes NaN.

mod narrow;
mod wide;

use crate::simd::{Level, Simd, dispatch};

/// Every row of y becomes the softmax of that row of x: yⱼ = e^(xⱼ − max) / Σ e^(xᵢ − max).
pub fn softmax(level: Level, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    dispatch!(level, s => forward::<_, false>(s, rows, n, x, y));
}

/// Every row of y becomes the log-softmax of that row of x: yⱼ = xⱼ − max − ln Σ e^(xᵢ − max).
pub fn log_softmax(level: Level, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    dispatch!(level, s => forward::<_, true>(s, rows, n, x, y));
}

/// dx = y·(dy − Σ yⱼ dyⱼ) for every row, from the softmax's output y.
pub fn softmax_backward(level: Level, rows: usize, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    dispatch!(level, s => backward::<_, false>(s, rows, n, y, dy, dx));
}

/// dx = dy − eʸ·Σ dyⱼ for every row, from the log-softmax's output y.
pub fn log_softmax_backward(level: Level, rows: usize, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    dispatch!(level, s => backward::<_, true>(s, rows, n, y, dy, dx));
}

#[inline(always)]
fn forward<S: Simd, const LOG: bool>(s: S, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let (x, y) = (&x[..rows * n], &mut y[..rows * n]);
    if n == 0 {
    } else if n <= narrow::LARGEST {
        narrow::forward::<S, LOG>(s, n, x, y);
    } else {
        for (x, y) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
            wide::forward::<S, LOG>(s, x, y);
        }
    }
}

#[inline(always)]
fn backward<S: Simd, const LOG: bool>(s: S, rows: usize, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    let (y, dy, dx) = (&y[..rows * n], &dy[..rows * n], &mut dx[..rows * n]);
    if n == 0 {
    } else if n <= narrow::LARGEST {
        narrow::backward::<S, LOG>(s, n, y, dy, dx);
    } else {
        for ((y, dy), dx) in y.chunks_exact(n).zip(dy.chunks_exact(n)).zip(dx.chunks_exact_mut(n)) {
            wide::backward::<S, LOG>(s, y, dy, dx);
        }
    }
}

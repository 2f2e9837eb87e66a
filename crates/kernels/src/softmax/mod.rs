//! Softmax and log-softmax over the rows of a \[rows, n\] matrix, and their gradients.
//!
//! Wide rows are processed one at a time, vectorized along the row. Narrow rows, such as policy logits over a few
//! actions, are vectorized across rows.
//!
//! A logit of −∞ has probability 0. A row of only −∞ gives NaN.

mod narrow;
mod wide;

use crate::simd::{Level, Simd, dispatch};

/// Computes the softmax of each row of x \[rows, n\]: yⱼ = e^(xⱼ − max) / Σ e^(xᵢ − max).
///
/// # Panics
/// If a slice has fewer than `rows`·`n` elements.
pub fn softmax(level: Level, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    dispatch!(level, s => forward::<_, false>(s, rows, n, x, y));
}

/// Computes the log-softmax of each row of x \[rows, n\]: yⱼ = xⱼ − max − ln Σ e^(xᵢ − max).
///
/// # Panics
/// If a slice has fewer than `rows`·`n` elements.
pub fn log_softmax(level: Level, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    dispatch!(level, s => forward::<_, true>(s, rows, n, x, y));
}

/// Computes the gradient of softmax from its output y \[rows, n\] and the output gradient dy: dx = y·(dy − Σ yⱼ dyⱼ)
/// for each row.
///
/// # Panics
/// If a slice has fewer than `rows`·`n` elements.
pub fn softmax_backward(level: Level, rows: usize, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    dispatch!(level, s => backward::<_, false>(s, rows, n, y, dy, dx));
}

/// Computes the gradient of log-softmax from its output y \[rows, n\] and the output gradient dy: dx = dy − eʸ·Σ dyⱼ
/// for each row.
///
/// # Panics
/// If a slice has fewer than `rows`·`n` elements.
pub fn log_softmax_backward(level: Level, rows: usize, n: usize, y: &[f32], dy: &[f32], dx: &mut [f32]) {
    dispatch!(level, s => backward::<_, true>(s, rows, n, y, dy, dx));
}

#[inline(always)]
fn forward<S: Simd, const LOG: bool>(s: S, rows: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let (x, y) = (&x[..rows * n], &mut y[..rows * n]);
    if n == 0 {
    } else if n <= narrow::MAX_COLUMNS {
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
    } else if n <= narrow::MAX_COLUMNS {
        narrow::backward::<S, LOG>(s, n, y, dy, dx);
    } else {
        for ((y, dy), dx) in y.chunks_exact(n).zip(dy.chunks_exact(n)).zip(dx.chunks_exact_mut(n)) {
            wide::backward::<S, LOG>(s, y, dy, dx);
        }
    }
}

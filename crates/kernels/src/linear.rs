//! Linear layers: x·W + b, with layer normalisation and activation behind it where wanted.

use crate::activation::{self, Activation};
use crate::gemm::{PackedMatrix, gemm, gemm_bias, gemm_tn};
use crate::layernorm::{self, LayerNorm};
use crate::reduce;
use crate::simd::Level;

/// y = x·W + b for `rows` rows; x is \[rows, k\] with leading dimension `ldx`, y \[rows, n\] with `ldy`, b \[n\].
pub fn linear(
    level: Level,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    y: &mut [f32],
    ldy: usize,
) {
    match bias {
        Some(bias) => gemm_bias(level, rows, x, ldx, w, bias, y, ldy),
        None => gemm(level, rows, x, ldx, w, y, ldy, 0.0),
    }
}

/// y = activation(LayerNorm(x·W + b)), y contiguous \[rows, n\]; the whole layer for inference, keeping nothing.
pub fn linear_layer(
    level: Level,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    norm: Option<&LayerNorm<'_>>,
    activation: Activation,
    y: &mut [f32],
) {
    let n = w.n();
    let y = &mut y[..rows * n];
    linear(level, rows, x, ldx, w, bias, y, n);
    match norm {
        Some(norm) => layernorm::normalise_and_activate(level, rows, n, y, norm, activation),
        None => activation::forward(level, activation, y),
    }
}

/// The gradients of [`linear`]'s parameters: dW += xᵀ·dy and, where there is a bias, db += Σ dy over the rows.
///
/// dx = dy·Wᵀ is a [`gemm`] with the transposed pack ([`PackedMatrix::pack_transposed`]).
pub fn linear_backward(
    level: Level,
    rows: usize,
    k: usize,
    n: usize,
    x: &[f32],
    ldx: usize,
    dy: &[f32],
    ldy: usize,
    dw: &mut [f32],
    db: Option<&mut [f32]>,
) {
    gemm_tn(level, rows, k, n, x, ldx, dy, ldy, dw);
    if let Some(db) = db {
        reduce::add_columns(level, rows, n, dy, ldy, db);
    }
}

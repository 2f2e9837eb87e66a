//! Root-mean-square normalization over the rows of a \[rows, n\] matrix, and its gradient (Zhang and Sennrich 2019,
//! <https://arxiv.org/abs/1910.07467>).

use crate::reduce::total;
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial, zip_slice};

/// Parameters of a root-mean-square normalization over n features.
#[derive(Clone, Copy, Debug)]
pub struct RmsNorm<'a> {
    /// Gain γ of each feature, \[n\].
    pub gain: &'a [f32],
    /// ε, added to the mean of the squares.
    pub epsilon: f32,
}

/// Normalizes each row of x \[rows, n\] in place: x ← γ·x/√(mean(x²) + ε).
///
/// # Panics
/// If the length of x is not a multiple of n.
pub fn forward(level: Level, x: &mut [f32], norm: &RmsNorm<'_>) {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &mut [f32], norm: &RmsNorm<'_>) {
        for x in x.chunks_exact_mut(norm.gain.len()) {
            let inverse = inverse_rms(s, x, norm.epsilon);
            zip_slice(
                s,
                x,
                norm.gain,
                #[inline(always)]
                |x, gain| x * inverse * gain,
            );
        }
    }
    assert_rows(norm, x.len());
    if !x.is_empty() {
        dispatch!(level, s => kernel(s, x, norm));
    }
}

/// Computes the gradients of [`forward`] from its input x and the output gradient dy. Overwrites dx, and adds the
/// gradient of γ to `dgain`.
///
/// With x̂ = x/√(mean(x²) + ε) and g = γ·dy: dx = (g − x̂·mean(g·x̂))/√(mean(x²) + ε), and dγ = Σ dy·x̂.
///
/// # Panics
/// If the length of x is not a multiple of n, or a gradient does not have the length of its operand.
pub fn backward(level: Level, norm: &RmsNorm<'_>, x: &[f32], dy: &[f32], dx: &mut [f32], dgain: &mut [f32]) {
    assert_rows(norm, x.len());
    assert!(
        dy.len() == x.len() && dx.len() == x.len() && dgain.len() == norm.gain.len(),
        "operands differ in length"
    );
    if !x.is_empty() {
        dispatch!(level, s => differentiate(s, norm, x, dy, dx, dgain));
    }
}

#[inline(always)]
fn differentiate<S: Simd>(
    s: S,
    norm: &RmsNorm<'_>,
    x: &[f32],
    dy: &[f32],
    dx: &mut [f32],
    dgain: &mut [f32],
) {
    let (n, lanes) = (norm.gain.len(), S::f32s::LEN);
    for ((x, dy), dx) in x.chunks_exact(n).zip(dy.chunks_exact(n)).zip(dx.chunks_exact_mut(n)) {
        let inverse = inverse_rms(s, x, norm.epsilon);
        let vectors = || x.chunks(lanes).zip(dy.chunks(lanes)).zip(norm.gain.chunks(lanes));
        let mut products = S::f32s::splat(s, 0.0);
        for (((x, dy), gain), dgain) in vectors().zip(dgain.chunks_mut(lanes)) {
            let change = load_partial(s, dy, 0.0) * (load_partial(s, x, 0.0) * inverse);
            products = change.mul_add(load_partial(s, gain, 0.0), products);
            store_partial::<S>(load_partial(s, dgain, 0.0) + change, dgain);
        }
        let mean = products.reduce_sum() / n as f32;
        for (((x, dy), gain), dx) in vectors().zip(dx.chunks_mut(lanes)) {
            let g = load_partial(s, gain, 0.0) * load_partial(s, dy, 0.0);
            let normal = load_partial(s, x, 0.0) * inverse;
            store_partial::<S>((g - normal * mean) * inverse, dx);
        }
    }
}

/// Returns 1/√(mean(x²) + ε) of a row x, its inverse root mean square.
#[inline(always)]
fn inverse_rms<S: Simd>(s: S, x: &[f32], epsilon: f32) -> f32 {
    let squares = total(
        s,
        x,
        #[inline(always)]
        |sum, x| x.mul_add(x, sum),
    );
    1.0 / (squares / x.len() as f32 + epsilon).sqrt()
}

fn assert_rows(norm: &RmsNorm<'_>, len: usize) {
    let n = norm.gain.len();
    assert!(
        if n == 0 { len == 0 } else { len.is_multiple_of(n) },
        "the length of x is not a multiple of the row length"
    );
}

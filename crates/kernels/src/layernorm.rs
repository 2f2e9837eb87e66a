//! Layer normalisation over the rows of a \[rows, n\] matrix, and its gradient (Ba, Kiros, Hinton, 2016).

use crate::activation::{Activation, activate};
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};

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
    level: Level,
    rows: usize,
    n: usize,
    x: &[f32],
    norm: &LayerNorm<'_>,
    y: &mut [f32],
    mean: &mut [f32],
    inverse_deviation: &mut [f32],
) {
    #[inline(always)]
    fn kernel<S: Simd>(
        s: S,
        n: usize,
        x: &[f32],
        norm: &LayerNorm<'_>,
        y: &mut [f32],
        mean: &mut [f32],
        inverse_deviation: &mut [f32],
    ) {
        let lanes = S::f32s::LEN;
        let rows = x.chunks_exact(n).zip(y.chunks_exact_mut(n)).zip(mean).zip(inverse_deviation);
        for (((x, y), mean), inverse) in rows {
            (*mean, *inverse) = statistics(s, x, norm.epsilon);
            let (scale, offset) = (S::f32s::splat(s, *inverse), S::f32s::splat(s, -*mean * *inverse));
            let learned = norm.gain.chunks(lanes).zip(norm.shift.chunks(lanes));
            for ((x, y), (gain, shift)) in x.chunks(lanes).zip(y.chunks_mut(lanes)).zip(learned) {
                let normalised = load_partial(s, x, 0.0).mul_add(scale, offset);
                let result = normalised.mul_add(load_partial(s, gain, 0.0), load_partial(s, shift, 0.0));
                store_partial::<S>(result, y);
            }
        }
    }
    assert_learned(n, norm);
    if n > 0 {
        let (x, y) = (&x[..rows * n], &mut y[..rows * n]);
        let (mean, inverse_deviation) = (&mut mean[..rows], &mut inverse_deviation[..rows]);
        dispatch!(level, s => kernel(s, n, x, norm, y, mean, inverse_deviation));
    }
}

/// [`forward`] in place, keeping nothing: for inference.
pub fn forward_in_place(level: Level, rows: usize, n: usize, x: &mut [f32], norm: &LayerNorm<'_>) {
    normalise_and_activate(level, rows, n, x, norm, Activation::None);
}

/// x ← activation(γ·(x − mean)/√(variance + ε) + β) for every row, in one pass over x once its statistics are known.
pub fn normalise_and_activate(
    level: Level,
    rows: usize,
    n: usize,
    x: &mut [f32],
    norm: &LayerNorm<'_>,
    activation: Activation,
) {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, n: usize, x: &mut [f32], norm: &LayerNorm<'_>, activation: Activation) {
        let lanes = S::f32s::LEN;
        for x in x.chunks_exact_mut(n) {
            let (mean, inverse) = statistics(s, x, norm.epsilon);
            let (scale, offset) = (S::f32s::splat(s, inverse), S::f32s::splat(s, -mean * inverse));
            let learned = norm.gain.chunks(lanes).zip(norm.shift.chunks(lanes));
            for (x, (gain, shift)) in x.chunks_mut(lanes).zip(learned) {
                let normalised = load_partial(s, x, 0.0).mul_add(scale, offset);
                let result = normalised.mul_add(load_partial(s, gain, 0.0), load_partial(s, shift, 0.0));
                store_partial::<S>(activate(s, activation, result), x);
            }
        }
    }
    assert_learned(n, norm);
    if n > 0 {
        let x = &mut x[..rows * n];
        // Each activation on its own, so that the choice is made once and not for every vector.
        match activation {
            Activation::None => dispatch!(level, s => kernel(s, n, x, norm, Activation::None)),
            Activation::Relu => dispatch!(level, s => kernel(s, n, x, norm, Activation::Relu)),
            Activation::Tanh => dispatch!(level, s => kernel(s, n, x, norm, Activation::Tanh)),
            Activation::Gelu => dispatch!(level, s => kernel(s, n, x, norm, Activation::Gelu)),
        }
    }
}

/// The gradients of [`forward`], from its input x and what it kept: dx is overwritten, `dgain` and `dshift` are added to.
///
/// With x̂ = (x − mean)/σ and g = γ·dy: dx = (g − mean(g) − x̂·mean(g·x̂))/σ.
pub fn backward(
    level: Level,
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
    #[inline(always)]
    fn row<S: Simd>(
        s: S,
        x: &[f32],
        mean: f32,
        inverse_deviation: f32,
        gain: &[f32],
        dy: &[f32],
        dx: &mut [f32],
        dgain: &mut [f32],
        dshift: &mut [f32],
    ) {
        let lanes = S::f32s::LEN;
        let (scale, offset) =
            (S::f32s::splat(s, inverse_deviation), S::f32s::splat(s, -mean * inverse_deviation));
        let mut sum = S::f32s::splat(s, 0.0);
        let mut product_sum = S::f32s::splat(s, 0.0);
        let inputs = x.chunks(lanes).zip(dy.chunks(lanes)).zip(gain.chunks(lanes));
        for (((x, dy), gain), (dgain, dshift)) in
            inputs.clone().zip(dgain.chunks_mut(lanes).zip(dshift.chunks_mut(lanes)))
        {
            let normalised = load_partial(s, x, 0.0).mul_add(scale, offset);
            // Zero beyond the end of the row, so that those lanes add nothing.
            let dy = load_partial(s, dy, 0.0);
            let g = dy * load_partial(s, gain, 0.0);
            sum += g;
            product_sum = g.mul_add(normalised, product_sum);
            store_partial::<S>(dy.mul_add(normalised, load_partial(s, dgain, 0.0)), dgain);
            store_partial::<S>(dy + load_partial(s, dshift, 0.0), dshift);
        }
        let per_feature = 1.0 / x.len() as f32;
        let mean_g = S::f32s::splat(s, sum.reduce_sum() * per_feature);
        let mean_gx = S::f32s::splat(s, -product_sum.reduce_sum() * per_feature);
        for (((x, dy), gain), dx) in inputs.zip(dx.chunks_mut(lanes)) {
            let normalised = load_partial(s, x, 0.0).mul_add(scale, offset);
            let g = load_partial(s, dy, 0.0) * load_partial(s, gain, 0.0);
            store_partial::<S>(normalised.mul_add(mean_gx, g - mean_g) * scale, dx);
        }
    }

    #[inline(always)]
    fn kernel<S: Simd>(
        s: S,
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
        let rows = x.chunks_exact(n).zip(dy.chunks_exact(n)).zip(dx.chunks_exact_mut(n));
        for (((x, dy), dx), (&mean, &inverse)) in rows.zip(mean.iter().zip(inverse_deviation)) {
            row(s, x, mean, inverse, gain, dy, dx, dgain, dshift);
        }
    }
    if n > 0 {
        let (x, dy, dx) = (&x[..rows * n], &dy[..rows * n], &mut dx[..rows * n]);
        let (mean, inverse) = (&mean[..rows], &inverse_deviation[..rows]);
        let (gain, dgain, dshift) = (&gain[..n], &mut dgain[..n], &mut dshift[..n]);
        dispatch!(level, s => kernel(s, n, x, mean, inverse, gain, dy, dx, dgain, dshift));
    }
}

/// Mean and 1/√(variance + ε) of a row; the variance in a second pass, around the mean.
#[inline(always)]
fn statistics<S: Simd>(s: S, row: &[f32], epsilon: f32) -> (f32, f32) {
    let lanes = S::f32s::LEN;
    let per_feature = 1.0 / row.len() as f32;
    let mut sum = S::f32s::splat(s, 0.0);
    for x in row.chunks(lanes) {
        sum += load_partial(s, x, 0.0);
    }
    let mean = sum.reduce_sum() * per_feature;
    let mut squares = S::f32s::splat(s, 0.0);
    for x in row.chunks(lanes) {
        // The lanes beyond the end deviate by nothing.
        let deviation = load_partial(s, x, mean) - mean;
        squares = deviation.mul_add(deviation, squares);
    }
    (mean, 1.0 / (squares.reduce_sum() * per_feature + epsilon).sqrt())
}

fn assert_learned(n: usize, norm: &LayerNorm<'_>) {
    assert!(norm.gain.len() == n && norm.shift.len() == n, "gain and shift are not one number a feature");
}

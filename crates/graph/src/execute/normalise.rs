//! activation(norm(x) + residual) in place, and the gradient of a layer norm: in few passes, over lines of a known number
//! of vectors.

use vivarium_kernels::layernorm::{self, LayerNorm};
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat, dispatch};
use vivarium_kernels::{Activation, Level, activation, reduce};

/// Lines whose statistics are taken together.
const BLOCK: usize = 16;

/// x ← activation(norm(x) + residual) for every line of `n` numbers.
pub(crate) fn normalise(
    level: Level,
    n: usize,
    x: &mut [f32],
    norm: &LayerNorm<'_>,
    residual: Option<&[f32]>,
    activation: Activation,
) {
    // ReLU is part of the pass; the others cost more than a pass of their own.
    let relu = activation == Activation::Relu;
    if !normalise_vectors(level, n, x, norm, residual, relu) {
        layernorm::forward_in_place(level, x.len() / n, n, x, norm);
        if let Some(residual) = residual {
            reduce::add(level, residual, x);
        }
        return activation::forward(level, activation, x);
    }
    if !relu {
        activation::forward(level, activation, x);
    }
}

/// The quick form, for widths that are so many whole vectors; false for others, with nothing done.
fn normalise_vectors(
    level: Level,
    n: usize,
    x: &mut [f32],
    norm: &LayerNorm<'_>,
    residual: Option<&[f32]>,
    relu: bool,
) -> bool {
    #[inline(always)]
    fn choose<S: Simd>(
        s: S,
        n: usize,
        x: &mut [f32],
        norm: &LayerNorm<'_>,
        residual: Option<&[f32]>,
        relu: bool,
    ) -> bool {
        macro_rules! vectors {
            ($($count:literal)*) => {
                match (n / S::f32s::LEN, residual, relu) {
                    $(($count, None, false) => normalise_lines::<S, $count, false, false>(s, x, norm, &[]),
                    ($count, None, true) => normalise_lines::<S, $count, false, true>(s, x, norm, &[]),
                    ($count, Some(residual), false) => normalise_lines::<S, $count, true, false>(s, x, norm, residual),
                    ($count, Some(residual), true) => normalise_lines::<S, $count, true, true>(s, x, norm, residual),)*
                    _ => return false,
                }
            };
        }
        if !n.is_multiple_of(S::f32s::LEN) {
            return false;
        }
        vectors!(4 8 16 32);
        true
    }
    dispatch!(level, s => choose(s, n, x, norm, residual, relu))
}

/// max(y, 0), where not a number stays visible.
#[inline(always)]
fn relu<S: Simd>(s: S, y: S::f32s) -> S::f32s {
    let zero = S::f32s::splat(s, 0.0);
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        // `maxps` gives its second operand where either is not a number.
        zero.max(y)
    } else {
        y.simd_lt(zero).select(zero, y)
    }
}

/// Mean and 1/√(variance + ε) of up to a block of lines of `V` vectors; the variance is taken around the mean.
///
/// No line waits for another one's result, so that the processor overlaps them.
#[inline(always)]
fn statistics<S: Simd, const V: usize>(s: S, block: &[f32], epsilon: f32) -> [(f32, f32); BLOCK] {
    let (lanes, n) = (S::f32s::LEN, V * S::f32s::LEN);
    let (zero, per_number) = (S::f32s::splat(s, 0.0), 1.0 / n as f32);
    let mut statistics = [(0.0, 0.0); BLOCK];
    for (line, statistics) in block.chunks_exact(n).zip(&mut statistics) {
        // Four sums at a time, each in a place of its own in the program: a loop that is too long to be written out would
        // find them by a number otherwise, and in memory.
        let (mut sums, mut squares) = ([zero; 4], [zero; 4]);
        for four in line.chunks_exact(4 * lanes) {
            for i in 0..4 {
                sums[i] += S::f32s::from_slice(s, &four[i * lanes..][..lanes]);
            }
        }
        let mean = ((sums[0] + sums[1]) + (sums[2] + sums[3])).reduce_sum() * per_number;
        for four in line.chunks_exact(4 * lanes) {
            for i in 0..4 {
                let deviation = S::f32s::from_slice(s, &four[i * lanes..][..lanes]) - mean;
                squares[i] = deviation.mul_add(deviation, squares[i]);
            }
        }
        let sum = ((squares[0] + squares[1]) + (squares[2] + squares[3])).reduce_sum();
        *statistics = (mean, 1.0 / (sum * per_number + epsilon).sqrt());
    }
    statistics
}

/// Lines of `V` vectors.
#[inline(always)]
fn normalise_lines<S: Simd, const V: usize, const RESIDUAL: bool, const RELU: bool>(
    s: S,
    x: &mut [f32],
    norm: &LayerNorm<'_>,
    residual: &[f32],
) {
    s.vectorize(
        #[inline(always)]
        || {
            let (lanes, n) = (S::f32s::LEN, V * S::f32s::LEN);
            let zero = S::f32s::splat(s, 0.0);
            let (mut gain, mut shift) = ([zero; V], [zero; V]);
            for i in 0..V {
                gain[i] = S::f32s::from_slice(s, &norm.gain[i * lanes..][..lanes]);
                shift[i] = S::f32s::from_slice(s, &norm.shift[i * lanes..][..lanes]);
            }
            for (index, block) in x.chunks_mut(BLOCK * n).enumerate() {
                let statistics = statistics::<S, V>(s, block, norm.epsilon);
                for (row, (line, (mean, scale))) in block.chunks_exact_mut(n).zip(statistics).enumerate() {
                    let (scale, offset) = (S::f32s::splat(s, scale), S::f32s::splat(s, -mean * scale));
                    for i in 0..V {
                        let line = &mut line[i * lanes..][..lanes];
                        let normal = S::f32s::from_slice(s, line).mul_add(scale, offset);
                        let mut y = normal.mul_add(gain[i], shift[i]);
                        if RESIDUAL {
                            let start = (index * BLOCK + row) * n + i * lanes;
                            y += S::f32s::from_slice(s, &residual[start..][..lanes]);
                        }
                        if RELU {
                            y = relu(s, y);
                        }
                        y.store_slice(line);
                    }
                }
            }
        },
    );
}

/// dx from what the layer norm got and dy; adds to the gradients of gain and shift.
///
/// With x̂ the normalised x and g = gain·dy: dx = (g − mean(g) − x̂·mean(g·x̂))/√(variance + ε). `scratch` holds two
/// numbers a line.
pub(crate) fn normalise_gradient(
    level: Level,
    n: usize,
    x: &[f32],
    norm: &LayerNorm<'_>,
    dy: &[f32],
    dx: &mut [f32],
    dgain: &mut [f32],
    dshift: &mut [f32],
    scratch: &mut [f32],
) {
    #[inline(always)]
    fn choose<S: Simd>(
        s: S,
        n: usize,
        x: &[f32],
        norm: &LayerNorm<'_>,
        dy: &[f32],
        dx: &mut [f32],
        dgain: &mut [f32],
        dshift: &mut [f32],
    ) -> bool {
        macro_rules! vectors {
            ($($count:literal)*) => {
                match n / S::f32s::LEN {
                    $($count => gradient_lines::<S, $count>(s, x, norm, dy, dx, dgain, dshift),)*
                    _ => return false,
                }
            };
        }
        if !n.is_multiple_of(S::f32s::LEN) {
            return false;
        }
        vectors!(4 8 16 32);
        true
    }
    if !dispatch!(level, s => choose(s, n, x, norm, dy, dx, dgain, dshift)) {
        let lines = x.len() / n;
        let (mean, rest) = scratch.split_at_mut(lines);
        let deviation = &mut rest[..lines];
        layernorm::forward(level, lines, n, x, norm, dx, mean, deviation);
        layernorm::backward(level, lines, n, x, mean, deviation, norm.gain, dy, dx, dgain, dshift);
    }
}

/// The gradient of lines of `V` vectors.
#[inline(always)]
fn gradient_lines<S: Simd, const V: usize>(
    s: S,
    x: &[f32],
    norm: &LayerNorm<'_>,
    dy: &[f32],
    dx: &mut [f32],
    dgain: &mut [f32],
    dshift: &mut [f32],
) {
    s.vectorize(
        #[inline(always)]
        || {
            let (lanes, n) = (S::f32s::LEN, V * S::f32s::LEN);
            let (zero, per_number) = (S::f32s::splat(s, 0.0), 1.0 / n as f32);
            let (mut gain, mut gain_sums, mut shift_sums) = ([zero; V], [zero; V], [zero; V]);
            for (gain, numbers) in gain.iter_mut().zip(norm.gain.chunks_exact(lanes)) {
                *gain = S::f32s::from_slice(s, numbers);
            }
            let blocks = x.chunks(BLOCK * n).zip(dy.chunks(BLOCK * n)).zip(dx.chunks_mut(BLOCK * n));
            for ((x, dy), dx) in blocks {
                let statistics = statistics::<S, V>(s, x, norm.epsilon);
                let mut means = [(0.0, 0.0); BLOCK];
                let lines = x.chunks_exact(n).zip(dy.chunks_exact(n)).zip(statistics);
                for (((x, dy), (mean, scale)), means) in lines.clone().zip(&mut means) {
                    let (mut sums, mut products) = ([zero; 2], [zero; 2]);
                    for i in 0..V {
                        let normal = (S::f32s::from_slice(s, &x[i * lanes..][..lanes]) - mean) * scale;
                        let dy = S::f32s::from_slice(s, &dy[i * lanes..][..lanes]);
                        let g = dy * gain[i];
                        gain_sums[i] = dy.mul_add(normal, gain_sums[i]);
                        shift_sums[i] += dy;
                        sums[i % 2] += g;
                        products[i % 2] = g.mul_add(normal, products[i % 2]);
                    }
                    *means = (
                        (sums[0] + sums[1]).reduce_sum() * per_number,
                        (products[0] + products[1]).reduce_sum() * per_number,
                    );
                }
                for ((((x, dy), (mean, scale)), means), dx) in lines.zip(means).zip(dx.chunks_exact_mut(n)) {
                    for i in 0..V {
                        let normal = (S::f32s::from_slice(s, &x[i * lanes..][..lanes]) - mean) * scale;
                        let g = S::f32s::from_slice(s, &dy[i * lanes..][..lanes]) * gain[i] - means.0;
                        ((g - normal * means.1) * scale).store_slice(&mut dx[i * lanes..][..lanes]);
                    }
                }
            }
            for i in 0..V {
                let (dgain, dshift) = (&mut dgain[i * lanes..][..lanes], &mut dshift[i * lanes..][..lanes]);
                (S::f32s::from_slice(s, dgain) + gain_sums[i]).store_slice(dgain);
                (S::f32s::from_slice(s, dshift) + shift_sums[i]).store_slice(dshift);
            }
        },
    );
}

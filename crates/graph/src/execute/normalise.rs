//! activation(norm(x) + residual), in place, each line held in registers from the first pass over it to the last.

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
    if !in_registers(level, n, x, norm, residual, relu) {
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

/// The one-pass form, for widths that are so many whole vectors; false for others, with nothing done.
fn in_registers(
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
                    $(($count, None, false) => lines::<S, $count, false, false>(s, x, norm, &[]),
                    ($count, None, true) => lines::<S, $count, false, true>(s, x, norm, &[]),
                    ($count, Some(residual), false) => lines::<S, $count, true, false>(s, x, norm, residual),
                    ($count, Some(residual), true) => lines::<S, $count, true, true>(s, x, norm, residual),)*
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

/// Lines of `V` vectors.
#[inline(always)]
fn lines<S: Simd, const V: usize, const RESIDUAL: bool, const RELU: bool>(
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
            let per_number = 1.0 / n as f32;
            for (index, block) in x.chunks_mut(BLOCK * n).enumerate() {
                // First the statistics of a block's lines, which wait for each other's results nowhere, so that the
                // processor overlaps them; then the lines.
                let mut statistics = [(0.0, 0.0); BLOCK];
                for (line, statistics) in block.chunks_exact(n).zip(&mut statistics) {
                    let mut v = [zero; V];
                    let mut sums = [zero; 4];
                    for i in 0..V {
                        v[i] = S::f32s::from_slice(s, &line[i * lanes..][..lanes]);
                        sums[i % 4] += v[i];
                    }
                    let mean = ((sums[0] + sums[1]) + (sums[2] + sums[3])).reduce_sum() * per_number;
                    let mut squares = [zero; 4];
                    for i in 0..V {
                        v[i] -= mean;
                        squares[i % 4] = v[i].mul_add(v[i], squares[i % 4]);
                    }
                    let sum = ((squares[0] + squares[1]) + (squares[2] + squares[3])).reduce_sum();
                    *statistics = (mean, 1.0 / (sum * per_number + norm.epsilon).sqrt());
                }
                for (row, (line, (mean, scale))) in block.chunks_exact_mut(n).zip(statistics).enumerate() {
                    for i in 0..V {
                        let line = &mut line[i * lanes..][..lanes];
                        let deviation = S::f32s::from_slice(s, line) - mean;
                        let mut y = (deviation * scale).mul_add(gain[i], shift[i]);
                        if RESIDUAL {
                            let start = (index * BLOCK + row) * n + i * lanes;
                            y += S::f32s::from_slice(s, &residual[start..][..lanes]);
                        }
                        if RELU {
                            y = y.simd_lt(zero).select(zero, y);
                        }
                        y.store_slice(line);
                    }
                }
            }
        },
    );
}

//! Layer normalization over the rows of a \[rows, n\] matrix, and its gradient (Ba, Kiros and Hinton 2016,
//! <https://arxiv.org/abs/1607.06450>).
//!
//! Rows are processed in blocks, and the columns of a block in groups of a few SIMD vectors. Gain and offset of a group
//! thus stay in registers. The backward pass computes mean and variance again, which is cheaper than to store them.

// Loops over the vectors of a group index several arrays; iterators would be less readable.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use crate::activation::{self, Activation, relu};
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};

/// Number of rows that are processed together. The processor overlaps their computations, which are independent.
const BLOCK: usize = 16;

/// Parameters of a layer normalization over n features.
#[derive(Clone, Copy, Debug)]
pub struct LayerNorm<'a> {
    /// Gain γ of each feature, \[n\].
    pub gain: &'a [f32],
    /// Offset β of each feature, \[n\]; `None` for a normalization without offset.
    pub shift: Option<&'a [f32]>,
    /// ε, added to the variance; commonly 1e-5.
    pub epsilon: f32,
}

/// Parameter gradients of a [`LayerNorm`]. [`backward`] adds to the previous contents.
#[derive(Debug)]
pub struct LayerNormGradient<'a> {
    /// Gradient of the gain γ, \[n\].
    pub gain: &'a mut [f32],
    /// Gradient of the offset β, \[n\]; `None` for a normalization without offset.
    pub shift: Option<&'a mut [f32]>,
}

/// Normalizes each row of x \[rows, n\] in place: x ← activation(γ·(x − mean)/√(variance + ε) + β + residual).
///
/// # Panics
/// If the length of x is not a multiple of n, or residual or parameters do not have the required length.
pub fn forward(
    level: Level,
    x: &mut [f32],
    norm: &LayerNorm<'_>,
    residual: Option<&[f32]>,
    activation: Option<Activation>,
) {
    assert_rows(norm, x.len());
    let added = residual.unwrap_or(&[]);
    assert!(residual.is_none() || added.len() == x.len(), "residual and x differ in length");
    if x.is_empty() {
        return;
    }
    // ReLU is fused; other activations take a second pass.
    let is_relu = activation == Some(Activation::Relu);
    match (residual.is_some(), is_relu) {
        (false, false) => dispatch!(level, s => normalize::<_, false, false>(s, x, norm, added)),
        (false, true) => dispatch!(level, s => normalize::<_, false, true>(s, x, norm, added)),
        (true, false) => dispatch!(level, s => normalize::<_, true, false>(s, x, norm, added)),
        (true, true) => dispatch!(level, s => normalize::<_, true, true>(s, x, norm, added)),
    }
    if let Some(activation) = activation.filter(|_| !is_relu) {
        activation::forward(level, activation, x);
    }
}

/// Computes the gradients of [`forward`] from its input x and the output gradient dy, for a layer without residual and
/// activation. Overwrites dx, and adds to the parameter gradients.
///
/// With x̂ = (x − mean)/σ and g = γ·dy: dx = (g − mean(g) − x̂·mean(g·x̂))/σ.
///
/// # Panics
/// If the length of x is not a multiple of n, or a gradient does not have the length of its operand.
pub fn backward(
    level: Level,
    x: &[f32],
    norm: &LayerNorm<'_>,
    dy: &[f32],
    dx: &mut [f32],
    gradient: LayerNormGradient<'_>,
) {
    assert_rows(norm, x.len());
    assert!(dy.len() == x.len() && dx.len() == x.len(), "x, dy and dx differ in length");
    assert!(
        gradient.gain.len() == norm.gain.len()
            && gradient.shift.as_ref().map(|shift| shift.len()) == norm.shift.map(<[f32]>::len),
        "gradients and parameters differ in length"
    );
    if !x.is_empty() {
        dispatch!(level, s => differentiate(s, x, norm, dy, dx, gradient));
    }
}

fn assert_rows(norm: &LayerNorm<'_>, len: usize) {
    let n = norm.gain.len();
    assert!(norm.shift.is_none_or(|shift| shift.len() == n), "gain and shift differ in length");
    assert!(
        if n == 0 { len == 0 } else { len.is_multiple_of(n) },
        "the length of x is not a multiple of the row length"
    );
}

/// Runs `$work` for each group of columns of a row, with the range `$columns` and its length `$vectors` in SIMD
/// vectors. Groups are as wide as the registers allow; then single vectors follow, of which the last may be partial.
macro_rules! each_group {
    ($n:expr, $lanes:expr, |$columns:ident, $vectors:ident| $work:expr) => {{
        let (n, lanes) = ($n, $lanes);
        let mut first = 0;
        macro_rules! while_room {
            ($count:literal) => {
                while n - first >= $count * lanes {
                    const $vectors: usize = $count;
                    let $columns = first..first + $count * lanes;
                    $work;
                    first += $count * lanes;
                }
            };
        }
        if lanes == 16 {
            while_room!(8);
        }
        while_room!(4);
        while first < n {
            const $vectors: usize = 1;
            let $columns = first..n.min(first + lanes);
            $work;
            first += lanes;
        }
    }};
}

/// Loads a group of columns of a row as `V` SIMD vectors. If `V` is 1, the vector may be partial.
#[inline(always)]
fn load<S: Simd, const V: usize>(s: S, x: &[f32]) -> [S::f32s; V] {
    let lanes = S::f32s::LEN;
    let mut vectors = [S::f32s::splat(s, 0.0); V];
    for i in 0..V {
        vectors[i] =
            if V == 1 { load_partial(s, x, 0.0) } else { S::f32s::from_slice(s, &x[i * lanes..][..lanes]) };
    }
    vectors
}

/// Stores the `V` SIMD vectors of a group of columns; the inverse of [`load`].
#[inline(always)]
fn store<S: Simd, const V: usize>(vectors: [S::f32s; V], x: &mut [f32]) {
    let lanes = S::f32s::LEN;
    for i in 0..V {
        if V == 1 {
            store_partial::<S>(vectors[i], x);
        } else {
            vectors[i].store_slice(&mut x[i * lanes..][..lanes]);
        }
    }
}

/// Mean and inverse standard deviation 1/√(variance + ε) of a row.
#[derive(Clone, Copy, Default)]
struct Statistics {
    mean: f32,
    inverse_deviation: f32,
}

/// Computes mean and 1/√(variance + ε) of each row of a block: four rows at a time with overlapping reductions, then
/// the remaining rows one by one.
#[inline(always)]
fn statistics<S: Simd>(s: S, block: &[f32], norm: &LayerNorm<'_>) -> [Statistics; BLOCK] {
    let n = norm.gain.len();
    let mut all = [Statistics::default(); BLOCK];
    let rows = block.len() / n;
    let fours = rows - rows % 4;
    for (rows, statistics) in block.chunks_exact(4 * n).zip(all.chunks_exact_mut(4)) {
        statistics_of::<S, 4>(s, rows, norm, statistics);
    }
    for (row, statistics) in block[fours * n..].chunks_exact(n).zip(all[fours..].chunks_exact_mut(1)) {
        statistics_of::<S, 1>(s, row, norm, statistics);
    }
    all
}

/// Computes mean and 1/√(variance + ε) of `R` rows. The variance takes a second pass over the row.
#[inline(always)]
fn statistics_of<S: Simd, const R: usize>(
    s: S,
    rows: &[f32],
    norm: &LayerNorm<'_>,
    statistics: &mut [Statistics],
) {
    let (lanes, n) = (S::f32s::LEN, norm.gain.len());
    let (zero, per_number) = (S::f32s::splat(s, 0.0), 1.0 / n as f32);
    let (whole, rows) = (n - n % lanes, &rows[..R * n]);
    let (mut sums, mut squares, mut mean) = ([zero; R], [zero; R], [0.0; R]);
    for first in (0..whole).step_by(lanes) {
        for i in 0..R {
            sums[i] += S::f32s::from_slice(s, &rows[i * n + first..][..lanes]);
        }
    }
    if whole < n {
        for i in 0..R {
            sums[i] += load_partial(s, &rows[i * n + whole..(i + 1) * n], 0.0);
        }
    }
    for i in 0..R {
        mean[i] = sums[i].reduce_sum() * per_number;
    }
    for first in (0..whole).step_by(lanes) {
        for i in 0..R {
            let deviation = S::f32s::from_slice(s, &rows[i * n + first..][..lanes]) - mean[i];
            squares[i] = deviation.mul_add(deviation, squares[i]);
        }
    }
    if whole < n {
        for i in 0..R {
            // Padding lanes have a deviation of 0.
            let deviation = load_partial(s, &rows[i * n + whole..(i + 1) * n], mean[i]) - mean[i];
            squares[i] = deviation.mul_add(deviation, squares[i]);
        }
    }
    for i in 0..R {
        let inverse_deviation = 1.0 / (squares[i].reduce_sum() * per_number + norm.epsilon).sqrt();
        statistics[i] = Statistics { mean: mean[i], inverse_deviation };
    }
}

#[inline(always)]
fn normalize<S: Simd, const RESIDUAL: bool, const RELU: bool>(
    s: S,
    x: &mut [f32],
    norm: &LayerNorm<'_>,
    residual: &[f32],
) {
    s.vectorize(
        #[inline(always)]
        || {
            let n = norm.gain.len();
            for (index, block) in x.chunks_mut(BLOCK * n).enumerate() {
                let statistics = statistics(s, block, norm);
                let residual = if RESIDUAL { &residual[index * BLOCK * n..] } else { residual };
                each_group!(n, S::f32s::LEN, |columns, V| normalize_group::<S, V, RESIDUAL, RELU>(
                    s,
                    columns,
                    block,
                    &statistics,
                    norm,
                    residual
                ));
            }
        },
    );
}

/// Normalizes one group of columns in all rows of a block, given mean and 1/√(variance + ε) of each row. Then adds the
/// residual if `RESIDUAL`, and applies ReLU if `RELU`.
#[inline(always)]
fn normalize_group<S: Simd, const V: usize, const RESIDUAL: bool, const RELU: bool>(
    s: S,
    columns: Range<usize>,
    block: &mut [f32],
    statistics: &[Statistics; BLOCK],
    norm: &LayerNorm<'_>,
    residual: &[f32],
) {
    let n = norm.gain.len();
    let gain = load::<S, V>(s, &norm.gain[columns.clone()]);
    let zero = [S::f32s::splat(s, 0.0); V];
    let shift = norm.shift.map_or(zero, |shift| load::<S, V>(s, &shift[columns.clone()]));
    for (index, (row, &Statistics { mean, inverse_deviation })) in
        block.chunks_exact_mut(n).zip(statistics).enumerate()
    {
        let (scale, offset) =
            (S::f32s::splat(s, inverse_deviation), S::f32s::splat(s, -mean * inverse_deviation));
        let row = &mut row[columns.clone()];
        let mut y = load::<S, V>(s, row);
        for i in 0..V {
            y[i] = y[i].mul_add(scale, offset).mul_add(gain[i], shift[i]);
        }
        if RESIDUAL {
            let added = load::<S, V>(s, &residual[index * n..][columns.clone()]);
            for i in 0..V {
                y[i] += added[i];
            }
        }
        if RELU {
            for i in 0..V {
                y[i] = relu(s, y[i]);
            }
        }
        store::<S, V>(y, row);
    }
}

/// A block of rows of the input x and of the output gradient dy, with mean and 1/√(variance + ε) of each row of x.
struct RowBlock<'a> {
    x: &'a [f32],
    dy: &'a [f32],
    statistics: [Statistics; BLOCK],
}

#[inline(always)]
fn differentiate<S: Simd>(
    s: S,
    x: &[f32],
    norm: &LayerNorm<'_>,
    dy: &[f32],
    dx: &mut [f32],
    gradient: LayerNormGradient<'_>,
) {
    s.vectorize(
        #[inline(always)]
        || {
            let LayerNormGradient { gain: dgain, shift: mut dshift } = gradient;
            let (n, zero) = (norm.gain.len(), S::f32s::splat(s, 0.0));
            let per_number = 1.0 / n as f32;
            let blocks = x.chunks(BLOCK * n).zip(dy.chunks(BLOCK * n)).zip(dx.chunks_mut(BLOCK * n));
            for ((x, dy), dx) in blocks {
                let block = RowBlock { x, dy, statistics: statistics(s, x, norm) };
                // Σ g and Σ g·x̂ of each row.
                let mut sums = [[zero; 2]; BLOCK];
                each_group!(n, S::f32s::LEN, |columns, V| {
                    let dgain = &mut dgain[columns.clone()];
                    let dshift = dshift.as_deref_mut().map(|dshift| &mut dshift[columns.clone()]);
                    sum_group::<S, V>(s, columns, &block, norm, &mut sums, dgain, dshift);
                });
                let mut means = [[0.0; 2]; BLOCK];
                for (means, sums) in means.iter_mut().zip(&sums).take(x.len() / n) {
                    *means = [sums[0].reduce_sum() * per_number, sums[1].reduce_sum() * per_number];
                }
                each_group!(n, S::f32s::LEN, |columns, V| differentiate_group::<S, V>(
                    s, columns, &block, norm, &means, dx
                ));
            }
        },
    );
}

/// Adds the terms of one group of columns to two sums of each row in a block, Σ γ·dy and Σ γ·dy·x̂, where x̂ is the
/// normalized input. Also adds the group's terms to the gradients of gain and offset.
#[inline(always)]
fn sum_group<S: Simd, const V: usize>(
    s: S,
    columns: Range<usize>,
    block: &RowBlock<'_>,
    norm: &LayerNorm<'_>,
    sums: &mut [[S::f32s; 2]; BLOCK],
    dgain: &mut [f32],
    dshift: Option<&mut [f32]>,
) {
    let (n, zero) = (norm.gain.len(), S::f32s::splat(s, 0.0));
    let gain = load::<S, V>(s, &norm.gain[columns.clone()]);
    let mut gain_sums = load::<S, V>(s, dgain);
    let mut shift_sums = dshift.as_ref().map_or([zero; V], |dshift| load::<S, V>(s, dshift));
    let rows = block.x.chunks_exact(n).zip(block.dy.chunks_exact(n)).zip(&block.statistics);
    for (((x, dy), &Statistics { mean, inverse_deviation }), row_sums) in rows.zip(sums) {
        let (x, dy) = (load::<S, V>(s, &x[columns.clone()]), load::<S, V>(s, &dy[columns.clone()]));
        let (mut sums, mut products) = ([zero; 2], [zero; 2]);
        for i in 0..V {
            let normal = (x[i] - mean) * inverse_deviation;
            let g = dy[i] * gain[i];
            gain_sums[i] = dy[i].mul_add(normal, gain_sums[i]);
            shift_sums[i] += dy[i];
            sums[i % 2] += g;
            products[i % 2] = g.mul_add(normal, products[i % 2]);
        }
        row_sums[0] += sums[0] + sums[1];
        row_sums[1] += products[0] + products[1];
    }
    store::<S, V>(gain_sums, dgain);
    if let Some(dshift) = dshift {
        store::<S, V>(shift_sums, dshift);
    }
}

/// Computes the input gradient dx in one group of columns, for all rows of a block.
#[inline(always)]
fn differentiate_group<S: Simd, const V: usize>(
    s: S,
    columns: Range<usize>,
    block: &RowBlock<'_>,
    norm: &LayerNorm<'_>,
    means: &[[f32; 2]; BLOCK],
    dx: &mut [f32],
) {
    let n = norm.gain.len();
    let gain = load::<S, V>(s, &norm.gain[columns.clone()]);
    let rows = block.x.chunks_exact(n).zip(block.dy.chunks_exact(n)).zip(dx.chunks_exact_mut(n));
    for (((x, dy), dx), (&Statistics { mean, inverse_deviation }, means)) in
        rows.zip(block.statistics.iter().zip(means))
    {
        let (x, dy) = (load::<S, V>(s, &x[columns.clone()]), load::<S, V>(s, &dy[columns.clone()]));
        let mut gradient = [S::f32s::splat(s, 0.0); V];
        for i in 0..V {
            let normal = (x[i] - mean) * inverse_deviation;
            gradient[i] = (dy[i] * gain[i] - means[0] - normal * means[1]) * inverse_deviation;
        }
        store::<S, V>(gradient, &mut dx[columns.clone()]);
    }
}

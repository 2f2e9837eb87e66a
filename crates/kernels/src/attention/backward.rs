//! Backward pass of attention, which recomputes the attention weights.

use std::ops::Range;

use super::block::{causal, gather, panels, product, product_tn, queries, transpose};
use super::{AttentionSizes, BlockSizes, KEYS, split_scratch};
use crate::gemm::tile::Finish;
use crate::math;
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, Simd, SimdBase, dispatch};

/// Results of [`super::attention`] that the backward pass reads.
#[derive(Clone, Copy, Debug)]
pub struct AttentionOutput<'a> {
    /// Output of all attention heads side by side, \[tokens, width\].
    pub y: &'a [f32],
    /// Log-sum-exp of the attention scores of each token and head, \[tokens, heads\].
    pub log_sum_exps: &'a [f32],
}

/// Computes the gradient of causal attention ([`super::attention`]): `dqkv` \[tokens, 3·width\] from the output
/// gradient `dy` \[tokens, width\]. `scratch` has [`AttentionSizes::scratch_len`] elements.
///
/// The attention weights are w = e^(score − log-sum-exp). The gradient of the values is wᵀ·dy; the gradient of the
/// scores is w∘(dy·vᵀ − Σ y∘dy), where the sum is over the head's columns of a query.
///
/// # Panics
/// If a slice is too short for `shape`.
pub fn attention_backward(
    level: Level,
    shape: AttentionSizes,
    qkv: &[f32],
    attended: AttentionOutput<'_>,
    dy: &[f32],
    dqkv: &mut [f32],
    scratch: &mut [f32],
) {
    let AttentionSizes { tokens, heads, .. } = shape;
    let len = tokens * 3 * shape.width();
    assert!(qkv.len() >= len && dqkv.len() >= len, "queries, keys and values are too short");
    let fits = |y: &[f32]| y.len() >= tokens * shape.width();
    assert!(
        fits(attended.y) && fits(dy) && attended.log_sum_exps.len() >= tokens * heads,
        "the outputs, their gradient or the log-sum-exps are too short"
    );
    dispatch!(level, s => heads_of(s, shape, qkv, attended, dy, dqkv, scratch));
}

#[inline(always)]
fn heads_of<S: Simd>(
    s: S,
    shape: AttentionSizes,
    qkv: &[f32],
    attended: AttentionOutput<'_>,
    dy: &[f32],
    dqkv: &mut [f32],
    scratch: &mut [f32],
) {
    let AttentionSizes { tokens, heads, head_width } = shape;
    let (width, stride) = (shape.width(), 3 * shape.width());
    let BlockSizes { queries: count, padded } = shape.blocks(S::f32s::LEN);
    let mut scratch = scratch;
    let [keys, values, dkeys, dvalues] = [(); 4].map(|()| split_scratch(&mut scratch, tokens * padded));
    let [query, dquery_of] = [(); 2].map(|()| split_scratch(&mut scratch, head_width * count));
    let [query_rows, dy_rows, dquery] = [(); 3].map(|()| split_scratch(&mut scratch, count * padded));
    let [weights, dscores] = [(); 2].map(|()| split_scratch(&mut scratch, KEYS * count));
    let factor = 1.0 / (head_width as f32).sqrt();
    for head in 0..heads {
        let column = head * head_width;
        gather(&qkv[width + column..], stride, head_width, padded, keys);
        gather(&qkv[2 * width + column..], stride, head_width, padded, values);
        dkeys.fill(0.0);
        dvalues.fill(0.0);
        for first in (0..tokens).step_by(count) {
            let here = count.min(tokens - first);
            let q = Matrix::strided(&qkv[first * stride + column..], head_width, stride);
            transpose(q, here, factor, count, query);
            panels::<S>(q, here, factor, count, query_rows);
            let dy_here = Matrix::strided(&dy[first * width + column..], head_width, width);
            transpose(dy_here, here, 1.0, count, dquery_of);
            panels::<S>(dy_here, here, 1.0, count, dy_rows);
            dquery.fill(0.0);
            let query_statistics = query_statistics(s, shape, head, attended, dy, first..first + here);
            for key in (0..first + here).step_by(KEYS) {
                let count_here = KEYS.min(first + here - key);
                let rows = |of| Matrix::strided(of, head_width, padded).from(key, 0);
                let weights = &mut weights[..count_here * count];
                let dscores = &mut dscores[..count_here * count];
                let (store, add) = (Finish::Store, Finish::Accumulate(1.0));
                product(s, count_here, rows(keys), query, store, MatrixMut::new(weights, count));
                product(s, count_here, rows(values), dquery_of, store, MatrixMut::new(dscores, count));
                differentiate(s, key as f32 - first as f32, &query_statistics, weights, dscores);
                let (weights, dscores) = (Matrix::new(weights, count), Matrix::new(dscores, count));
                let rows_mut = |of| MatrixMut::new(of, padded);
                product(s, count_here, weights, dy_rows, add, rows_mut(&mut dvalues[key * padded..]));
                product(s, count_here, dscores, query_rows, add, rows_mut(&mut dkeys[key * padded..]));
                product_tn(s, count_here, dscores, Matrix::new(keys, padded).from(key, 0), dquery);
            }
            scatter(dquery, padded, head_width, here, factor, &mut dqkv[first * stride + column..], stride);
        }
        scatter(dkeys, padded, head_width, tokens, 1.0, &mut dqkv[width + column..], stride);
        scatter(dvalues, padded, head_width, tokens, 1.0, &mut dqkv[2 * width + column..], stride);
    }
}

/// Statistics of each query in a block, for one attention head: log-sum-exp of the query's scores, and dot product of
/// its output and output gradient.
struct QueryStatistics<S: Simd> {
    log_sum: [S::f32s; 2],
    offset: [S::f32s; 2],
}

#[inline(always)]
fn query_statistics<S: Simd>(
    s: S,
    shape: AttentionSizes,
    head: usize,
    attended: AttentionOutput<'_>,
    dy: &[f32],
    tokens: Range<usize>,
) -> QueryStatistics<S> {
    let (width, head_width) = (shape.width(), shape.head_width);
    // Padding queries have weights, but no gradient.
    let (mut log_sum, mut offset) = ([0.0; 32], [0.0; 32]);
    for (i, token) in tokens.enumerate() {
        let start = token * width + head * head_width;
        let products = attended.y[start..].iter().zip(&dy[start..][..head_width]);
        log_sum[i] = attended.log_sum_exps[token * shape.heads + head];
        offset[i] = products.map(|(y, dy)| y * dy).sum::<f32>();
    }
    let lanes = S::f32s::LEN;
    let both = |x: &[f32; 32]| [0, 1].map(|v| S::f32s::from_slice(s, &x[v * lanes..][..lanes]));
    QueryStatistics { log_sum: both(&log_sum), offset: both(&offset) }
}

/// Replaces attention scores by attention weights, and gradients of the weights by gradients of the scores. Both
/// matrices are \[keys, queries\]. `ahead` is the position of the first key minus the position of the first query.
#[inline(always)]
fn differentiate<S: Simd>(
    s: S,
    ahead: f32,
    query_statistics: &QueryStatistics<S>,
    scores: &mut [f32],
    dweights: &mut [f32],
) {
    let (lanes, query) = (S::f32s::LEN, queries(s));
    let (log_sum, offset) = (query_statistics.log_sum, query_statistics.offset);
    s.vectorize(
        #[inline(always)]
        || {
            let rows = scores.chunks_exact_mut(2 * lanes).zip(dweights.chunks_exact_mut(2 * lanes));
            for (j, (scores, dweights)) in rows.enumerate() {
                let ahead = ahead + j as f32;
                for v in 0..2 {
                    let (scores, dweights) =
                        (&mut scores[v * lanes..][..lanes], &mut dweights[v * lanes..][..lanes]);
                    let mut weight = math::exp(s, S::f32s::from_slice(s, scores) - log_sum[v]);
                    if ahead > 0.0 {
                        weight = causal(s, query[v], ahead, weight, 0.0);
                    }
                    let dscore = weight * (S::f32s::from_slice(s, dweights) - offset[v]);
                    weight.store_slice(scores);
                    dscore.store_slice(dweights);
                }
            }
        },
    );
}

/// Copies the first `width` elements of each matrix row, multiplied by `factor`, to a matrix with leading dimension
/// `stride`. The rows of the source have `padded` elements.
#[inline(always)]
fn scatter(
    from: &[f32],
    padded: usize,
    width: usize,
    rows: usize,
    factor: f32,
    into: &mut [f32],
    stride: usize,
) {
    for (into, from) in into.chunks_mut(stride).zip(from.chunks_exact(padded)).take(rows) {
        into[..width].iter_mut().zip(from).for_each(|(into, x)| *into = x * factor);
    }
}

//! Forward pass of attention: y = softmax(q·kᵀ/√(head width))·v for each head, by online softmax.

use super::block::{causal, gather, product, product_tn, queries, transpose};
use super::{AttentionSizes, BlockSizes, KEYS, split_scratch};
use crate::gemm::tile::Finish;
use crate::math;
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch};
use std::ops::Range;

/// Computes causal attention over one sequence. `qkv` \[tokens, 3·width\] holds the queries, keys and values of all
/// heads; `y` \[tokens, width\] receives the outputs of all heads side by side. `log_sum_exps` \[tokens, heads\]
/// receives the log-sum-exp of each token's scores, which [`super::attention_backward`] reads. `scratch` has
/// [`AttentionSizes::scratch_len`] elements.
///
/// # Panics
/// If a slice is too short for `shape`.
pub fn attention(
    level: Level,
    shape: AttentionSizes,
    qkv: &[f32],
    y: &mut [f32],
    log_sum_exps: &mut [f32],
    scratch: &mut [f32],
) {
    let AttentionSizes { tokens, heads, .. } = shape;
    assert!(qkv.len() >= tokens * 3 * shape.width(), "queries, keys and values are too short");
    assert!(
        y.len() >= tokens * shape.width() && log_sum_exps.len() >= tokens * heads,
        "the outputs or log-sum-exps are too short"
    );
    dispatch!(level, s => heads_of(s, shape, qkv, y, log_sum_exps, scratch));
}

#[inline(always)]
fn heads_of<S: Simd>(
    s: S,
    shape: AttentionSizes,
    qkv: &[f32],
    y: &mut [f32],
    log_sum_exps: &mut [f32],
    scratch: &mut [f32],
) {
    let AttentionSizes { tokens, heads, head_width } = shape;
    let (width, stride) = (shape.width(), 3 * shape.width());
    let BlockSizes { queries: count, padded } = shape.blocks(S::f32s::LEN);
    let mut scratch = scratch;
    let [keys, values] = [(); 2].map(|()| split_scratch(&mut scratch, tokens * padded));
    let query = split_scratch(&mut scratch, head_width * count);
    let scores = split_scratch(&mut scratch, KEYS * count);
    let sums = split_scratch(&mut scratch, count * padded);
    let factor = 1.0 / (head_width as f32).sqrt();
    for head in 0..heads {
        let column = head * head_width;
        gather(&qkv[width + column..], stride, head_width, padded, keys);
        gather(&qkv[2 * width + column..], stride, head_width, padded, values);
        for first in (0..tokens).step_by(count) {
            let here = count.min(tokens - first);
            let q = Matrix::strided(&qkv[first * stride + column..], head_width, stride);
            transpose(q, here, factor, count, query);
            let of_head = HeadKeysValues {
                keys: Matrix::strided(keys, head_width, padded),
                values: Matrix::new(values, padded),
            };
            let (largest, total) = block(s, of_head, first..first + here, query, scores, sums);
            let lanes = S::f32s::LEN;
            for (i, sums) in sums.chunks_exact(padded).take(here).enumerate() {
                let y = &mut y[(first + i) * width..][..width];
                let whole = 1.0 / total[i / lanes].as_slice()[i % lanes];
                let into = &mut y[column..column + head_width];
                into.iter_mut().zip(sums).for_each(|(y, sum)| *y = sum * whole);
            }
            for v in 0..2 {
                let log = largest[v] + math::ln(s, total[v]);
                for (lane, log) in log.as_slice().iter().enumerate() {
                    if v * lanes + lane < here {
                        log_sum_exps[(first + v * lanes + lane) * heads + head] = *log;
                    }
                }
            }
        }
    }
}

/// Keys and values of one attention head, padded with zeros to whole SIMD vectors.
#[derive(Clone, Copy)]
struct HeadKeysValues<'a> {
    keys: Matrix<'a>,
    values: Matrix<'a>,
}

/// Computes attention for one block of queries, the range `tokens`, over all keys up to the end of the range. Stores Σ
/// e^(score − m)·value in `sums`, where m is the query's maximum score. Returns m and Σ e^(score − m) of each query.
#[inline(always)]
fn block<S: Simd>(
    s: S,
    HeadKeysValues { keys, values }: HeadKeysValues<'_>,
    tokens: Range<usize>,
    query: &[f32],
    scores: &mut [f32],
    sums: &mut [f32],
) -> ([S::f32s; 2], [S::f32s; 2]) {
    let (padded, count) = (values.columns, query.len() / keys.columns);
    let mut largest = [S::f32s::splat(s, f32::NEG_INFINITY); 2];
    let mut total = [S::f32s::splat(s, 0.0); 2];
    sums.fill(0.0);
    for key in (0..tokens.end).step_by(KEYS) {
        let keys_here = KEYS.min(tokens.end - key);
        let scores = &mut scores[..keys_here * count];
        let keys = keys.from(key, 0);
        product(s, keys_here, keys, query, Finish::Store, MatrixMut::new(scores, count));
        let rescale = online_softmax(s, key as f32 - tokens.start as f32, scores, &mut largest, &mut total);
        if key > 0 {
            let lanes = S::f32s::LEN;
            for (i, sums) in sums.chunks_exact_mut(padded).enumerate() {
                let rescale = rescale[i / lanes].as_slice()[i % lanes];
                sums.iter_mut().for_each(|sum| *sum *= rescale);
            }
        }
        product_tn(s, keys_here, Matrix::new(scores, count), values.from(key, 0), sums);
    }
    (largest, total)
}

/// Performs a step of the online softmax for a block of scores \[keys, queries\]: updates the running maxima and
/// totals, and replaces each score by e^(score − maximum). `ahead` is the position of the first key minus the position
/// of the first query. Returns the factor by which the caller must rescale the running sums of each query.
#[inline(always)]
fn online_softmax<S: Simd>(
    s: S,
    ahead: f32,
    scores: &mut [f32],
    largest: &mut [S::f32s; 2],
    total: &mut [S::f32s; 2],
) -> [S::f32s; 2] {
    let (lanes, query) = (S::f32s::LEN, queries(s));
    let mut rescale = [S::f32s::splat(s, 0.0); 2];
    s.vectorize(
        #[inline(always)]
        || {
            let mut found = *largest;
            for (j, scores) in scores.chunks_exact_mut(2 * lanes).enumerate() {
                let ahead = ahead + j as f32;
                for v in 0..2 {
                    let scores = &mut scores[v * lanes..][..lanes];
                    let mut score = S::f32s::from_slice(s, scores);
                    if ahead > 0.0 {
                        score = causal(s, query[v], ahead, score, f32::NEG_INFINITY);
                        score.store_slice(scores);
                    }
                    found[v] = found[v].max(score);
                }
            }
            let mut sum = [S::f32s::splat(s, 0.0); 2];
            for scores in scores.chunks_exact_mut(2 * lanes) {
                for v in 0..2 {
                    let scores = &mut scores[v * lanes..][..lanes];
                    let weight = math::exp(s, S::f32s::from_slice(s, scores) - found[v]);
                    sum[v] += weight;
                    weight.store_slice(scores);
                }
            }
            for v in 0..2 {
                rescale[v] = math::exp(s, largest[v] - found[v]);
                total[v] = total[v].mul_add(rescale[v], sum[v]);
            }
            *largest = found;
        },
    );
    rescale
}

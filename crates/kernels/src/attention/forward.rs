//! y = softmax(q·kᵀ/√width)·v for each head, with a running maximum and sum.

use super::block::{causal, gather, product, product_tn, queries, transpose};
use super::{Blocks, KEYS, Sequence, take};
use crate::gemm::tile::Finish;
use crate::math;
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch};

/// Causal attention over one sequence: `qkv` \[tokens, 3·width\] holds the queries of all heads, then the keys, then the
/// values. `y` \[tokens, width\] receives the heads' results side by side, and `log_sums` \[tokens, heads\] the logarithm of
/// the sum of each head's exponentiated scores, which [`super::attention_backward`] reads. `scratch` holds
/// [`Sequence::scratch_len`] numbers.
pub fn attention(
    level: Level,
    shape: Sequence,
    qkv: &[f32],
    y: &mut [f32],
    log_sums: &mut [f32],
    scratch: &mut [f32],
) {
    let Sequence { tokens, heads, .. } = shape;
    assert!(qkv.len() >= tokens * 3 * shape.width(), "queries, keys and values are too short");
    assert!(y.len() >= tokens * shape.width() && log_sums.len() >= tokens * heads, "a result is too short");
    let blocks = shape.blocks(level);
    dispatch!(level, s => heads_of(s, shape, blocks, qkv, y, log_sums, scratch));
}

#[inline(always)]
fn heads_of<S: Simd>(
    s: S,
    shape: Sequence,
    blocks: Blocks,
    qkv: &[f32],
    y: &mut [f32],
    log_sums: &mut [f32],
    scratch: &mut [f32],
) {
    let Sequence { tokens, heads, head_width } = shape;
    let (width, stride) = (shape.width(), 3 * shape.width());
    let Blocks { queries: count, padded } = blocks;
    let mut scratch = scratch;
    let [keys, values] = [(); 2].map(|()| take(&mut scratch, tokens * padded));
    let query = take(&mut scratch, head_width * count);
    let scores = take(&mut scratch, KEYS * count);
    let sums = take(&mut scratch, count * padded);
    let factor = 1.0 / (head_width as f32).sqrt();
    for head in 0..heads {
        let column = head * head_width;
        gather(&qkv[width + column..], stride, head_width, padded, keys);
        gather(&qkv[2 * width + column..], stride, head_width, padded, values);
        for first in (0..tokens).step_by(count) {
            let here = count.min(tokens - first);
            transpose(&qkv[first * stride + column..], stride, here, head_width, factor, count, query);
            let (largest, total) =
                block(s, blocks, head_width, first, first + here, query, keys, values, scores, sums);
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
                        log_sums[(first + v * lanes + lane) * heads + head] = *log;
                    }
                }
            }
        }
    }
}

/// A block of queries, the first of which is the token `first`, over all keys before `end`: leaves the weighted sums of
/// the values in `sums`, and gives each query's largest score and the sum of what its scores exponentiate to less that.
#[inline(always)]
fn block<S: Simd>(
    s: S,
    blocks: Blocks,
    head_width: usize,
    first: usize,
    end: usize,
    query: &[f32],
    keys: &[f32],
    values: &[f32],
    scores: &mut [f32],
    sums: &mut [f32],
) -> ([S::f32s; 2], [S::f32s; 2]) {
    let Blocks { queries: count, padded } = blocks;
    let mut largest = [S::f32s::splat(s, f32::NEG_INFINITY); 2];
    let mut total = [S::f32s::splat(s, 0.0); 2];
    sums.fill(0.0);
    for key in (0..end).step_by(KEYS) {
        let keys_here = KEYS.min(end - key);
        let scores = &mut scores[..keys_here * count];
        product(s, keys_here, head_width, count, &keys[key * padded..], padded, query, Finish::Store, scores);
        let shrink = weights(s, key as f32 - first as f32, scores, &mut largest, &mut total);
        if key > 0 {
            let lanes = S::f32s::LEN;
            for (i, sums) in sums.chunks_exact_mut(padded).enumerate() {
                let shrink = shrink[i / lanes].as_slice()[i % lanes];
                sums.iter_mut().for_each(|sum| *sum *= shrink);
            }
        }
        product_tn(s, keys_here, count, padded, scores, &values[key * padded..], sums);
    }
    (largest, total)
}

/// Turns scores \[keys, queries\] into e to the score less the largest one so far; `ahead` is by how much the first key
/// comes after the first query. Gives by what sums over earlier keys shrink for that.
#[inline(always)]
fn weights<S: Simd>(
    s: S,
    ahead: f32,
    scores: &mut [f32],
    largest: &mut [S::f32s; 2],
    total: &mut [S::f32s; 2],
) -> [S::f32s; 2] {
    let (lanes, query) = (S::f32s::LEN, queries(s));
    let mut shrink = [S::f32s::splat(s, 0.0); 2];
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
                shrink[v] = math::exp(s, largest[v] - found[v]);
                total[v] = total[v].mul_add(shrink[v], sum[v]);
            }
            *largest = found;
        },
    );
    shrink
}

//! The gradient of attention, from weights that are computed again.

use std::ops::Range;

use super::block::{causal, gather, panels, product, product_tn, queries, transpose};
use super::{Blocks, KEYS, Sequence, take};
use crate::gemm::tile::Finish;
use crate::math;
use crate::simd::{Level, Simd, SimdBase, dispatch};

/// The results of [`super::attention`], which its gradient reads.
#[derive(Clone, Copy, Debug)]
pub struct Attended<'a> {
    /// \[tokens, width\].
    pub y: &'a [f32],
    /// \[tokens, heads\].
    pub log_sums: &'a [f32],
}

/// The gradient of [`super::attention`]: `dqkv` \[tokens, 3·width\] from the operand and the results of the attention, and
/// from `dy` \[tokens, width\].
///
/// With w the weights, w = e^(score − log-sum): dv = wᵀ·dy, and the gradient of the scores is w∘(dy·vᵀ − Σ y∘dy).
pub fn attention_backward(
    level: Level,
    shape: Sequence,
    qkv: &[f32],
    attended: Attended<'_>,
    dy: &[f32],
    dqkv: &mut [f32],
    scratch: &mut [f32],
) {
    let Sequence { tokens, heads, .. } = shape;
    let len = tokens * 3 * shape.width();
    assert!(qkv.len() >= len && dqkv.len() >= len, "queries, keys and values are too short");
    let fits = |y: &[f32]| y.len() >= tokens * shape.width();
    assert!(
        fits(attended.y) && fits(dy) && attended.log_sums.len() >= tokens * heads,
        "a result is too short"
    );
    let blocks = shape.blocks(level);
    dispatch!(level, s => heads_of(s, shape, blocks, qkv, attended, dy, dqkv, scratch));
}

#[inline(always)]
fn heads_of<S: Simd>(
    s: S,
    shape: Sequence,
    blocks: Blocks,
    qkv: &[f32],
    attended: Attended<'_>,
    dy: &[f32],
    dqkv: &mut [f32],
    scratch: &mut [f32],
) {
    let Sequence { tokens, heads, head_width } = shape;
    let (width, stride) = (shape.width(), 3 * shape.width());
    let Blocks { queries: count, padded } = blocks;
    let mut scratch = scratch;
    let [keys, values, dkeys, dvalues] = [(); 4].map(|()| take(&mut scratch, tokens * padded));
    let [query, dquery_of] = [(); 2].map(|()| take(&mut scratch, head_width * count));
    let [query_rows, dy_rows, dquery] = [(); 3].map(|()| take(&mut scratch, count * padded));
    let [weights, dscores] = [(); 2].map(|()| take(&mut scratch, KEYS * count));
    let factor = 1.0 / (head_width as f32).sqrt();
    for head in 0..heads {
        let column = head * head_width;
        gather(&qkv[width + column..], stride, head_width, padded, keys);
        gather(&qkv[2 * width + column..], stride, head_width, padded, values);
        dkeys.fill(0.0);
        dvalues.fill(0.0);
        for first in (0..tokens).step_by(count) {
            let here = count.min(tokens - first);
            let q = &qkv[first * stride + column..];
            transpose(q, stride, here, head_width, factor, count, query);
            panels::<S>(q, stride, here, head_width, factor, count, query_rows);
            let dy_here = &dy[first * width + column..];
            transpose(dy_here, width, here, head_width, 1.0, count, dquery_of);
            panels::<S>(dy_here, width, here, head_width, 1.0, count, dy_rows);
            dquery.fill(0.0);
            let known = known(s, shape, head, attended, dy, first..first + here);
            for key in (0..first + here).step_by(KEYS) {
                let count_here = KEYS.min(first + here - key);
                let range = key * padded..(key + count_here) * padded;
                let (keys, values) = (&keys[range.clone()], &values[range.clone()]);
                let weights = &mut weights[..count_here * count];
                let dscores = &mut dscores[..count_here * count];
                let (store, add) = (Finish::Store, Finish::Accumulate(1.0));
                product(s, count_here, head_width, count, keys, padded, query, store, weights);
                product(s, count_here, head_width, count, values, padded, dquery_of, store, dscores);
                differentiate(s, key as f32 - first as f32, &known, weights, dscores);
                product(
                    s,
                    count_here,
                    count,
                    padded,
                    weights,
                    count,
                    dy_rows,
                    add,
                    &mut dvalues[range.clone()],
                );
                product(s, count_here, count, padded, dscores, count, query_rows, add, &mut dkeys[range]);
                product_tn(s, count_here, count, padded, dscores, keys, dquery);
            }
            scatter(dquery, padded, head_width, here, factor, &mut dqkv[first * stride + column..], stride);
        }
        scatter(dkeys, padded, head_width, tokens, 1.0, &mut dqkv[width + column..], stride);
        scatter(dvalues, padded, head_width, tokens, 1.0, &mut dqkv[2 * width + column..], stride);
    }
}

/// What is known of the queries of a block: the log-sum of each one's scores, and Σ y∘dy.
struct Known<S: Simd> {
    log_sum: [S::f32s; 2],
    offset: [S::f32s; 2],
}

#[inline(always)]
fn known<S: Simd>(
    s: S,
    shape: Sequence,
    head: usize,
    attended: Attended<'_>,
    dy: &[f32],
    tokens: Range<usize>,
) -> Known<S> {
    let (width, head_width) = (shape.width(), shape.head_width);
    // Queries beyond the last one have weights, but no gradient.
    let (mut log_sum, mut offset) = ([0.0; 32], [0.0; 32]);
    for (i, token) in tokens.enumerate() {
        let start = token * width + head * head_width;
        let products = attended.y[start..].iter().zip(&dy[start..][..head_width]);
        log_sum[i] = attended.log_sums[token * shape.heads + head];
        offset[i] = products.map(|(y, dy)| y * dy).sum::<f32>();
    }
    let lanes = S::f32s::LEN;
    let both = |x: &[f32; 32]| [0, 1].map(|v| S::f32s::from_slice(s, &x[v * lanes..][..lanes]));
    Known { log_sum: both(&log_sum), offset: both(&offset) }
}

/// Turns scores into weights, and the gradient of the weights into that of the scores; both are \[keys, queries\].
#[inline(always)]
fn differentiate<S: Simd>(s: S, ahead: f32, known: &Known<S>, scores: &mut [f32], dweights: &mut [f32]) {
    let (lanes, query) = (S::f32s::LEN, queries(s));
    let (log_sum, offset) = (known.log_sum, known.offset);
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

/// Writes the first `width` of every `padded` numbers to rows `stride` apart, each times `factor`.
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

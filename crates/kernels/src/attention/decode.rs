//! Incremental decoding: one query against a KV cache.

use crate::math;
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};

/// Computes the attention output of the last token of a sequence from a KV cache. The cache holds `keys` and `values`
/// \[tokens, width\] of all tokens so far, where tokens is the length of `scores`. `query` and the output `found` are
/// \[width\], with all heads side by side. `scores` is scratch memory.
///
/// # Panics
/// If the width is not a multiple of `heads`, `found` does not have the length of `query`, or `keys` or `values` are
/// too short.
pub fn decode_attention(
    level: Level,
    heads: usize,
    query: &[f32],
    keys: &[f32],
    values: &[f32],
    found: &mut [f32],
    scores: &mut [f32],
) {
    let (width, tokens) = (query.len(), scores.len());
    assert!(
        width.is_multiple_of(heads) && found.len() == width,
        "the width is not a multiple of the heads, or the output has another width"
    );
    assert!(keys.len() >= tokens * width && values.len() >= tokens * width, "keys or values are too short");
    let head_width = width / heads;
    for (head, (query, found)) in
        query.chunks_exact(head_width).zip(found.chunks_exact_mut(head_width)).enumerate()
    {
        let column = head * head_width;
        dispatch!(level, s => one_head(s, width, query, &keys[column..], &values[column..], found, scores));
    }
}

#[inline(always)]
fn one_head<S: Simd>(
    s: S,
    stride: usize,
    query: &[f32],
    keys: &[f32],
    values: &[f32],
    found: &mut [f32],
    scores: &mut [f32],
) {
    let (lanes, width) = (S::f32s::LEN, query.len());
    let factor = 1.0 / (width as f32).sqrt();
    let mut largest = f32::NEG_INFINITY;
    for (score, key) in scores.iter_mut().zip(keys.chunks(stride)) {
        let mut sum = S::f32s::splat(s, 0.0);
        for (q, k) in query.chunks(lanes).zip(key[..width].chunks(lanes)) {
            sum = load_partial(s, q, 0.0).mul_add(load_partial(s, k, 0.0), sum);
        }
        *score = factor * sum.reduce_sum();
        largest = largest.max(*score);
    }
    let mut total = S::f32s::splat(s, 0.0);
    for scores in scores.chunks_mut(lanes) {
        let weight = math::exp(s, load_partial(s, scores, f32::NEG_INFINITY) - largest);
        total += weight;
        store_partial::<S>(weight, scores);
    }
    let whole = 1.0 / total.reduce_sum();
    for (index, found) in found.chunks_mut(lanes).enumerate() {
        let mut sum = S::f32s::splat(s, 0.0);
        for (&weight, value) in scores.iter().zip(values.chunks(stride)) {
            let value = &value[index * lanes..][..found.len()];
            sum = load_partial(s, value, 0.0).mul_add(S::f32s::splat(s, weight), sum);
        }
        store_partial::<S>(sum * whole, found);
    }
}

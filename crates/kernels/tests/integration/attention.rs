//! Tests of attention and its gradient at every SIMD level against f64 references.

use crate::common::{assert_close, at_every_level, random};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::attention::{
    AttentionOutput, AttentionSizes, attention, attention_backward, decode_attention,
};
use vivarium_kernels::reference;

/// Tested (tokens, heads, head width), around multiples of the SIMD vector length and of the block sizes.
const SHAPES: [(usize, usize, usize); 11] = [
    (1, 1, 1),
    (2, 3, 5),
    (7, 1, 16),
    (8, 2, 4),
    (31, 2, 24),
    (33, 1, 33),
    (64, 4, 32),
    (65, 2, 8),
    (97, 1, 64),
    (128, 2, 32),
    (150, 1, 48),
];

#[test]
fn attention_and_its_gradient() {
    for (tokens, heads, head_width) in SHAPES {
        let shape = AttentionSizes { tokens, heads, head_width };
        let (len, width) = (tokens * 3 * shape.width(), tokens * shape.width());
        let (qkv, dy) = (random("qkv", len), random("dy", width));
        let (mut y, mut log_sum_exps, mut dqkv) =
            (vec![0.0; width], vec![0.0; tokens * heads], vec![0.0; len]);
        reference::attention(shape, &qkv, &mut y, &mut log_sum_exps);
        reference::attention_backward(shape, &qkv, &dy, &mut dqkv);
        at_every_level(|level| {
            let what = |part: &str| format!("{part} of {shape:?}");
            let mut scratch = vec![f32::NAN; shape.scratch_len()];
            let (mut got_y, mut got_log_sums) = (vec![f32::NAN; width], vec![f32::NAN; tokens * heads]);
            attention(level, shape, &qkv, &mut got_y, &mut got_log_sums, &mut scratch);
            assert_close(&what("attention"), level, &got_y, &y, 3e-6);
            assert_close(&what("log-sums"), level, &got_log_sums, &log_sum_exps, 3e-6);
            scratch.fill(f32::NAN);
            let (attended, mut got_dqkv) =
                (AttentionOutput { y: &got_y, log_sum_exps: &got_log_sums }, vec![f32::NAN; len]);
            attention_backward(level, shape, &qkv, attended, &dy, &mut got_dqkv, &mut scratch);
            assert_close(&what("gradient"), level, &got_dqkv, &dqkv, 2e-5);
        });
    }
}

#[test]
fn incremental_decoding_equals_attention() {
    for (tokens, heads, head_width) in SHAPES {
        let shape = AttentionSizes { tokens, heads, head_width };
        let width = shape.width();
        let qkv = random("qkv", tokens * 3 * width);
        let (mut y, mut log_sum_exps) = (vec![0.0; tokens * width], vec![0.0; tokens * heads]);
        reference::attention(shape, &qkv, &mut y, &mut log_sum_exps);
        let [keys, values] = [1, 2].map(|part| -> Vec<f32> {
            qkv.chunks_exact(3 * width).flat_map(|token| token[part * width..][..width].to_vec()).collect()
        });
        at_every_level(|level| {
            for token in [0, tokens / 2, tokens - 1] {
                let (mut found, mut scores) = (vec![f32::NAN; width], vec![f32::NAN; token + 1]);
                let query = &qkv[token * 3 * width..][..width];
                decode_attention(level, heads, query, &keys, &values, &mut found, &mut scores);
                assert_close(&format!("{shape:?}"), level, &found, &y[token * width..][..width], 3e-6);
            }
        });
    }
}

#[test]
fn large_scores_do_not_overflow() {
    let shape = AttentionSizes { tokens: 70, heads: 1, head_width: 16 };
    let qkv: Vec<f32> = random("qkv", 70 * 48).iter().map(|x| 30.0 * x).collect();
    let (mut y, mut log_sum_exps) = (vec![0.0; 70 * 16], vec![0.0; 70]);
    reference::attention(shape, &qkv, &mut y, &mut log_sum_exps);
    at_every_level(|level| {
        let (mut got, mut scratch) = (vec![0.0; 70 * 16], vec![0.0; shape.scratch_len()]);
        attention(level, shape, &qkv, &mut got, &mut log_sum_exps.clone(), &mut scratch);
        assert_close("attention", level, &got, &y, 1e-3);
    });
}

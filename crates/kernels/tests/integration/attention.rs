//! Attention and its gradient, at every level, against the f64 references.

use crate::common::{assert_close, at_every_level, random};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::attention::{Sequence, attend, attention, attention_backward};
use vivarium_kernels::reference;

/// (tokens, heads, width of a head) around the edges of vectors and of blocks of queries and keys.
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
        let shape = Sequence { tokens, heads, head_width };
        // Rows that are longer than needed.
        let (len, ldy) = (tokens * 3 * shape.width(), shape.width() + heads + 3);
        let (qkv, dy) = (random("qkv", len), random("dy", tokens * ldy));
        let (mut y, mut dqkv) = (vec![7.0; tokens * ldy], vec![0.0; len]);
        reference::attention(shape, &qkv, &mut y, ldy);
        reference::attention_backward(shape, &qkv, &dy, ldy, &mut dqkv);
        at_every_level(|level| {
            let what = |part: &str| format!("{part} of {shape:?}");
            let mut scratch = vec![f32::NAN; shape.scratch_len()];
            let (mut got_y, mut got_dqkv) = (vec![7.0; tokens * ldy], vec![f32::NAN; len]);
            attention(level, shape, &qkv, &mut got_y, ldy, &mut scratch);
            assert_close(&what("attention"), level, &got_y, &y, 3e-6);
            scratch.fill(f32::NAN);
            attention_backward(level, shape, &qkv, &got_y, &dy, ldy, &mut got_dqkv, &mut scratch);
            assert_close(&what("gradient"), level, &got_dqkv, &dqkv, 2e-5);
        });
    }
}

#[test]
fn one_query_at_a_time_finds_the_same() {
    for (tokens, heads, head_width) in SHAPES {
        let shape = Sequence { tokens, heads, head_width };
        let (width, ldy) = (shape.width(), shape.width() + heads);
        let qkv = random("qkv", tokens * 3 * width);
        let mut y = vec![0.0; tokens * ldy];
        reference::attention(shape, &qkv, &mut y, ldy);
        let [keys, values] = [1, 2].map(|part| -> Vec<f32> {
            qkv.chunks_exact(3 * width).flat_map(|token| token[part * width..][..width].to_vec()).collect()
        });
        at_every_level(|level| {
            for token in [0, tokens / 2, tokens - 1] {
                let (mut found, mut scores) = (vec![f32::NAN; width], vec![f32::NAN; token + 1]);
                let query = &qkv[token * 3 * width..][..width];
                attend(level, heads, query, &keys, &values, &mut found, &mut scores);
                assert_close(&format!("{shape:?}"), level, &found, &y[token * ldy..][..width], 3e-6);
            }
        });
    }
}

#[test]
fn large_scores_do_not_overflow() {
    let shape = Sequence { tokens: 70, heads: 1, head_width: 16 };
    let qkv: Vec<f32> = random("qkv", 70 * 48).iter().map(|x| 30.0 * x).collect();
    let mut y = vec![0.0; 70 * 17];
    reference::attention(shape, &qkv, &mut y, 17);
    at_every_level(|level| {
        let (mut got, mut scratch) = (vec![0.0; 70 * 17], vec![0.0; shape.scratch_len()]);
        attention(level, shape, &qkv, &mut got, 17, &mut scratch);
        assert_close("attention", level, &got, &y, 1e-3);
    });
}

//! Tests of the fused output head and cross-entropy at every SIMD level against the f64 reference.

use crate::common::{assert_close, at_every_level, random};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::head::{self, CHUNK, HeadGradient, OutputHead};
use vivarium_kernels::{Level, PackedMatrix, reference};

/// Tested (rows, width, vocabulary), around multiples of the SIMD vector length, of the vocabulary chunk and of the row
/// block.
const SHAPES: [(usize, usize, usize); 8] = [
    (1, 1, 1),
    (3, 5, 2),
    (7, 16, 65),
    (300, 9, 17),
    (40, 24, CHUNK - 1),
    (33, 17, CHUNK),
    (5, 32, CHUNK + 1),
    (13, 8, 2 * CHUNK + 100),
];

/// Packs each vocabulary chunk of the weights \[vocabulary, n\] for the products x·Wᵀ and dy·W.
fn pack(level: Level, n: usize, w: &[f32]) -> [Vec<PackedMatrix>; 2] {
    let chunks = || w.chunks(CHUNK * n);
    [
        chunks().map(|w| PackedMatrix::pack_transposed(level, w, w.len() / n, n)).collect(),
        chunks().map(|w| PackedMatrix::pack(level, w, w.len() / n, n)).collect(),
    ]
}

#[test]
fn losses_and_their_gradient() {
    for (rows, n, vocabulary) in SHAPES {
        let (x, w) = (random("x", rows * n), random("w", vocabulary * n));
        // One target is out of range and is clamped to the last entry.
        let targets: Vec<f32> = (0..rows).map(|row| (row * 29 % (vocabulary + 1)) as f32).collect();
        let dlosses = random("dlosses", rows);
        let (mut losses, mut dx, mut dw) = (vec![0.0; rows], vec![0.0; rows * n], random("dw", w.len()));
        reference::head_losses(n, &x, &w, &targets, &mut losses);
        let before = dw.clone();
        reference::head_gradient(n, &x, &w, &targets, &dlosses, &mut dx, &mut dw);
        at_every_level(|level| {
            let what = |part: &str| format!("{part} of {rows} rows of {n}, {vocabulary} entries");
            let [transposed, forward] = pack(level, n, &w);
            let head = OutputHead { transposed: &transposed, forward: &forward };
            let mut scratch = vec![f32::NAN; head::scratch_len(rows, vocabulary)];
            let mut found = vec![f32::NAN; rows];
            head::losses(level, head, &x, &targets, &mut found, &mut scratch);
            assert_close(&what("losses"), level, &found, &losses, 1e-5);
            scratch.fill(f32::NAN);
            let (mut found, mut found_dx, mut found_dw) =
                (vec![f32::NAN; rows], vec![f32::NAN; rows * n], before.clone());
            let gradient = HeadGradient { dx: &mut found_dx, losses: &mut found, dw: &mut found_dw };
            head::gradient(level, head, &x, &targets, &dlosses, gradient, &mut scratch);
            assert_close(&what("losses beside the gradient"), level, &found, &losses, 1e-5);
            assert_close(&what("gradient of x"), level, &found_dx, &dx, 2e-5);
            assert_close(&what("gradient of the weights"), level, &found_dw, &dw, 2e-5);
        });
    }
}

/// Vocabulary entries with logits of −∞ have probability 0, even if all logits of a vocabulary chunk are −∞.
#[test]
fn a_chunk_of_infinitely_negative_logits_has_probability_zero() {
    let (rows, n, vocabulary) = (3, 1, CHUNK + 40);
    let mut w = random("w", vocabulary);
    w[..CHUNK].fill(f32::NEG_INFINITY);
    let (x, dlosses) = ([1.0, 2.0, 0.5], [1.0, -1.0, 0.5]);
    let targets = [CHUNK as f32, (CHUNK + 7) as f32, (CHUNK + 39) as f32];
    let (mut losses, mut dx, mut dw) = (vec![0.0; rows], vec![0.0; rows], vec![0.0; vocabulary]);
    reference::head_losses(n, &x, &w, &targets, &mut losses);
    reference::head_gradient(n, &x, &w, &targets, &dlosses, &mut dx, &mut dw);
    at_every_level(|level| {
        let [transposed, forward] = pack(level, n, &w);
        let head = OutputHead { transposed: &transposed, forward: &forward };
        let mut scratch = vec![f32::NAN; head::scratch_len(rows, vocabulary)];
        let (mut found, mut found_dx, mut found_dw) =
            (vec![f32::NAN; rows], vec![0.0; rows], vec![0.0; vocabulary]);
        head::losses(level, head, &x, &targets, &mut found, &mut scratch);
        assert_close("losses", level, &found, &losses, 1e-5);
        let gradient = HeadGradient { dx: &mut found_dx, losses: &mut found, dw: &mut found_dw };
        head::gradient(level, head, &x, &targets, &dlosses, gradient, &mut scratch);
        assert_close("losses beside the gradient", level, &found, &losses, 1e-5);
        // The gradient of x is a sum over all entries, so that 0·∞ makes it NaN.
        assert_close("gradient of the weights", level, &found_dw, &dw, 2e-5);
        // Infinite logits do not hide a NaN logit.
        let [nan, _] = pack(level, n, &[&[f32::NAN], &w[1..]].concat());
        let head = OutputHead { transposed: &nan, forward: &forward };
        head::losses(level, head, &x, &targets, &mut found, &mut scratch);
        assert!(found.iter().all(|loss| loss.is_nan()), "{level:?}: {found:?}");
    });
}

#[test]
fn large_logits_do_not_overflow() {
    let (rows, n, vocabulary) = (4, 8, CHUNK + 9);
    let x: Vec<f32> = random("x", rows * n).iter().map(|x| 40.0 * x).collect();
    let (w, targets) = (random("w", vocabulary * n), [0.0, 1.0, 511.0, 520.0]);
    let mut losses = vec![0.0; rows];
    reference::head_losses(n, &x, &w, &targets, &mut losses);
    at_every_level(|level| {
        let [transposed, forward] = pack(level, n, &w);
        let head = OutputHead { transposed: &transposed, forward: &forward };
        let mut scratch = vec![f32::NAN; head::scratch_len(rows, vocabulary)];
        let mut found = vec![f32::NAN; rows];
        head::losses(level, head, &x, &targets, &mut found, &mut scratch);
        assert_close("losses", level, &found, &losses, 1e-4);
    });
}

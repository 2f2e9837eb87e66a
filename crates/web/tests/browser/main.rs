//! Tests in a real browser: kernels against references, gradients against finite differences, environments in double
//! precision, tree search, threads, and each learner in a session.
//!
//! `wasm-pack test --headless --chrome crates/web`
#![cfg(target_arch = "wasm32")]

mod cube;
mod envs;
mod games;
mod graph;
mod kernels;
mod language;
mod logic_ca;
mod search;
mod session;
#[cfg(feature = "threads")]
mod threads;

use wasm_bindgen_test::wasm_bindgen_test_configure;

// The tests run in a dedicated worker, as in the page: a worker may block on its threads, the main thread may not.
wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Returns `len` uniform random numbers between −1 and 1. Equal `stream` numbers give equal results.
fn numbers(stream: u32, len: usize) -> Vec<f32> {
    let mut stream = vivarium_kernels::rng::Stream::new(7, stream);
    (0..len).map(|_| 2.0 * stream.uniform() - 1.0).collect()
}

/// Asserts that the elements of two slices differ by at most `tolerance` times the larger of 1 and the expected
/// magnitude.
#[track_caller]
fn assert_close(got: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(got.len(), expected.len());
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        let allowed = tolerance * expected.abs().max(1.0);
        assert!((got - expected).abs() <= allowed, "at {index}: {got}, not {expected}");
    }
}

//! Test helpers: random slices, and comparisons that report the first difference.

use vivarium_kernels::rng;
use vivarium_kernels::simd::{self, Level};

/// Returns `len` standard normal numbers, which depend only on `name` and `len`.
pub fn random(name: &str, len: usize) -> Vec<f32> {
    let stream =
        name.bytes().fold(len as u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    let mut numbers = vec![0.0; len];
    rng::fill_normal(simd::level(), 2024, stream, 0, &mut numbers);
    numbers
}

/// Runs `check` at every SIMD level of this machine.
pub fn at_every_level(check: impl Fn(Level)) {
    for level in simd::levels() {
        check(level);
    }
}

/// Asserts that each element differs from the expected element e by at most `tolerance` · max(1, |e|).
#[track_caller]
pub fn assert_close(what: &str, level: Level, got: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(got.len(), expected.len(), "{what}: lengths differ");
    for (i, (&g, &e)) in got.iter().zip(expected).enumerate() {
        let close = g == e || (g - e).abs() <= tolerance * e.abs().max(1.0);
        assert!(close, "{what} at {}: element {i} is {g}, not {e}", simd::level_name(level));
    }
}

//! Random numbers from a counter: a lane's numbers depend on (seed, stream, step) alone, so a run does not change with
//! the number of threads or the width of the vectors.
//!
//! Threefry-2×32 with 13 rounds (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): the
//! fewest rounds that pass every test of BigCrush. It needs additions, rotations and exclusive-ors of 32-bit words
//! only, so that the same numbers come out of a GPU.
//!
//! The key is the seed; the counter is (stream, step). A *stream* is whoever draws: an environment's lane, a worker; a
//! *step* is the index of the draw.

mod fill;
mod permutation;
mod stream;
mod threefry;

pub use fill::{fill_normal, fill_uniform};
pub use permutation::{MAX_PERMUTATION, Permutation, permutation_rounds, permutation_sides};
pub use stream::Stream;
pub use threefry::{block, blocks, threefry2x32};

use crate::math;
use crate::simd::{Simd, SimdCvtFloat, SimdFloat};

/// A seed of its own for one purpose (resets, actions, shuffling …), so that they never draw the same numbers.
pub fn derive(seed: u64, purpose: u32) -> u64 {
    // With more rounds than a draw has, so that a derived seed is no draw of the seed it comes from.
    let [low, high] = threefry2x32::<20>([seed as u32, (seed >> 32) as u32], [u32::MAX, purpose]);
    u64::from(high) << 32 | u64::from(low)
}

/// A word as a number in \[0, 1): the upper 24 bits, each equally likely.
#[inline]
pub fn uniform(word: u32) -> f32 {
    (word >> 8) as f32 * UNIT
}

/// Words as numbers in \[0, 1): the upper 24 bits, each equally likely.
#[inline(always)]
pub fn uniforms<S: Simd>(_: S, words: S::u32s) -> S::f32s {
    S::f32s::float_from(words >> 8) * UNIT
}

/// Two independent standard normal numbers from one block (Box and Muller, 1958).
#[inline]
pub fn normal(block: [u32; 2]) -> [f32; 2] {
    let radius = (-2.0 * (((block[0] >> 8) as f32 + 1.0) * UNIT).ln()).sqrt();
    let (sin, cos) = (std::f32::consts::TAU * uniform(block[1])).sin_cos();
    [radius * cos, radius * sin]
}

/// Two independent vectors of standard normal numbers from blocks (Box and Muller, 1958).
#[inline(always)]
pub fn normals<S: Simd>(s: S, words: (S::u32s, S::u32s)) -> (S::f32s, S::f32s) {
    // In (0, 1], so that the logarithm is finite.
    let u = (S::f32s::float_from(words.0 >> 8) + 1.0) * UNIT;
    let radius = (math::ln(s, u) * -2.0).sqrt();
    let (sin, cos) = math::sin_cos(s, uniforms(s, words.1) * std::f32::consts::TAU);
    (radius * cos, radius * sin)
}

/// 2⁻²⁴, the spacing of the uniform numbers.
const UNIT: f32 = 1.0 / 16_777_216.0;

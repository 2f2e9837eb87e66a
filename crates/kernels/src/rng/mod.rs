//! Counter-based random numbers: each is a function of (seed, stream, step), so results do not depend on the number of
//! threads or on the SIMD level.
//!
//! Threefry-2×32 with 13 rounds, the minimum that passes BigCrush (Salmon et al. 2011, "Parallel random numbers: as
//! easy as 1, 2, 3", <https://doi.org/10.1145/2063384.2063405>). It uses only 32-bit additions, rotations and XORs, so
//! that a GPU computes the same numbers.
//!
//! The key is the seed; the counter is (stream, step). A *stream* belongs to one consumer, such as an environment or a
//! worker thread; a *step* is the index of the draw.
//!
//! Integers and uniform numbers are bitwise equal on every machine. Normal numbers may differ in the last bit between
//! machines with and without fused multiply-add. Runs with equal seeds may therefore diverge between such machines.

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

/// Derives the independent seed of one stream of random numbers, such as the stream of resets or of actions, from
/// `seed`. `stream` is the index of the stream.
pub fn derive(seed: u64, stream: u32) -> u64 {
    // More rounds than [`block`], so that a derived seed is not a random number of the parent seed.
    let [low, high] = threefry2x32::<20>([seed as u32, (seed >> 32) as u32], [u32::MAX, stream]);
    u64::from(high) << 32 | u64::from(low)
}

/// Converts a random 32-bit word to a uniform number in \[0, 1), from its upper 24 bits.
#[inline]
pub fn uniform(word: u32) -> f32 {
    (word >> 8) as f32 * UNIT
}

/// Converts a SIMD vector of random 32-bit words to uniform numbers in \[0, 1), from their upper 24 bits.
#[inline(always)]
pub fn uniforms<S: Simd>(_: S, words: S::u32s) -> S::f32s {
    S::f32s::float_from(words >> 8) * UNIT
}

/// Converts two random words to two independent standard normal numbers (Box and Muller 1958).
#[inline]
pub fn normal(block: [u32; 2]) -> [f32; 2] {
    let radius = (-2.0 * (((block[0] >> 8) as f32 + 1.0) * UNIT).ln()).sqrt();
    let (sin, cos) = (std::f32::consts::TAU * uniform(block[1])).sin_cos();
    [radius * cos, radius * sin]
}

/// Converts two SIMD vectors of random words to two independent vectors of standard normal numbers (Box and Muller
/// 1958).
#[inline(always)]
pub fn normals<S: Simd>(s: S, words: (S::u32s, S::u32s)) -> (S::f32s, S::f32s) {
    // In (0, 1], so that the logarithm is finite.
    let u = (S::f32s::float_from(words.0 >> 8) + 1.0) * UNIT;
    let radius = (math::ln(s, u) * -2.0).sqrt();
    let (sin, cos) = math::sin_cos(s, uniforms(s, words.1) * std::f32::consts::TAU);
    (radius * cos, radius * sin)
}

/// 2⁻²⁴, the distance between neighboring uniform numbers.
const UNIT: f32 = 1.0 / 16_777_216.0;

//! Pseudorandom permutations of 0..n with random access: each image is computed independently, without a shuffle.
//!
//! Algorithm: a mixed-radix Feistel network with cycle walking (Black and Rogaway 2002, "Ciphers with arbitrary finite
//! domains", <https://doi.org/10.1007/3-540-45760-7_9>). A number x = width·row + column is a cell of a rectangle of at
//! least n cells. A round moves each cell along its row, and in alternation along its column, by a keyed hash of the
//! other coordinate. Therefore each round is a bijection. A result outside 0..n passes through all rounds again (cycle
//! walking), which preserves the bijection; fewer than one row of cells is outside.
//!
//! The algorithm uses 32-bit integers only, so that a GPU computes the same permutation.

use super::block;
use crate::simd::{Level, Select, Simd, SimdBase, SimdCvtTruncate, SimdInt, SimdMask, dispatch};

/// Number of Feistel rounds for permutations of fewer than [`SMALL`] numbers. With this number, all pairs of images are
/// equally frequent.
const MAX_ROUNDS: usize = 16;
/// Number of Feistel rounds for permutations of at least [`SMALL`] numbers.
const ROUNDS: usize = 8;
/// Size of a permutation below which [`MAX_ROUNDS`] Feistel rounds are used.
const SMALL: usize = 64;

/// Maximum size of a permutation. The sides of the Feistel network's rectangle are then at most 2¹². The product of a
/// side and a 20-bit hash therefore fits a 32-bit word.
pub const MAX_PERMUTATION: usize = 1 << 24;

/// Multipliers of the keyed hash, from the finalizer of MurmurHash3 (Appleby).
const MULTIPLIERS: [u32; 2] = [0x85eb_ca6b, 0xc2b2_ae35];

/// A pseudorandom permutation of 0..count, determined by (seed, stream).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutation {
    count: u32,
    width: u32,
    height: u32,
    rounds: usize,
    keys: [[u32; 2]; MAX_ROUNDS],
}

impl Permutation {
    /// Creates the permutation of 0..`count`, for `count` from 1 to [`MAX_PERMUTATION`]. The key of Feistel round i is
    /// the random number `block(seed, stream, i)`.
    ///
    /// # Panics
    /// If `count` is out of range.
    pub fn new(seed: u64, stream: u32, count: usize) -> Self {
        assert!(
            (1..=MAX_PERMUTATION).contains(&count),
            "permutation size {count} is not in 1..={MAX_PERMUTATION}"
        );
        let (rounds, [width, height]) = (permutation_rounds(count), permutation_sides(count));
        let keys = std::array::from_fn(|round| block(seed, stream, round as u32));
        Self { count: count as u32, width, height, rounds, keys }
    }

    /// Returns the image of `place`, a number below the size of the permutation.
    ///
    /// # Panics
    /// If `place` is out of range.
    #[inline]
    pub fn at(&self, place: u32) -> u32 {
        assert!(place < self.count, "place {place} is not below {}", self.count);
        self.cycle_walk(place)
    }

    /// Applies all Feistel rounds to `x`, repeatedly until the result is below the permutation's size (cycle walking).
    fn cycle_walk(&self, mut x: u32) -> u32 {
        loop {
            let (mut column, mut row) = (x % self.width, x / self.width);
            for pair in self.keys[..self.rounds].as_chunks::<2>().0 {
                column = (column + distance(row, pair[0], self.width)) % self.width;
                row = (row + distance(column, pair[1], self.height)) % self.height;
            }
            x = row * self.width + column;
            if x < self.count {
                return x;
            }
        }
    }

    /// Writes the images of `first`, `first` + 1, … under the permutation to `out`.
    ///
    /// # Panics
    /// If `first` + `out.len()` exceeds the size of the permutation.
    pub fn fill(&self, level: Level, first: u32, out: &mut [u32]) {
        assert!(first as usize + out.len() <= self.count as usize, "the images end beyond the permutation");
        dispatch!(level, s => self.fill_vectors(s, first, out));
    }

    #[inline(always)]
    fn fill_vectors<S: Simd>(&self, s: S, first: u32, out: &mut [u32]) {
        let len = S::u32s::LEN;
        let lanes = S::u32s::from_fn(
            s,
            #[inline(always)]
            |lane| lane as u32,
        );
        let (width, height) = (S::u32s::splat(s, self.width), S::u32s::splat(s, self.height));
        // Slightly too small, so that a quotient is exact or one too low, never too high.
        let reciprocal = (1.0 - 1.0 / 2_097_152.0) / self.width as f32;
        for (vector, out) in out.chunks_mut(len).enumerate() {
            let place = lanes + S::u32s::splat(s, first + (vector * len) as u32);
            let mut row = S::u32s::truncate_from(place.to_float::<S::f32s>() * reciprocal);
            let mut column = place - row * width;
            row = column.simd_lt(width).select(row, row + S::u32s::splat(s, 1));
            column = wrap::<S>(column, width);
            for pair in self.keys[..self.rounds].as_chunks::<2>().0 {
                column = wrap::<S>(column + distances(s, row, pair[0], width), width);
                row = wrap::<S>(row + distances(s, column, pair[1], height), height);
            }
            let x = row * width + column;
            if out.len() == len && x.simd_lt(S::u32s::splat(s, self.count)).all_true() {
                x.store_slice(out);
            } else {
                self.finish_cycle_walk(x.as_slice(), out);
            }
        }
    }

    /// Completes the cycle walking of one SIMD vector: applies the cipher to each number of `landed` until the result is
    /// below the permutation's size, and writes the results to `out`.
    #[cold]
    #[inline(never)]
    fn finish_cycle_walk(&self, landed: &[u32], out: &mut [u32]) {
        for (out, &x) in out.iter_mut().zip(landed) {
            *out = if x < self.count { x } else { self.cycle_walk(x) };
        }
    }
}

/// Returns the number of Feistel rounds for a permutation of `count` numbers. The number is even.
pub fn permutation_rounds(count: usize) -> usize {
    if count < SMALL { MAX_ROUNDS } else { ROUNDS }
}

/// Returns width and height of the Feistel network's rectangle for `count` numbers: nearly square, with less than one
/// spare row.
pub fn permutation_sides(count: usize) -> [u32; 2] {
    let mut height = count.isqrt();
    height += usize::from(height * height < count);
    [count.div_ceil(height) as u32, height as u32]
}

/// Returns the number of columns or rows by which a Feistel round shifts a number in the Feistel network's rectangle: a
/// keyed hash below `modulus` of the coordinate that the round does not change.
#[inline]
fn distance(coordinate: u32, key: [u32; 2], modulus: u32) -> u32 {
    let mut hash = coordinate.wrapping_add(key[0]).wrapping_mul(MULTIPLIERS[0]);
    hash = (hash ^ hash >> 16).wrapping_add(key[1]).wrapping_mul(MULTIPLIERS[1]);
    // The upper 20 bits as a fraction of the modulus, at most 2¹².
    ((hash >> 12) * modulus) >> 20
}

/// Returns the [`distance`] for each lane of a SIMD vector of coordinates.
#[inline(always)]
fn distances<S: Simd>(s: S, coordinate: S::u32s, key: [u32; 2], modulus: S::u32s) -> S::u32s {
    let [first, second] = MULTIPLIERS.map(
        #[inline(always)]
        |multiplier| S::u32s::splat(s, multiplier),
    );
    let mut hash = (coordinate + S::u32s::splat(s, key[0])) * first;
    hash = ((hash ^ hash >> 16) + S::u32s::splat(s, key[1])) * second;
    ((hash >> 12) * modulus) >> 20
}

/// Returns x mod m for x below 2m. If x is below m, x − m wraps around to a large number, and the minimum is x.
#[inline(always)]
fn wrap<S: Simd>(x: S::u32s, m: S::u32s) -> S::u32s {
    x.min(x - m)
}

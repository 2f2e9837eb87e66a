//! Indices of the nonzero elements of a slice.

use crate::simd::{Simd, SimdBase, SimdMask, u16x8};

/// Maximum length of a slice that is searched for nonzero elements.
pub(super) const STEPS: usize = 1024;

/// Buffer for the indices of the nonzero elements of a slice of at most [`STEPS`] elements. Indices are written in
/// groups of eight, so the last group may need up to eight entries more.
pub(super) type Indices = [u16; STEPS + 8];

/// Look-up table of the set bits of a byte: entry b holds the positions of the set bits of b, in ascending order.
/// Positions beyond the number of set bits are unspecified.
static SET: [[u16; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut place, mut count) = (0, 0);
        while place < 8 {
            if bits >> place & 1 == 1 {
                all[bits][count] = place;
                count += 1;
            }
            place += 1;
        }
        bits += 1;
    }
    all
};

/// Writes the indices of the nonzero elements of `x` (at most [`STEPS`] long) to `indices`, and returns their number.
/// Branch-free, because branches on random data are mispredicted.
#[inline(always)]
pub(super) fn nonzero<S: Simd>(s: S, x: &[f32], indices: &mut Indices) -> usize {
    let lanes = S::f32s::LEN;
    let step = lanes.max(8);
    let parts = x.chunks_exact(step);
    let rest = parts.remainder();
    let (mut first, mut end) = (u16x8::splat(s, 0), 0);
    // A macro instead of a closure, because a closure is not always compiled with the instructions of the SIMD level.
    macro_rules! write {
        ($part:expr) => {
            let mut nonzero = 0;
            for at in (0..step).step_by(lanes) {
                nonzero |= nonzero_bits(s, S::f32s::from_slice(s, &$part[at..][..lanes])) << at;
            }
            for at in (0..step).step_by(8) {
                let bits = (nonzero >> at) as u8;
                (u16x8::from_slice(s, &SET[usize::from(bits)]) + first)
                    .store_slice(&mut indices[end..end + 8]);
                end += bits.count_ones() as usize;
                first += u16x8::splat(s, 8);
            }
        };
    }
    for part in parts {
        write!(part);
    }
    if !rest.is_empty() {
        let mut padded = [0.0; 16];
        padded[..rest.len()].copy_from_slice(rest);
        write!(padded);
    }
    end
}

/// Returns a bit mask with one bit for each SIMD lane of `x`, which is set if the element is not 0.
#[inline(always)]
fn nonzero_bits<S: Simd>(s: S, x: S::f32s) -> u64 {
    !x.simd_eq(S::f32s::splat(s, 0.0)).to_bitmask() & ((1 << S::f32s::LEN) - 1)
}

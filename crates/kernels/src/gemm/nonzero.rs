//! The indices of a row's nonzero numbers.

use crate::simd::{Simd, SimdBase, SimdMask, u16x8};

/// The longest part of a row that is scanned before y is touched.
pub(super) const STEPS: usize = 1024;

/// Indices into a part of one row, with room for the last eight, which are written at once.
pub(super) type Indices = [u16; STEPS + 8];

/// For every byte, the positions of its set bits in rising order; the rest of an entry has no meaning.
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

/// Writes the indices of the nonzero numbers of a part of a row, at most [`STEPS`] long, and returns how many there are.
/// Without a branch, which could hardly be predicted.
#[inline(always)]
pub(super) fn nonzero<S: Simd>(s: S, x: &[f32], indices: &mut Indices) -> usize {
    let lanes = S::f32s::LEN;
    let step = lanes.max(8);
    let parts = x.chunks_exact(step);
    let rest = parts.remainder();
    let (mut first, mut end) = (u16x8::splat(s, 0), 0);
    // A closure would not always be compiled for the level's instructions.
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

/// A bit for each number of a vector, set where the number is not 0.
#[inline(always)]
fn nonzero_bits<S: Simd>(s: S, x: S::f32s) -> u64 {
    !x.simd_eq(S::f32s::splat(s, 0.0)).to_bitmask() & ((1 << S::f32s::LEN) - 1)
}

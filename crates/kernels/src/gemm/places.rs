//! Where the numbers of a row are that are not 0.

use crate::simd::{Simd, SimdBase, SimdMask, u16x8};

/// Numbers of a row of x that are looked at before y is touched.
pub(super) const STEPS: usize = 1024;

/// Room for the places of a part of one row: eight are written at a time.
pub(super) type Room = [u16; STEPS + 8];

/// Of every eight bits, the places of those that are set, in their order; what comes after them says nothing.
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

/// Writes where a part of a row, at most [`STEPS`] long, is not 0, and returns in how many places that is. Without a branch:
/// where that is can hardly be foreseen.
#[inline(always)]
pub(super) fn places<S: Simd>(s: S, x: &[f32], room: &mut Room) -> usize {
    let lanes = S::f32s::LEN;
    let step = lanes.max(8);
    let parts = x.chunks_exact(step);
    let rest = parts.remainder();
    let (mut first, mut end) = (u16x8::splat(s, 0), 0);
    // A closure would not always be compiled for the level's instructions.
    macro_rules! write {
        ($part:expr) => {
            let mut others = 0;
            for at in (0..step).step_by(lanes) {
                others |= bits_of_others(s, S::f32s::from_slice(s, &$part[at..][..lanes])) << at;
            }
            for at in (0..step).step_by(8) {
                let bits = (others >> at) as u8;
                (u16x8::from_slice(s, &SET[usize::from(bits)]) + first).store_slice(&mut room[end..end + 8]);
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

/// A bit for each number of a vector: whether it is not 0.
#[inline(always)]
fn bits_of_others<S: Simd>(s: S, x: S::f32s) -> u64 {
    !x.simd_eq(S::f32s::splat(s, 0.0)).to_bitmask() & ((1 << S::f32s::LEN) - 1)
}

//! Where the numbers of a row are that are not 0.

use crate::simd::{Simd, SimdBase, SimdMask, load_partial};

/// Numbers of a row of x that are looked at before y is touched.
pub(super) const STEPS: usize = 1024;

/// Room for the places of a part of one row or of some: four are written at a time.
pub(super) type Room = [u32; 4 * STEPS + 4];

/// Of every four bits, the places of those that are set, in their order; what comes after them says nothing.
const SET: [[u32; 4]; 16] = {
    let mut all = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut place, mut count) = (0, 0);
        while place < 4 {
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

/// Writes where a part of a row is not 0, from `end` on, and returns where that ends; there has to be room for all of it and
/// four more. Without a branch: where that is can hardly be foreseen.
#[inline(always)]
pub(super) fn places<S: Simd>(s: S, x: &[f32], room: &mut Room, mut end: usize) -> usize {
    let lanes = S::f32s::LEN;
    let parts = x.chunks_exact(lanes);
    let rest = parts.remainder();
    let mut at = 0;
    // A closure would not always be compiled for the level's instructions.
    macro_rules! write {
        ($part:expr) => {
            let others = others(s, $part);
            for first in (0..lanes).step_by(4) {
                let bits = others >> first & 15;
                let room = &mut room[end..end + 4];
                room.iter_mut().zip(SET[bits as usize]).for_each(|(to, place)| *to = at + place);
                end += bits.count_ones() as usize;
                at += 4;
            }
        };
    }
    for part in parts {
        write!(S::f32s::from_slice(s, part));
    }
    if !rest.is_empty() {
        write!(load_partial(s, rest, 0.0));
    }
    end
}

/// A bit for each number of a vector: whether it is not 0.
#[inline(always)]
fn others<S: Simd>(s: S, x: S::f32s) -> u64 {
    !x.simd_eq(S::f32s::splat(s, 0.0)).to_bitmask() & ((1 << S::f32s::LEN) - 1)
}

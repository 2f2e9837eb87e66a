//! Threefry-2×32: a bijection of a 64-bit counter under a 64-bit key.

use crate::simd::{Simd, SimdBase};

const ROTATIONS: [u32; 8] = [13, 15, 26, 6, 17, 29, 16, 24];
/// Number of Threefry rounds of [`block`], the generator of all random numbers.
const ROUNDS: usize = 13;
/// Parity constant of the Skein hash function, for the third word of the key schedule.
const PARITY: u32 = 0x1bd1_1bda;

/// Returns the Threefry-2×32 value of `counter` under `key` with `ROUNDS` rounds, as the library Random123 does.
#[inline]
pub fn threefry2x32<const ROUNDS: usize>(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    let schedule = [key[0], key[1], PARITY ^ key[0] ^ key[1]];
    let mut x0 = counter[0].wrapping_add(schedule[0]);
    let mut x1 = counter[1].wrapping_add(schedule[1]);
    for round in 0..ROUNDS {
        x0 = x0.wrapping_add(x1);
        x1 = x1.rotate_left(ROTATIONS[round % 8]) ^ x0;
        if round % 4 == 3 {
            let injection = round / 4 + 1;
            x0 = x0.wrapping_add(schedule[injection % 3]);
            x1 = x1.wrapping_add(schedule[(injection + 1) % 3]).wrapping_add(injection as u32);
        }
    }
    [x0, x1]
}

/// Returns the two random words at step `step` of the stream `stream` of a seed.
#[inline]
pub fn block(seed: u64, stream: u32, step: u32) -> [u32; 2] {
    threefry2x32::<ROUNDS>([seed as u32, (seed >> 32) as u32], [stream, step])
}

/// Returns the two random words of each lane of SIMD vectors of streams and steps. Each lane equals [`block`].
#[inline(always)]
pub fn blocks<S: Simd>(s: S, seed: u64, stream: S::u32s, step: S::u32s) -> (S::u32s, S::u32s) {
    let key = [seed as u32, (seed >> 32) as u32];
    let schedule = [key[0], key[1], PARITY ^ key[0] ^ key[1]];
    let mut x0 = stream + S::u32s::splat(s, schedule[0]);
    let mut x1 = step + S::u32s::splat(s, schedule[1]);
    for round in 0..ROUNDS {
        x0 += x1;
        let rotation = ROTATIONS[round % 8];
        x1 = ((x1 << rotation) | (x1 >> (32 - rotation))) ^ x0;
        if round % 4 == 3 {
            let injection = round / 4 + 1;
            x0 += S::u32s::splat(s, schedule[injection % 3]);
            x1 += S::u32s::splat(s, schedule[(injection + 1) % 3].wrapping_add(injection as u32));
        }
    }
    (x0, x1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{dispatch, levels};

    /// Known-answer tests of the library Random123 (`kat_vectors`): counter, key, result after 13 and after 20 rounds.
    #[test]
    fn agrees_with_the_known_answers() {
        let pi = ([0x243f_6a88, 0x85a3_08d3], [0x1319_8a2e, 0x0370_7344]);
        let cases = [
            (([0, 0], [0, 0]), [0x9d1c_5ec6, 0x8bd5_0731], [0x6b20_0159, 0x99ba_4efe]),
            (([u32::MAX; 2], [u32::MAX; 2]), [0xfd36_d048, 0x2d17_272c], [0x1cb9_96fc, 0xbb00_2be7]),
            (pi, [0xba3e_4725, 0xf27d_669e], [0xc492_3a9c, 0x483d_f7a0]),
        ];
        for ((counter, key), after_13, after_20) in cases {
            assert_eq!(threefry2x32::<13>(key, counter), after_13);
            assert_eq!(threefry2x32::<20>(key, counter), after_20);
            let seed = u64::from(key[1]) << 32 | u64::from(key[0]);
            assert_eq!(block(seed, counter[0], counter[1]), after_13);
        }
    }

    #[inline(always)]
    fn agrees_with_block<S: Simd>(s: S) {
        let seed = 0x0123_4567_89ab_cdef;
        let stream = S::u32s::from_fn(s, |lane| 7 * lane as u32);
        let step = S::u32s::from_fn(s, |lane| u32::MAX - lane as u32);
        let (x0, x1) = blocks(s, seed, stream, step);
        for lane in 0..S::u32s::LEN {
            assert_eq!([x0[lane], x1[lane]], block(seed, stream[lane], step[lane]));
        }
    }

    #[test]
    fn vectors_agree_with_scalars_at_every_level() {
        for level in levels() {
            dispatch!(level, s => agrees_with_block(s));
        }
    }
}

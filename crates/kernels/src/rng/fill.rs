//! Functions that fill slices with random numbers.

use super::{blocks, normals, uniforms};
use crate::simd::{Level, Simd, SimdBase, dispatch};

macro_rules! fill {
    ($(#[$doc:meta])* $name:ident, |$s:ident, $words:ident| $pair:expr) => {
        $(#[$doc])*
        pub fn $name(level: Level, seed: u64, stream: u32, first_step: u32, out: &mut [f32]) {
            #[inline(always)]
            fn kernel<S: Simd>($s: S, seed: u64, stream: u32, first_step: u32, out: &mut [f32]) {
                let stream = S::u32s::splat($s, stream);
                let lanes = S::u32s::from_fn($s, |lane| lane as u32);
                let mut step = lanes + S::u32s::splat($s, first_step);
                for pair in out.chunks_mut(2 * S::f32s::LEN) {
                    let $words = blocks($s, seed, stream, step);
                    let (even, odd): (S::f32s, S::f32s) = $pair;
                    let (low, high) = even.interleave(odd);
                    let (first, second) = pair.split_at_mut(pair.len().min(S::f32s::LEN));
                    first.copy_from_slice(&low.as_slice()[..first.len()]);
                    second.copy_from_slice(&high.as_slice()[..second.len()]);
                    step += S::u32s::splat($s, S::u32s::LEN as u32);
                }
            }
            dispatch!(level, s => kernel(s, seed, stream, first_step, out))
        }
    };
}

fill!(
    /// Fills a slice with uniform numbers in \[0, 1) of one stream. Each step yields two random words and two numbers:
    /// `out[i]` is number i mod 2 of step `first_step` + i/2.
    fill_uniform,
    |s, words| (uniforms(s, words.0), uniforms(s, words.1))
);
fill!(
    /// Fills a slice with standard normal numbers of one stream. Each step yields two random words and two numbers:
    /// `out[i]` is number i mod 2 of step `first_step` + i/2.
    fill_normal,
    |s, words| normals(s, words)
);

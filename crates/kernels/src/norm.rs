//! What clipping a gradient takes: the sum of its squares, and a factor.

use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};

/// Σ x².
pub fn sum_of_squares(level: Level, x: &[f32]) -> f32 {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &[f32]) -> f32 {
        let mut sums = [S::f32s::splat(s, 0.0); 4];
        let mut blocks = x.chunks_exact(4 * S::f32s::LEN);
        for block in &mut blocks {
            for (sum, chunk) in sums.iter_mut().zip(block.chunks_exact(S::f32s::LEN)) {
                let v = S::f32s::from_slice(s, chunk);
                *sum = v.mul_add(v, *sum);
            }
        }
        for chunk in blocks.remainder().chunks(S::f32s::LEN) {
            let v = load_partial(s, chunk, 0.0);
            sums[0] = v.mul_add(v, sums[0]);
        }
        ((sums[0] + sums[1]) + (sums[2] + sums[3])).reduce_sum()
    }
    dispatch!(level, s => kernel(s, x))
}

/// x ← factor·x.
pub fn scale(level: Level, x: &mut [f32], factor: f32) {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &mut [f32], factor: f32) {
        let mut vectors = x.chunks_exact_mut(S::f32s::LEN);
        for chunk in &mut vectors {
            (S::f32s::from_slice(s, chunk) * factor).store_slice(chunk);
        }
        let rest = vectors.into_remainder();
        store_partial::<S>(load_partial(s, rest, 0.0) * factor, rest);
    }
    dispatch!(level, s => kernel(s, x, factor))
}

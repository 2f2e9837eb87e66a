//! Gradient clipping: sum of squares and scale factor.

use crate::reduce::total;
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};

/// Returns the sum of squares Σ x².
pub fn sum_of_squares(level: Level, x: &[f32]) -> f32 {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &[f32]) -> f32 {
        total(
            s,
            x,
            #[inline(always)]
            |sum, v| v.mul_add(v, sum),
        )
    }
    dispatch!(level, s => kernel(s, x))
}

/// Scales a slice in place: x ← factor·x.
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

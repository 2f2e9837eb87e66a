//! Kernels of gradient clipping: sum of squares, and multiplication by a factor.

use crate::reduce::total;
use crate::simd::{Level, Simd, SimdFloat, dispatch, map_slice};

/// Returns the sum of squares Σ x² of a slice.
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

/// Multiplies each element of a slice by `factor`, in place.
pub fn scale(level: Level, x: &mut [f32], factor: f32) {
    #[inline(always)]
    fn kernel<S: Simd>(s: S, x: &mut [f32], factor: f32) {
        map_slice(
            s,
            x,
            #[inline(always)]
            |x| x * factor,
        );
    }
    dispatch!(level, s => kernel(s, x, factor))
}

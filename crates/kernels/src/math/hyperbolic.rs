//! The hyperbolic tangent and the logistic function.

use super::polynomial;
use crate::simd::{Simd, SimdBase, SimdFloat};

/// tanh x, within 3e-7 (absolute).
///
/// A rational function x·P(x²)/Q(x²) on \[−9, 9\], beyond which tanh x rounds to ±1.
#[inline(always)]
pub fn tanh<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    let x = x.max(S::f32s::splat(s, -9.0)).min(S::f32s::splat(s, 9.0));
    let square = x * x;
    let p = polynomial(
        s,
        square,
        [
            -2.760_768_5e-16,
            2.000_188e-13,
            -8.604_671e-11,
            5.122_297_2e-8,
            1.485_722_4e-5,
            6.372_619_3e-4,
            4.893_524_7e-3,
        ],
    );
    let q = polynomial(s, square, [1.198_258_4e-6, 1.185_347_1e-4, 2.268_434_6e-3, 4.893_525e-3]);
    x * p / q
}

/// The logistic function 1/(1 + e⁻ˣ) = ½ + ½ tanh(x/2), within 2e-7 (absolute).
#[inline(always)]
pub fn sigmoid<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    let half = S::f32s::splat(s, 0.5);
    tanh(s, x * half).mul_add(half, half)
}

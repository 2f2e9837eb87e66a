//! Exponential function.

use super::{ROUND, polynomial};
use crate::simd::{Bytes, Select, Simd, SimdBase, SimdFloat};

/// Largest x with a finite eˣ: ln(2¹²⁸ − 2¹⁰³).
const LARGEST: f32 = 88.722_83;
/// Smallest x with a normal eˣ: ln 2⁻¹²⁶.
const SMALLEST: f32 = -87.336_54;

/// Returns eˣ in each SIMD lane, within 1 ulp. 0 for x < −87.34 (where the result would be subnormal), ∞ for x > 88.72;
/// NaN propagates.
///
/// Algorithm: x = n·ln 2 + r with |r| ≤ ½ ln 2, and eʳ by the polynomial of Cephes' `expf` (Moshier 1989).
#[inline(always)]
pub fn exp<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    let rounded = x.mul_add(S::f32s::splat(s, std::f32::consts::LOG2_E), S::f32s::splat(s, ROUND));
    let n = rounded - ROUND;
    // ln 2 in two parts, the first short enough that its product with n is exact.
    let r = n.mul_add(S::f32s::splat(s, -0.693_359_4), x);
    let r = n.mul_add(S::f32s::splat(s, 2.121_944_4e-4), r);
    let p =
        polynomial(s, r, [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5]);
    let power = p.mul_add(r * r, r) + 1.0;
    // Multiply by 2ⁿ by adding n to the exponent bits.
    let scaled: S::u32s = power.bitcast::<S::u32s>() + (rounded.bitcast::<S::u32s>() << 23);
    let result: S::f32s = scaled.bitcast();
    let result = x.simd_lt(SMALLEST).select(S::f32s::splat(s, 0.0), result);
    let result = x.simd_gt(LARGEST).select(S::f32s::splat(s, f32::INFINITY), result);
    x.simd_eq(x).select(result, x)
}

//! Natural logarithm.

use super::polynomial;
use crate::simd::{Bytes, Select, Simd, SimdBase, SimdCvtFloat, SimdFloat};

/// Returns ln x in each SIMD lane, within 1 ulp: −∞ for 0, NaN for negative x, ∞ for ∞. NaN propagates.
///
/// Algorithm: x = m·2ᵉ with √½ ≤ m < √2, and ln m by the polynomial of Cephes' `logf` (Moshier 1989).
#[inline(always)]
pub fn ln<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    // Scale subnormal numbers into the normal range.
    let subnormal = x.simd_lt(f32::MIN_POSITIVE);
    let scaled = subnormal.select(x * 8_388_608.0, x);
    let offset = subnormal.select(S::f32s::splat(s, 23.0), S::f32s::splat(s, 0.0));
    // Subtracting the bits of √½ carries into the exponent exactly if the mantissa is below √2.
    let bits = scaled.bitcast::<S::u32s>() - 0x3f35_04f3;
    let exponent = S::f32s::float_from(bits.bitcast::<S::i32s>() >> 23) - offset;
    let mantissa: S::f32s = ((bits & 0x007f_ffff) + 0x3f35_04f3).bitcast();

    let m = mantissa - 1.0;
    let square = m * m;
    let p = polynomial(
        s,
        m,
        [
            7.037_683_6e-2,
            -1.151_461e-1,
            1.167_699_9e-1,
            -1.242_014_1e-1,
            1.424_932_3e-1,
            -1.666_805_8e-1,
            2.000_071_5e-1,
            -2.499_999_4e-1,
            3.333_333e-1,
        ],
    );
    // ln 2 in two parts, the first short enough that its product with the exponent is exact.
    let tail = exponent.mul_add(S::f32s::splat(s, -2.121_944_4e-4), p * m * square);
    let tail = square.mul_add(S::f32s::splat(s, -0.5), tail);
    let result = exponent.mul_add(S::f32s::splat(s, 0.693_359_4), m + tail);

    let result = x.simd_eq(0.0).select(S::f32s::splat(s, f32::NEG_INFINITY), result);
    let result = x.simd_eq(f32::INFINITY).select(x, result);
    // Also handles NaN, for which every comparison is false.
    x.simd_ge(0.0).select(result, S::f32s::splat(s, f32::NAN))
}

//! Sine and cosine.

use super::{ROUND, polynomial};
use crate::simd::{Bytes, Select, Simd, SimdBase, SimdFloat};

/// Returns (sin x, cos x) in each SIMD lane for |x| ≤ π/4, without range reduction: sin within 1 ulp, cos within 1.5
/// ulp.
///
/// Algorithm: polynomials of Cephes' `sinf` and `cosf` (Moshier 1989).
#[inline(always)]
pub fn sin_cos_reduced<S: Simd>(s: S, x: S::f32s) -> (S::f32s, S::f32s) {
    let square = x * x;
    let p = polynomial(s, square, [-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1]);
    let sin = p.mul_add(square * x, x);
    let q = polynomial(s, square, [2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2]);
    let cos = q.mul_add(square * square, square.mul_add(S::f32s::splat(s, -0.5), S::f32s::splat(s, 1.0)));
    (sin, cos)
}

/// Returns (sin x, cos x) in each SIMD lane, within 1e-7 (absolute) for |x| ≤ 8192; NaN for NaN and infinities.
///
/// Algorithm: x = n·π/2 + r with |r| ≤ π/4, where π/2 is a sum of three floats (Cody and Waite 1980).
#[inline(always)]
pub fn sin_cos<S: Simd>(s: S, x: S::f32s) -> (S::f32s, S::f32s) {
    let rounded = x.mul_add(S::f32s::splat(s, std::f32::consts::FRAC_2_PI), S::f32s::splat(s, ROUND));
    let n = rounded - ROUND;
    let r = n.mul_add(S::f32s::splat(s, -1.570_312_5), x);
    let r = n.mul_add(S::f32s::splat(s, -4.837_513e-4), r);
    let r = n.mul_add(S::f32s::splat(s, -7.549_79e-8), r);
    let (sin_r, cos_r) = sin_cos_reduced(s, r);

    // The quadrant determines whether the result is sin r or cos r, and the sign.
    let quarter: S::u32s = rounded.bitcast();
    let odd = (quarter & 1).simd_ne(0);
    let sin = odd.select(cos_r, sin_r);
    let cos = odd.select(sin_r, cos_r);
    let sin_sign = (quarter & 2) << 30;
    let cos_sign = ((quarter + 1) & 2) << 30;
    ((sin.bitcast::<S::u32s>() ^ sin_sign).bitcast(), (cos.bitcast::<S::u32s>() ^ cos_sign).bitcast())
}

/// Returns sin x in each SIMD lane, with the accuracy of [`sin_cos`].
#[inline(always)]
pub fn sin<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    sin_cos(s, x).0
}

/// Returns cos x in each SIMD lane, with the accuracy of [`sin_cos`].
#[inline(always)]
pub fn cos<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    sin_cos(s, x).1
}

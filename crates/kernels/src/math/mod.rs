//! Elementary functions on SIMD vectors, with stated errors.
//!
//! Functions on vectors are generic over the SIMD token and meant to be inlined into other kernels; functions on slices
//! work in place. The stated errors are maxima over the stated range, measured against f64 at every SIMD level. One ulp
//! is the distance between neighboring floats at the exact result.

mod exponential;
mod hyperbolic;
mod logarithm;
mod slices;
mod trigonometric;

pub use exponential::exp;
pub use hyperbolic::{sigmoid, tanh};
pub use logarithm::ln;
pub use slices::{cos_in_place, exp_in_place, ln_in_place, sigmoid_in_place, sin_in_place, tanh_in_place};
pub use trigonometric::{cos, sin, sin_cos, sin_cos_reduced};

use crate::simd::{Simd, SimdBase, SimdFloat};

/// Evaluates a polynomial in each SIMD lane by Horner's rule. The coefficient of the highest power is first.
#[inline(always)]
pub fn polynomial<S: Simd, const N: usize>(s: S, x: S::f32s, coefficients: [f32; N]) -> S::f32s {
    let mut sum = S::f32s::splat(s, coefficients[0]);
    for &c in &coefficients[1..] {
        sum = sum.mul_add(x, S::f32s::splat(s, c));
    }
    sum
}

/// Rounding constant 1.5·2²³. Adding and then subtracting the constant rounds a float of magnitude below 2²² to the
/// nearest integer; after the addition, the low bits hold this integer. Faster than a conversion at lower SIMD levels.
pub(crate) const ROUND: f32 = 12_582_912.0;

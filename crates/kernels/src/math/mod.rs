//! Elementary functions on SIMD vectors, with stated errors.
//!
//! Functions on vectors are generic over the SIMD token and meant to be inlined into other kernels; functions on slices
//! work in place. Errors are the largest measured against f64 over the stated range, at every level. One ulp is the
//! distance between neighboring floats at the true result.

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

/// Evaluates a polynomial by Horner's rule, with the coefficient of the highest power first.
#[inline(always)]
pub fn polynomial<S: Simd, const N: usize>(s: S, x: S::f32s, coefficients: [f32; N]) -> S::f32s {
    let mut sum = S::f32s::splat(s, coefficients[0]);
    for &c in &coefficients[1..] {
        sum = sum.mul_add(x, S::f32s::splat(s, c));
    }
    sum
}

/// Rounding constant 1.5·2²³: adding and subtracting it rounds a float of magnitude below 2²² to the nearest integer;
/// after the addition, the low bits hold that integer. Faster than a conversion at lower SIMD levels, with equal
/// results.
pub(crate) const ROUND: f32 = 12_582_912.0;

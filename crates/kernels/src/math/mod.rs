//! Elementary functions on vectors, with stated errors.
//!
//! The functions on vectors are generic over the SIMD token and meant to be inlined into other kernels; the functions
//! on slices work in place. Errors are the largest seen against f64 over the stated range, at every level; one ulp
//! is the distance between neighboring floats at the true result.

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

/// The polynomial with these coefficients, the highest power first (Horner's rule).
#[inline(always)]
pub fn polynomial<S: Simd, const N: usize>(s: S, x: S::f32s, coefficients: [f32; N]) -> S::f32s {
    let mut sum = S::f32s::splat(s, coefficients[0]);
    for &c in &coefficients[1..] {
        sum = sum.mul_add(x, S::f32s::splat(s, c));
    }
    sum
}

/// Added to a float of magnitude below 2²² and subtracted again, this rounds it to the nearest integer; in between,
/// the low bits of the float are that integer. Quicker than a conversion at the lower levels, and the same at all.
pub(crate) const ROUND: f32 = 12_582_912.0;

//! Tests of elementary functions at every SIMD level: errors against f64 are within the documented bounds.

use crate::common::at_every_level;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::math;
use vivarium_kernels::simd::{Level, level_name};

type InPlace = fn(Level, &mut [f32]);

/// Returns about a million evenly spaced floats from `low` to `high`, both included.
fn even(low: f32, high: f32) -> Vec<f32> {
    let count = 1_000_000;
    (0..=count).map(|i| low + (high - low) * (i as f32 / count as f32)).collect()
}

/// Returns about a million floats from `low` to `high` with evenly spaced bit patterns, which cover all magnitudes.
fn magnitudes(low: f32, high: f32) -> Vec<f32> {
    let (low, high) = (low.to_bits(), high.to_bits());
    let stride = ((high - low) / 1_000_000).max(1);
    (low..=high).step_by(stride as usize).map(f32::from_bits).collect()
}

/// Returns the distance from `y`, rounded to `f32`, to the next `f32` (one ulp).
fn ulp(y: f64) -> f64 {
    let y = (y.abs() as f32).max(f32::MIN_POSITIVE);
    f64::from(f32::from_bits(y.to_bits() + 1)) - f64::from(y)
}

/// Asserts that the maximum error of `f` over the arguments `x` is at most `bound`, at every SIMD level. `error(got,
/// exact)` measures the error.
#[track_caller]
fn check(what: &str, x: &[f32], f: InPlace, exact: fn(f64) -> f64, error: fn(f64, f64) -> f64, bound: f64) {
    at_every_level(|level| {
        let mut got = x.to_vec();
        f(level, &mut got);
        let (mut worst, mut at) = (0.0, 0.0);
        for (&x, &got) in x.iter().zip(&got) {
            assert!(got.is_finite(), "{what} at {}: {got} for {x}", level_name(level));
            let e = error(f64::from(got), exact(f64::from(x)));
            if e > worst {
                (worst, at) = (e, x);
            }
        }
        println!("{what} at {}: {worst:.3e} at {at}", level_name(level));
        assert!(worst <= bound, "{what} at {}: error {worst} at {at}, more than {bound}", level_name(level));
    });
}

fn in_ulp(got: f64, exact: f64) -> f64 {
    (got - exact).abs() / ulp(exact)
}

fn absolute(got: f64, exact: f64) -> f64 {
    (got - exact).abs()
}

#[test]
fn exponential() {
    check("exp", &even(-87.3, 88.7), math::exp_in_place, f64::exp, in_ulp, 1.0);
    check("exp near 0", &magnitudes(1e-30, 1.0), math::exp_in_place, f64::exp, in_ulp, 1.0);
}

#[test]
fn logarithm() {
    check("ln", &magnitudes(f32::MIN_POSITIVE, f32::MAX), math::ln_in_place, f64::ln, in_ulp, 1.0);
    check("ln near 1", &even(0.5, 2.0), math::ln_in_place, f64::ln, in_ulp, 1.0);
    check("ln of subnormals", &magnitudes(1e-45, 1e-38), math::ln_in_place, f64::ln, in_ulp, 1.0);
}

#[test]
fn hyperbolic_tangent() {
    check("tanh", &even(-12.0, 12.0), math::tanh_in_place, f64::tanh, absolute, 3.5e-7);
    check("tanh of every magnitude", &magnitudes(1e-30, 1e30), math::tanh_in_place, f64::tanh, in_ulp, 7.0);
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    check("sigmoid", &even(-30.0, 30.0), math::sigmoid_in_place, sigmoid, absolute, 2e-7);
}

#[test]
fn trigonometry() {
    check("sin", &even(-8192.0, 8192.0), math::sin_in_place, f64::sin, absolute, 1e-7);
    check("cos", &even(-8192.0, 8192.0), math::cos_in_place, f64::cos, absolute, 1e-7);
    check("sin near 0", &magnitudes(1e-30, 0.785), math::sin_in_place, f64::sin, in_ulp, 1.0);
    check("cos near 0", &even(-0.785, 0.785), math::cos_in_place, f64::cos, in_ulp, 1.5);
}

#[test]
fn special_values() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let cases: [(&str, InPlace, f32, f32); 19] = [
        ("exp", math::exp_in_place, -inf, 0.0),
        ("exp", math::exp_in_place, -1000.0, 0.0),
        ("exp", math::exp_in_place, 0.0, 1.0),
        ("exp", math::exp_in_place, 89.0, inf),
        ("exp", math::exp_in_place, inf, inf),
        ("exp", math::exp_in_place, nan, nan),
        ("ln", math::ln_in_place, 0.0, -inf),
        ("ln", math::ln_in_place, -0.0, -inf),
        ("ln", math::ln_in_place, 1.0, 0.0),
        ("ln", math::ln_in_place, -1.0, nan),
        ("ln", math::ln_in_place, inf, inf),
        ("ln", math::ln_in_place, nan, nan),
        ("tanh", math::tanh_in_place, 0.0, 0.0),
        ("tanh", math::tanh_in_place, inf, 1.0),
        ("tanh", math::tanh_in_place, -inf, -1.0),
        ("tanh", math::tanh_in_place, nan, nan),
        ("sin", math::sin_in_place, nan, nan),
        ("sin", math::sin_in_place, inf, nan),
        ("cos", math::cos_in_place, 0.0, 1.0),
    ];
    at_every_level(|level| {
        for (name, f, x, expected) in cases {
            let mut got = [x];
            f(level, &mut got);
            assert!(
                got[0] == expected || (got[0].is_nan() && expected.is_nan()),
                "{name}({x}) at {} is {}, not {expected}",
                level_name(level),
                got[0]
            );
        }
    });
}

#[test]
fn the_hyperbolic_tangent_never_leaves_its_range() {
    at_every_level(|level| {
        let mut x = even(-12.0, 12.0);
        math::tanh_in_place(level, &mut x);
        assert!(x.iter().all(|y| y.abs() <= 1.0));
    });
}

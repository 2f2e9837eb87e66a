//! Activation functions and their derivatives, in place over slices.

use crate::math;
use crate::simd::{Level, Select, Simd, SimdBase, SimdFloat, dispatch, map_slice, zip_slices};

/// Activation function after a linear layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Activation {
    /// Identity, y = x.
    #[default]
    None,
    /// ReLU, y = max(x, 0).
    Relu,
    /// Hyperbolic tangent, y = tanh x.
    Tanh,
    /// GELU with the tanh approximation, y = ½x(1 + tanh(√(2/π)(x + 0.044715x³))) (Hendrycks and Gimpel 2016,
    /// <https://arxiv.org/abs/1606.08415>).
    Gelu,
}

impl Activation {
    /// Returns whether [`backward`] computes the derivative from the activation's input. If not, the derivative is
    /// computed from the output.
    pub fn saves_input(self) -> bool {
        self == Self::Gelu
    }

    /// Returns activation(x) in double precision.
    pub fn reference(self, x: f64) -> f64 {
        match self {
            Self::None => x,
            Self::Relu => x.max(0.0),
            Self::Tanh => x.tanh(),
            Self::Gelu => 0.5 * x * (1.0 + (gelu_scale() * (x + GELU_CUBIC * x.powi(3))).tanh()),
        }
    }

    /// Returns activation′(x) in double precision.
    pub fn reference_slope(self, x: f64) -> f64 {
        match self {
            Self::None => 1.0,
            Self::Relu => f64::from(x > 0.0),
            Self::Tanh => 1.0 - x.tanh().powi(2),
            Self::Gelu => {
                let t = (gelu_scale() * (x + GELU_CUBIC * x.powi(3))).tanh();
                let inner = gelu_scale() * (1.0 + 3.0 * GELU_CUBIC * x * x);
                0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * inner
            }
        }
    }
}

/// Returns √(2/π), a constant of the tanh approximation of GELU, in double precision.
fn gelu_scale() -> f64 {
    (2.0 / std::f64::consts::PI).sqrt()
}

/// √(2/π), a constant of the tanh approximation of GELU.
const GELU_SCALE: f32 = 0.797_884_6;
const GELU_CUBIC: f64 = 0.044_715;

/// Applies the activation to each lane of one SIMD vector.
#[inline(always)]
pub fn activate<S: Simd>(s: S, activation: Activation, x: S::f32s) -> S::f32s {
    match activation {
        Activation::None => x,
        Activation::Relu => relu(s, x),
        Activation::Tanh => math::tanh(s, x),
        Activation::Gelu => gelu(s, x),
    }
}

#[inline(always)]
fn relu<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    let zero = S::f32s::splat(s, 0.0);
    if cfg!(target_arch = "wasm32") {
        // `max` takes several instructions in wasm without relaxed SIMD.
        x.simd_lt(zero).select(zero, x)
    } else {
        // Operand order matters: x86 returns the second operand if one is NaN, so that NaN propagates.
        zero.max(x)
    }
}

#[inline(always)]
fn gelu<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    let half = x * 0.5;
    math::tanh(s, gelu_argument(s, x)).mul_add(half, half)
}

#[inline(always)]
fn gelu_argument<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    x * (x * x).mul_add(S::f32s::splat(s, GELU_SCALE * GELU_CUBIC as f32), S::f32s::splat(s, GELU_SCALE))
}

/// Multiplies one SIMD vector of the gradient dy by the activation's derivative, which is computed from the output, or
/// from the input if [`Activation::saves_input`].
#[inline(always)]
pub fn differentiate<S: Simd>(s: S, activation: Activation, saved: S::f32s, dy: S::f32s) -> S::f32s {
    match activation {
        Activation::None => dy,
        Activation::Relu => relu_gradient(s, saved, dy),
        Activation::Tanh => tanh_gradient(s, saved, dy),
        Activation::Gelu => gelu_gradient(s, saved, dy),
    }
}

#[inline(always)]
fn relu_gradient<S: Simd>(s: S, y: S::f32s, dy: S::f32s) -> S::f32s {
    let zero = S::f32s::splat(s, 0.0);
    y.simd_gt(zero).select(dy, zero)
}

#[inline(always)]
fn tanh_gradient<S: Simd>(s: S, y: S::f32s, dy: S::f32s) -> S::f32s {
    dy * (S::f32s::splat(s, 1.0) - y * y)
}

#[inline(always)]
fn gelu_gradient<S: Simd>(s: S, x: S::f32s, dy: S::f32s) -> S::f32s {
    let one = S::f32s::splat(s, 1.0);
    let t = math::tanh(s, gelu_argument(s, x));
    let slope = (x * x)
        .mul_add(S::f32s::splat(s, 3.0 * GELU_SCALE * GELU_CUBIC as f32), S::f32s::splat(s, GELU_SCALE));
    let inner = (one - t * t) * x * slope;
    dy * (inner + t + one) * 0.5
}

/// Applies the activation in place: x ← activation(x).
pub fn forward(level: Level, activation: Activation, x: &mut [f32]) {
    macro_rules! each {
        ($function:ident) => {{
            #[inline(always)]
            fn kernel<S: Simd>(s: S, x: &mut [f32]) {
                map_slice(
                    s,
                    x,
                    #[inline(always)]
                    |x| $function(s, x),
                );
            }
            dispatch!(level, s => kernel(s, x))
        }};
    }
    use crate::math::tanh;
    match activation {
        Activation::None => {}
        Activation::Relu => each!(relu),
        Activation::Tanh => each!(tanh),
        Activation::Gelu => each!(gelu),
    }
}

/// Multiplies a gradient in place by the activation's derivative: gradient ← gradient · activation′.
///
/// `saved` is the activation's output, or its input if [`Activation::saves_input`].
pub fn backward(level: Level, activation: Activation, saved: &[f32], gradient: &mut [f32]) {
    assert_eq!(saved.len(), gradient.len(), "saved values and gradient differ in length");
    macro_rules! each {
        ($function:ident) => {{
            #[inline(always)]
            fn kernel<S: Simd>(s: S, saved: &[f32], gradient: &mut [f32]) {
                zip_slices(
                    s,
                    gradient,
                    saved,
                    #[inline(always)]
                    |gradient, saved| $function(s, saved, gradient),
                );
            }
            dispatch!(level, s => kernel(s, saved, gradient))
        }};
    }
    match activation {
        Activation::None => {}
        Activation::Relu => each!(relu_gradient),
        Activation::Tanh => each!(tanh_gradient),
        Activation::Gelu => each!(gelu_gradient),
    }
}

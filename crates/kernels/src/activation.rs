//! Activation functions and their derivatives, over slices.

use crate::math;
use crate::simd::{
    Level, Select, Simd, SimdBase, SimdFloat, dispatch, map_slice, map_slices, zip_slice, zip_slices,
};

/// Calls the macro `$with` with the table of activation functions y = f(x), one row per function. The enum
/// [`Activation`], the kernels of this module, the methods of `Graph` and the WGSL functions are generated from the
/// table.
///
/// - `saved`: the value from which the derivative is computed, `Input` x or `Output` y.
/// - `onnx`: the ONNX form, a variant of [`OnnxActivation`](crate::activation::OnnxActivation).
/// - `f64`: f(x) and f′(x) in double precision.
/// - `simd`: f(x) and f′·dy on SIMD vectors; `saved` is the value that the row names.
/// - `wgsl`: bodies of functions that return f(x), and f′·dy of `saved` and `dy`. `$T` is the type `f32` or
///   `vec4<f32>`; `$N` ends the names of functions that exist for both types.
#[macro_export]
macro_rules! for_each_activation {
    ($with:ident) => {
        $with! {
            /// ReLU, max(x, 0).
            Relu relu {
                saved: Output, onnx: Operator("Relu"),
                f64: |x| x.max(0.0), |x| f64::from(x > 0.0),
                simd: |s, x| relu(s, x),
                    |s, y, dy| y.simd_gt(0.0).select(dy, S::f32s::splat(s, 0.0)),
                wgsl: "return select(max(x, $T(0.0)), x, is_nan$N(x));",
                    "return select($T(0.0), dy, saved > $T(0.0));",
            }
            /// Hyperbolic tangent, tanh x.
            Tanh tanh {
                saved: Output, onnx: Operator("Tanh"),
                f64: |x| x.tanh(), |x| 1.0 - x.tanh().powi(2),
                simd: |s, x| math::tanh(s, x), |s, y, dy| dy * (S::f32s::splat(s, 1.0) - y * y),
                wgsl: "return safe_tanh$N(x);", "return dy * (1.0 - saved * saved);",
            }
            /// Logistic sigmoid, 1/(1 + e⁻ˣ).
            Sigmoid sigmoid {
                saved: Output, onnx: Operator("Sigmoid"),
                f64: |x| 1.0 / (1.0 + (-x).exp()), |x| 1.0 / ((1.0 + (-x).exp()) * (1.0 + x.exp())),
                simd: |s, x| math::sigmoid(s, x), |s, y, dy| dy * y * (S::f32s::splat(s, 1.0) - y),
                wgsl: "return safe_sigmoid$N(x);", "return dy * saved * (1.0 - saved);",
            }
            /// GELU with the tanh approximation, ½x(1 + tanh(√(2/π)(x + 0.044715x³))) (Hendrycks and Gimpel 2016,
            /// <https://arxiv.org/abs/1606.08415>).
            Gelu gelu {
                saved: Input, onnx: TanhGelu,
                f64: |x| 0.5 * x * (1.0 + (gelu_scale() * (x + GELU_CUBIC * x.powi(3))).tanh()),
                    |x| {
                        let t = (gelu_scale() * (x + GELU_CUBIC * x.powi(3))).tanh();
                        let inner = gelu_scale() * (1.0 + 3.0 * GELU_CUBIC * x * x);
                        0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * inner
                    },
                simd: |s, x| {
                        let half = x * 0.5;
                        math::tanh(s, gelu_argument(s, x)).mul_add(half, half)
                    },
                    |s, x, dy| {
                        let one = S::f32s::splat(s, 1.0);
                        let t = math::tanh(s, gelu_argument(s, x));
                        let cubic = S::f32s::splat(s, 3.0 * GELU_SCALE * GELU_CUBIC as f32);
                        let inner = (one - t * t) * x * (x * x).mul_add(cubic, S::f32s::splat(s, GELU_SCALE));
                        dy * (inner + t + one) * 0.5
                    },
                wgsl: "let half = 0.5 * x;
return half * safe_tanh$N(x * (x * x * 0.035677407 + 0.7978846)) + half;",
                    "let t = safe_tanh$N(saved * (saved * saved * 0.035677407 + 0.7978846));
                    let inner = (1.0 - t * t) * saved * (saved * saved * 0.10703222 + 0.7978846);
                    return dy * (0.5 * (inner + t + 1.0));",
            }
        }
    };
}

macro_rules! define_activation {
    ($($(#[$doc:meta])* $variant:ident $name:ident {
        saved: $saved:ident, onnx: $onnx:ident $(($operator:literal))?,
        f64: |$x:ident| $f64:expr, |$at:ident| $derivative:expr,
        simd: |$s:ident, $v:ident| $simd:expr, |$ds:ident, $kept:ident, $dy:ident| $dx:expr,
        wgsl: $wgsl:literal, $wgsl_dx:literal,
    })*) => {
        /// Activation function after a linear layer or normalization.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Activation {
            $($(#[$doc])* $variant,)*
        }

        impl Activation {
            /// All activation functions.
            pub const ALL: &'static [Activation] = &[$(Activation::$variant),*];

            /// Returns the function's name in lower case, such as `relu`.
            pub fn name(self) -> &'static str {
                match self { $(Activation::$variant => stringify!($name),)* }
            }

            /// Returns whether [`backward`] computes the derivative from the activation's input x. If not, the
            /// derivative is computed from the output y.
            pub fn saves_input(self) -> bool {
                match self { $(Activation::$variant => SavedValue::$saved == SavedValue::Input,)* }
            }

            /// Returns the ONNX form of the function.
            pub fn onnx(self) -> OnnxActivation {
                match self { $(Activation::$variant => OnnxActivation::$onnx $(($operator))?,)* }
            }

            /// Returns the value f(x) of the function in double precision.
            pub fn reference(self, x: f64) -> f64 {
                match self { $(Activation::$variant => { let $x = x; $f64 })* }
            }

            /// Returns the derivative f′(x) of the function in double precision.
            pub fn reference_derivative(self, x: f64) -> f64 {
                match self { $(Activation::$variant => { let $at = x; $derivative })* }
            }

            /// Returns the bodies of two WGSL functions: the value f(x) of the activation function, and the gradient
            /// f′·dy. [`for_each_activation!`] documents their placeholders.
            pub fn wgsl(self) -> [&'static str; 2] {
                match self { $(Activation::$variant => [$wgsl, $wgsl_dx],)* }
            }
        }

        $(
            /// Forward and backward kernel of one activation function.
            mod $name {
                use super::*;

                #[inline(always)]
                pub(super) fn activate<S: Simd>($s: S, $v: S::f32s) -> S::f32s {
                    $simd
                }

                #[inline(always)]
                pub(super) fn differentiate<S: Simd>($ds: S, $kept: S::f32s, $dy: S::f32s) -> S::f32s {
                    $dx
                }
            }
        )*

        /// Applies the activation in place: x ← f(x).
        pub fn forward(level: Level, activation: Activation, x: &mut [f32]) {
            match activation {
                $(Activation::$variant => {
                    #[inline(always)]
                    fn kernel<S: Simd>(s: S, x: &mut [f32]) {
                        map_slice(s, x, #[inline(always)] |x| $name::activate(s, x));
                    }
                    dispatch!(level, s => kernel(s, x))
                })*
            }
        }

        /// Applies the activation to x and stores the result in y: y = f(x).
        ///
        /// # Panics
        /// If `x` and `y` differ in length.
        pub fn forward_to(level: Level, activation: Activation, x: &[f32], y: &mut [f32]) {
            match activation {
                $(Activation::$variant => {
                    #[inline(always)]
                    fn kernel<S: Simd>(s: S, x: &[f32], y: &mut [f32]) {
                        map_slices(s, x, y, #[inline(always)] |x| $name::activate(s, x));
                    }
                    dispatch!(level, s => kernel(s, x, y))
                })*
            }
        }

        /// Multiplies a gradient in place by the activation's derivative: dy ← f′·dy.
        ///
        /// `saved` is the activation's input if [`Activation::saves_input`], else its output.
        ///
        /// # Panics
        /// If `saved` and `dy` differ in length.
        pub fn backward(level: Level, activation: Activation, saved: &[f32], dy: &mut [f32]) {
            match activation {
                $(Activation::$variant => {
                    #[inline(always)]
                    fn kernel<S: Simd>(s: S, saved: &[f32], dy: &mut [f32]) {
                        zip_slice(s, dy, saved, #[inline(always)] |dy, saved| $name::differentiate(s, saved, dy));
                    }
                    dispatch!(level, s => kernel(s, saved, dy))
                })*
            }
        }

        /// Computes the gradient dx = f′·dy. `saved` is the activation's input if [`Activation::saves_input`], else its
        /// output.
        ///
        /// # Panics
        /// If the three slices differ in length.
        pub fn backward_to(level: Level, activation: Activation, saved: &[f32], dy: &[f32], dx: &mut [f32]) {
            match activation {
                $(Activation::$variant => {
                    #[inline(always)]
                    fn kernel<S: Simd>(s: S, saved: &[f32], dy: &[f32], dx: &mut [f32]) {
                        zip_slices(s, saved, dy, dx, #[inline(always)] |saved, dy| $name::differentiate(s, saved, dy));
                    }
                    dispatch!(level, s => kernel(s, saved, dy, dx))
                })*
            }
        }
    };
}

for_each_activation!(define_activation);

/// ONNX form of an activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnnxActivation {
    /// The ONNX operator with this name.
    Operator(&'static str),
    /// GELU with the tanh approximation, composed of several operators.
    TanhGelu,
}

/// Value from which the derivative of an activation function is computed.
#[derive(PartialEq)]
enum SavedValue {
    Input,
    Output,
}

/// Returns max(x, 0) in each SIMD lane, and NaN where x is NaN.
#[inline(always)]
pub(crate) fn relu<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    let zero = S::f32s::splat(s, 0.0);
    if cfg!(target_arch = "wasm32") {
        // `max` takes several instructions in wasm without relaxed SIMD.
        x.simd_lt(zero).select(zero, x)
    } else {
        // Operand order matters: x86 returns the second operand if one is NaN, so that NaN propagates.
        zero.max(x)
    }
}

/// Returns √(2/π), a constant of the tanh approximation of GELU, in double precision.
fn gelu_scale() -> f64 {
    (2.0 / std::f64::consts::PI).sqrt()
}

/// Constant √(2/π) of GELU's tanh approximation.
pub const GELU_SCALE: f32 = 0.797_884_6;
/// Coefficient of x³ in GELU's tanh approximation.
pub const GELU_CUBIC: f64 = 0.044_715;

/// Returns √(2/π)(x + 0.044715x³), the argument of the hyperbolic tangent in GELU.
#[inline(always)]
fn gelu_argument<S: Simd>(s: S, x: S::f32s) -> S::f32s {
    x * (x * x).mul_add(S::f32s::splat(s, GELU_SCALE * GELU_CUBIC as f32), S::f32s::splat(s, GELU_SCALE))
}

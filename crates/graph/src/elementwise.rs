//! The table of element-wise functions: of each, the f64 reference, the SIMD form, the WGSL expression and the slope.
//!
//! A new function is a row here, and a helper in the GPU's WGSL where one expression cannot say it. In WGSL, `$x`, `$y`,
//! `$a`, `$b` and `$dy` stand for operands and the names of a function's numbers for those numbers.

use vivarium_kernels::activation::{Activation, activate, differentiate};
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};
use vivarium_kernels::{Level, math};

use crate::widths::known_widths;

/// What the slope of a unary function is computed from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DerivativeInput {
    /// The function's argument.
    OfX,
    /// The function's result: the argument need not be kept.
    OfY,
    /// Nothing: it is this number everywhere.
    Constant(f32),
}

/// Passes the table of unary functions to a macro. `dx` is the slope times dy; its first argument is the one that
/// [`DerivativeInput`] names.
macro_rules! unary_functions {
    ($with:ident) => {
        $with! {
            /// max(x, 0).
            Relu relu, slope: OfY,
                f64: |x| x.max(0.0),
                simd: |s, x| activate(s, Activation::Relu, x),
                dx: |s, y, dy| differentiate(s, Activation::Relu, y, dy),
                wgsl: "relu($x)", "select(0.0, $dy, $y > 0.0)";
            /// The hyperbolic tangent.
            Tanh tanh, slope: OfY,
                f64: |x| x.tanh(),
                simd: |s, x| math::tanh(s, x),
                dx: |s, y, dy| differentiate(s, Activation::Tanh, y, dy),
                wgsl: "safe_tanh($x)", "$dy * (1.0 - $y * $y)";
            /// The Gaussian error linear unit in its tanh form, ½x(1 + tanh(√(2/π)(x + 0.044715x³))) (Hendrycks and
            /// Gimpel 2016).
            Gelu gelu, slope: OfX,
                f64: |x| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh()),
                simd: |s, x| activate(s, Activation::Gelu, x),
                dx: |s, x, dy| differentiate(s, Activation::Gelu, x, dy),
                wgsl: "gelu($x)", "$dy * gelu_slope($x)";
            /// 1 / (1 + e⁻ˣ).
            Sigmoid sigmoid, slope: OfY,
                f64: |x| 1.0 / (1.0 + (-x).exp()),
                simd: |s, x| math::sigmoid(s, x),
                dx: |s, y, dy| dy * y * (S::f32s::splat(s, 1.0) - y),
                wgsl: "safe_sigmoid($x)", "$dy * $y * (1.0 - $y)";
            /// eˣ.
            Exp exp, slope: OfY,
                f64: |x| x.exp(),
                simd: |s, x| math::exp(s, x),
                dx: |_s, y, dy| dy * y,
                wgsl: "safe_exp($x)", "$dy * $y";
            /// The natural logarithm.
            Ln ln, slope: OfX,
                f64: |x| x.ln(),
                simd: |s, x| math::ln(s, x),
                dx: |_s, x, dy| dy / x,
                wgsl: "log($x)", "$dy / $x";
            /// x².
            Square square, slope: OfX,
                f64: |x| x * x,
                simd: |_s, x| x * x,
                dx: |_s, x, dy| dy * x * 2.0,
                wgsl: "$x * $x", "$dy * $x * 2.0";
            /// √x.
            Sqrt sqrt, slope: OfY,
                f64: |x| x.sqrt(),
                simd: |_s, x| x.sqrt(),
                dx: |_s, y, dy| dy * 0.5 / y,
                wgsl: "sqrt($x)", "$dy * 0.5 / $y";
            /// |x|; its derivative at 0 is taken as 0.
            Abs abs, slope: OfX,
                f64: |x| x.abs(),
                simd: |_s, x| x.abs(),
                dx: |s, x, dy| {
                    let zero = S::f32s::splat(s, 0.0);
                    let positive = x.simd_gt(zero).select(dy, zero);
                    x.simd_lt(zero).select(zero - dy, positive)
                },
                wgsl: "abs($x)", "$dy * abs_slope($x)";
            /// c·x.
            Scale(c) scale, slope: Constant(c),
                f64: |x| x * f64::from(c),
                simd: |_s, x| x * c,
                dx: |_s, _x, dy| dy * c,
                wgsl: "$x * $c", "$dy * $c";
            /// x + c.
            Offset(c) offset, slope: Constant(1.0),
                f64: |x| x + f64::from(c),
                simd: |_s, x| x + c,
                dx: |_s, _x, dy| dy,
                wgsl: "$x + $c", "$dy";
            /// x held within \[low, high\]; its derivative is 1 inside and on the edges, 0 outside. For bounds that are
            /// values, `min` and `max`.
            Clamp(low, high) clamp, slope: OfX,
                f64: |x| x.clamp(low.into(), high.into()),
                simd: |s, x| {
                    let (low, high) = (S::f32s::splat(s, low), S::f32s::splat(s, high));
                    // As comparisons, which keep NaN visible.
                    let x = x.simd_lt(low).select(low, x);
                    x.simd_gt(high).select(high, x)
                },
                dx: |s, x, dy| {
                    let zero = S::f32s::splat(s, 0.0);
                    let above = x.simd_ge(S::f32s::splat(s, low)).select(dy, zero);
                    x.simd_le(S::f32s::splat(s, high)).select(above, zero)
                },
                wgsl: "held($x, $low, $high)", "select(0.0, $dy, $x >= $low && $x <= $high)";
        }
    };
}
pub(crate) use unary_functions;

/// The type of a function's number.
macro_rules! number {
    ($number:ident) => {
        f32
    };
}
pub(crate) use number;

macro_rules! define_unary {
    ($($(#[$doc:meta])* $variant:ident $(($($number:ident),+))? $name:ident, slope: $from:ident $(($slope:expr))?,
        f64: |$x:ident| $f64:expr,
        simd: |$s:ident, $v:ident| $simd:expr,
        dx: |$ds:ident, $saved:ident, $dy:ident| $dx:expr,
        wgsl: $wgsl:literal, $wgsl_dx:literal;)*) => {
        /// A function of one number, applied to each. The numbers in brackets are part of the graph.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Unary {
            $($(#[$doc])* $variant $(($(number!($number)),+))?,)*
        }

        #[allow(unused_variables)] // Not every column of the table needs a function's numbers.
        impl Unary {
            /// The name that errors and listings use.
            pub fn name(self) -> &'static str {
                match self {
                    $(Unary::$variant $(($($number),+))? => stringify!($name),)*
                }
            }

            /// What its slope is computed from.
            pub fn slope(self) -> DerivativeInput {
                match self {
                    $(Unary::$variant $(($($number),+))? => DerivativeInput::$from $(($slope))?,)*
                }
            }

            /// f(x) in double precision.
            pub(crate) fn reference(self, x: f64) -> f64 {
                match self {
                    $(Unary::$variant $(($($number),+))? => { let $x = x; $f64 })*
                }
            }

            /// y = f(x).
            pub(crate) fn run(self, level: Level, x: &[f32], y: &mut [f32]) {
                match self {
                    $(Unary::$variant $(($($number),+))? => {
                        #[inline(always)]
                        fn one<S: Simd>($s: S, $v: S::f32s $($(, $number: f32)+)?) -> S::f32s {
                            $simd
                        }
                        #[inline(always)]
                        fn kernel<S: Simd>(s: S, x: &[f32], y: &mut [f32] $($(, $number: f32)+)?) {
                            let mut results = y.chunks_exact_mut(S::f32s::LEN);
                            let mut arguments = x.chunks_exact(S::f32s::LEN);
                            for (y, x) in (&mut results).zip(&mut arguments) {
                                one(s, S::f32s::from_slice(s, x) $($(, $number)+)?).store_slice(y);
                            }
                            let (y, x) = (results.into_remainder(), arguments.remainder());
                            if !y.is_empty() {
                                store_partial::<S>(one(s, load_partial(s, x, 1.0) $($(, $number)+)?), y);
                            }
                        }
                        dispatch!(level, s => kernel(s, x, y $($(, $number)+)?))
                    })*
                }
            }

            /// dx = f′·dy, where `saved` is the argument or the result, whichever [`Unary::slope`] names.
            pub(crate) fn run_gradient(self, level: Level, saved: &[f32], dy: &[f32], dx: &mut [f32]) {
                match self {
                    $(Unary::$variant $(($($number),+))? => {
                        zip!(level, saved, dy, dx, ($($($number),+)?), |$ds, $saved, $dy| $dx)
                    })*
                }
            }

            /// The WGSL expression of y, in terms of `$x`.
            pub fn wgsl(self) -> &'static str {
                match self {
                    $(Unary::$variant $(($($number),+))? => $wgsl,)*
                }
            }

            /// The WGSL expression of dx, in terms of `$x` or `$y` and `$dy`.
            pub fn wgsl_gradient(self) -> &'static str {
                match self {
                    $(Unary::$variant $(($($number),+))? => $wgsl_dx,)*
                }
            }

            /// The names of its numbers in WGSL, and the numbers.
            pub fn numbers(self) -> Vec<(&'static str, f32)> {
                match self {
                    $(Unary::$variant $(($($number),+))? => {
                        vec![$($((concat!("$", stringify!($number)), $number)),+)?]
                    })*
                }
            }
        }
    };
}

/// z = f(a, b) in vectors, the last one partial. A macro, for a closure may fail to inline.
macro_rules! zip {
    ($level:expr, $a:expr, $b:expr, $z:expr, ($($number:ident),*), |$s:ident, $v:ident, $w:ident| $body:expr) => {{
        #[inline(always)]
        fn one<S: Simd>($s: S, $v: S::f32s, $w: S::f32s $(, $number: f32)*) -> S::f32s {
            $body
        }
        #[inline(always)]
        fn kernel<S: Simd>(s: S, a: &[f32], b: &[f32], z: &mut [f32] $(, $number: f32)*) {
            let n = S::f32s::LEN;
            let mut results = z.chunks_exact_mut(n);
            let (mut left, mut right) = (a.chunks_exact(n), b.chunks_exact(n));
            for ((z, a), b) in (&mut results).zip(&mut left).zip(&mut right) {
                one(s, S::f32s::from_slice(s, a), S::f32s::from_slice(s, b) $(, $number)*).store_slice(z);
            }
            let z = results.into_remainder();
            if !z.is_empty() {
                let a = load_partial(s, left.remainder(), 1.0);
                store_partial::<S>(one(s, a, load_partial(s, right.remainder(), 1.0) $(, $number)*), z);
            }
        }
        dispatch!($level, s => kernel(s, $a, $b, $z $(, $number)*))
    }};
}

/// Pairs where one side has one number a line.
macro_rules! for_lines {
    ($level:expr, $n:expr, $line_first:expr, $a:expr, $b:expr, $z:expr, |$x:ident, $y:ident| $scalar:expr) => {{
        #[inline(always)]
        fn line_and_number(n: usize, a: &[f32], b: &[f32], z: &mut [f32]) {
            for ((z, a), &$y) in z.chunks_exact_mut(n).zip(a.chunks_exact(n)).zip(b) {
                for (z, &$x) in z.iter_mut().zip(a) {
                    *z = $scalar;
                }
            }
        }
        #[inline(always)]
        fn number_and_line(n: usize, a: &[f32], b: &[f32], z: &mut [f32]) {
            for ((z, &$x), b) in z.chunks_exact_mut(n).zip(a).zip(b.chunks_exact(n)) {
                for (z, &$y) in z.iter_mut().zip(b) {
                    *z = $scalar;
                }
            }
        }
        #[inline(always)]
        fn kernel<S: Simd>(_: S, n: usize, line_first: bool, a: &[f32], b: &[f32], z: &mut [f32]) {
            if line_first {
                known_widths!(line_and_number, n, a, b, z);
            } else {
                known_widths!(number_and_line, n, a, b, z);
            }
        }
        dispatch!($level, s => kernel(s, $n, $line_first, $a, $b, $z))
    }};
}

unary_functions!(define_unary);

/// Passes the table of binary functions to a macro. `scalar` is the form of single and of double precision.
macro_rules! binary_functions {
    ($with:ident) => {
        $with! {
            /// a + b.
            Add add, simd: |_s, a, b| a + b, scalar: |a, b| a + b, wgsl: "$a + $b";
            /// a − b.
            Sub sub, simd: |_s, a, b| a - b, scalar: |a, b| a - b, wgsl: "$a - $b";
            /// a·b.
            Mul mul, simd: |_s, a, b| a * b, scalar: |a, b| a * b, wgsl: "$a * $b";
            /// a / b.
            Div div, simd: |_s, a, b| a / b, scalar: |a, b| a / b, wgsl: "$a / $b";
            /// The smaller of the two, or NaN if either is; where both are equal the derivative goes to `a`.
            Min min,
                simd: |_s, a, b| b.simd_eq(b).select(b.simd_lt(a).select(b, a), b),
                scalar: |a, b| if b < a || b.is_nan() { b } else { a },
                wgsl: "smaller($a, $b)";
            /// The larger of the two, or NaN if either is; where both are equal the derivative goes to `a`.
            Max max,
                simd: |_s, a, b| b.simd_eq(b).select(b.simd_gt(a).select(b, a), b),
                scalar: |a, b| if b > a || b.is_nan() { b } else { a },
                wgsl: "larger($a, $b)";
            /// 1 where a < b, else 0; has no derivative.
            Less less,
                simd: |s, a, b| a.simd_lt(b).select(S::f32s::splat(s, 1.0), S::f32s::splat(s, 0.0)),
                scalar: |a, b| if a < b { 1.0 } else { 0.0 },
                wgsl: "select(0.0, 1.0, $a < $b)";
            /// 1 where a ≤ b, else 0; has no derivative.
            LessEqual less_equal,
                simd: |s, a, b| a.simd_le(b).select(S::f32s::splat(s, 1.0), S::f32s::splat(s, 0.0)),
                scalar: |a, b| if a <= b { 1.0 } else { 0.0 },
                wgsl: "select(0.0, 1.0, $a <= $b)";
        }
    };
}
pub(crate) use binary_functions;

macro_rules! define_binary {
    ($($(#[$doc:meta])* $variant:ident $name:ident,
        simd: |$s:ident, $v:ident, $w:ident| $simd:expr,
        scalar: |$x:ident, $y:ident| $scalar:expr,
        wgsl: $wgsl:literal;)*) => {
        /// A function of two numbers, applied pair by pair. A width of 1 goes with any width: the number stands for its
        /// whole line.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Binary {
            $($(#[$doc])* $variant,)*
        }

        impl Binary {
            /// The name that errors and listings use.
            pub fn name(self) -> &'static str {
                match self {
                    $(Binary::$variant => stringify!($name),)*
                }
            }

            /// f(a, b) in double precision.
            pub(crate) fn reference(self, a: f64, b: f64) -> f64 {
                match self {
                    $(Binary::$variant => { let ($x, $y) = (a, b); $scalar })*
                }
            }

            /// z = f(a, b) for lines of these widths, where a side of width 1 stands for its whole line.
            pub(crate) fn run(self, level: Level, [a, b]: [&[f32]; 2], widths: [usize; 2], z: &mut [f32]) {
                let (n, line_first) = (widths[0].max(widths[1]), widths[1] == 1);
                match self {
                    $(Binary::$variant => {
                        if widths[0] == widths[1] {
                            zip!(level, a, b, z, (), |$s, $v, $w| $simd)
                        } else {
                            for_lines!(level, n, line_first, a, b, z, |$x, $y| $scalar)
                        }
                    })*
                }
            }

            /// Its WGSL expression, in terms of `$a` and `$b`.
            pub fn wgsl(self) -> &'static str {
                match self {
                    $(Binary::$variant => $wgsl,)*
                }
            }
        }
    };
}

binary_functions!(define_binary);

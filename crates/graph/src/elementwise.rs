//! Element-wise functions: for each, the f64 reference, the SIMD kernel, the WGSL expression and the derivative.
//!
//! To add a function, add a row to one of the tables; an activation function is a row in the table of
//! [`vivarium_kernels::activation`]. If its WGSL form is more than an expression, add a helper function to the WGSL of
//! `vivarium-gpu`. In WGSL expressions `$x`, `$y`, `$a`, `$b` and `$dy` stand for the operands, and `$` with a
//! parameter name for the value of that parameter.

use vivarium_kernels::activation::{self, Activation};
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat, dispatch, map_slices, zip_slices};
use vivarium_kernels::{Level, math};

use crate::widths::repeat_each;

/// Value from which the derivative of a unary function is computed: argument, result, or a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DerivativeInput {
    /// The derivative is computed from the argument x.
    OfX,
    /// The derivative is computed from the result y = f(x); the argument need not be stored for the backward pass.
    OfY,
    /// The derivative is this constant; neither x nor y is stored for the backward pass.
    Constant(f32),
}

/// Calls the macro `$with` with the table of unary functions f, one row per function. Columns: `derivative` is the
/// [`DerivativeInput`], the value from which f′ is computed; `onnx` appends the ONNX nodes of f to the form and returns
/// the ONNX name of the result; `f64` and `simd` compute f. `dx` computes f′·dy from that value and dy. `wgsl` has the
/// WGSL expressions of f and f′·dy.
macro_rules! unary_functions {
    ($with:ident) => {
        $with! {
            /// Exponential eˣ.
            Exp exp { derivative: OfY, onnx: |form, x| form.node("Exp", &[x], &[]),
                f64: |x| x.exp(),
                simd: |s, x| math::exp(s, x),
                dx: |_s, y, dy| dy * y,
                wgsl: "safe_exp($x)", "$dy * $y" }
            /// Natural logarithm.
            Ln ln { derivative: OfX, onnx: |form, x| form.node("Log", &[x], &[]),
                f64: |x| x.ln(),
                simd: |s, x| math::ln(s, x),
                dx: |_s, x, dy| dy / x,
                wgsl: "log($x)", "$dy / $x" }
            /// Square x².
            Square square { derivative: OfX, onnx: |form, x| form.node("Mul", &[x, x], &[]),
                f64: |x| x * x,
                simd: |_s, x| x * x,
                dx: |_s, x, dy| dy * x * 2.0,
                wgsl: "$x * $x", "$dy * $x * 2.0" }
            /// Square root √x.
            Sqrt sqrt { derivative: OfY, onnx: |form, x| form.node("Sqrt", &[x], &[]),
                f64: |x| x.sqrt(),
                simd: |_s, x| x.sqrt(),
                dx: |_s, y, dy| dy * 0.5 / y,
                wgsl: "sqrt($x)", "$dy * 0.5 / $y" }
            /// Absolute value |x|; the derivative at 0 is 0.
            Abs abs { derivative: OfX, onnx: |form, x| form.node("Abs", &[x], &[]),
                f64: |x| x.abs(),
                simd: |_s, x| x.abs(),
                dx: |s, x, dy| {
                    let zero = S::f32s::splat(s, 0.0);
                    let positive = x.simd_gt(zero).select(dy, zero);
                    x.simd_lt(zero).select(zero - dy, positive)
                },
                wgsl: "abs($x)", "$dy * abs_slope($x)" }
            /// Multiplication by a constant: c·x.
            Scale(c) scale { derivative: Constant(c), onnx: |form, x| form.binary("Mul", x, c),
                f64: |x| x * f64::from(c),
                simd: |_s, x| x * c,
                dx: |_s, _x, dy| dy * c,
                wgsl: "$x * $c", "$dy * $c" }
            /// Addition of a constant: x + c.
            Offset(c) offset { derivative: Constant(1.0), onnx: |form, x| form.binary("Add", x, c),
                f64: |x| x + f64::from(c),
                simd: |_s, x| x + c,
                dx: |_s, _x, dy| dy,
                wgsl: "$x + $c", "$dy" }
            /// Clamps x to the constants \[low, high\]. The derivative is 1 within the closed interval, 0 outside. To
            /// clamp between values of the graph, use `min` and `max`.
            Clamp(low, high) clamp { derivative: OfX,
                onnx: |form, x| {
                    let (low, high) = (form.number(low), form.number(high));
                    form.node("Clip", &[x, &low, &high], &[])
                },
                f64: |x| x.clamp(low.into(), high.into()),
                simd: |s, x| {
                    let (low, high) = (S::f32s::splat(s, low), S::f32s::splat(s, high));
                    // Comparisons, because min and max of SIMD vectors may drop NaN.
                    let x = x.simd_lt(low).select(low, x);
                    x.simd_gt(high).select(high, x)
                },
                dx: |s, x, dy| {
                    let zero = S::f32s::splat(s, 0.0);
                    let above = x.simd_ge(S::f32s::splat(s, low)).select(dy, zero);
                    x.simd_le(S::f32s::splat(s, high)).select(above, zero)
                },
                wgsl: "held($x, $low, $high)", "select(0.0, $dy, $x >= $low && $x <= $high)" }
        }
    };
}
pub(crate) use unary_functions;

/// Expands to the type `f32` for the name of each constant parameter of an element-wise function.
macro_rules! number {
    ($number:ident) => {
        f32
    };
}
pub(crate) use number;

macro_rules! define_unary {
    ($($(#[$doc:meta])* $variant:ident $(($($number:ident),+))? $name:ident {
        derivative: $from:ident $(($derivative:expr))?,
        onnx: |$form:ident, $operand:ident| $onnx:expr,
        f64: |$x:ident| $f64:expr,
        simd: |$s:ident, $v:ident| $simd:expr,
        dx: |$ds:ident, $saved:ident, $dy:ident| $dx:expr,
        wgsl: $wgsl:literal, $wgsl_dx:literal
    })*) => {
        /// A unary element-wise function. Parameters such as the bounds of `Clamp` are constants of the graph.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Unary {
            /// An activation function, which may be fused into the epilogue of the layer before it.
            Activation(Activation),
            $($(#[$doc])* $variant $(($(number!($number)),+))?,)*
        }

        #[allow(unused_variables)] // Some table columns ignore the function's parameters.
        impl Unary {
            /// Returns the function's name for error messages and listings.
            pub fn name(self) -> &'static str {
                match self {
                    Unary::Activation(function) => function.name(),
                    $(Unary::$variant $(($($number),+))? => stringify!($name),)*
                }
            }

            /// Returns the value from which the derivative is computed: the argument x, the result y, or a constant.
            pub fn derivative_input(self) -> DerivativeInput {
                match self {
                    Unary::Activation(function) if function.saves_input() => DerivativeInput::OfX,
                    Unary::Activation(_) => DerivativeInput::OfY,
                    $(Unary::$variant $(($($number),+))? => DerivativeInput::$from $(($derivative))?,)*
                }
            }

            /// Computes the value f(x) of the function in double precision, for tests.
            pub(crate) fn reference(self, x: f64) -> f64 {
                match self {
                    Unary::Activation(function) => function.reference(x),
                    $(Unary::$variant $(($($number),+))? => { let $x = x; $f64 })*
                }
            }

            /// Computes the value y = f(x) of the function for each element, in single precision.
            pub(crate) fn run(self, level: Level, x: &[f32], y: &mut [f32]) {
                match self {
                    Unary::Activation(function) => activation::forward_to(level, function, x, y),
                    $(Unary::$variant $(($($number),+))? => {
                        #[inline(always)]
                        fn one<S: Simd>($s: S, $v: S::f32s $($(, $number: f32)+)?) -> S::f32s {
                            $simd
                        }
                        #[inline(always)]
                        fn kernel<S: Simd>(s: S, x: &[f32], y: &mut [f32] $($(, $number: f32)+)?) {
                            map_slices(s, x, y, #[inline(always)] |x| one(s, x $($(, $number)+)?));
                        }
                        dispatch!(level, s => kernel(s, x, y $($(, $number)+)?))
                    })*
                }
            }

            /// Computes dx = f′·dy for each element, the gradient of y = f(x). `saved` holds x or y, whichever
            /// [`Unary::derivative_input`] names.
            pub(crate) fn run_gradient(self, level: Level, saved: &[f32], dy: &[f32], dx: &mut [f32]) {
                match self {
                    Unary::Activation(function) => activation::backward_to(level, function, saved, dy, dx),
                    $(Unary::$variant $(($($number),+))? => {
                        zip!(level, saved, dy, dx, ($($($number),+)?), |$ds, $saved, $dy| $dx)
                    })*
                }
            }

            /// Returns the WGSL expression of the function value f(x); `$x` stands for the argument.
            pub fn wgsl(self) -> String {
                match self {
                    Unary::Activation(function) => format!("activate_{}($x)", function.name()),
                    $(Unary::$variant $(($($number),+))? => $wgsl.to_owned(),)*
                }
            }

            /// Returns the WGSL expression of the gradient dx = f′·dy. Placeholders: `$dy`, and both `$x` and `$y` for
            /// the saved value, which [`Unary::derivative_input`] names.
            pub fn wgsl_gradient(self) -> String {
                match self {
                    Unary::Activation(function) => format!("differentiate_{}($x, $dy)", function.name()),
                    $(Unary::$variant $(($($number),+))? => $wgsl_dx.to_owned(),)*
                }
            }

            /// Returns the constant parameters of the function as pairs of placeholder and value, such as (`$low`,
            /// 0.0).
            pub fn numbers(self) -> Vec<(&'static str, f32)> {
                match self {
                    Unary::Activation(_) => Vec::new(),
                    $(Unary::$variant $(($($number),+))? => {
                        vec![$($((concat!("$", stringify!($number)), $number)),+)?]
                    })*
                }
            }
        }
    };
}

/// Computes z = f(a, b) for each element of two slices in SIMD vectors. The constant parameters of f are arguments of
/// the macro.
macro_rules! zip {
    ($level:expr, $a:expr, $b:expr, $z:expr, ($($number:ident),*), |$s:ident, $v:ident, $w:ident| $body:expr) => {{
        #[inline(always)]
        fn one<S: Simd>($s: S, $v: S::f32s, $w: S::f32s $(, $number: f32)*) -> S::f32s {
            $body
        }
        #[inline(always)]
        fn kernel<S: Simd>(s: S, a: &[f32], b: &[f32], z: &mut [f32] $(, $number: f32)*) {
            zip_slices(s, a, b, z, #[inline(always)] |a, b| one(s, a, b $(, $number)*));
        }
        dispatch!($level, s => kernel(s, $a, $b, $z $(, $number)*))
    }};
}

/// Number of elements to which a broadcast operand is repeated at a time. They stay in the L1 cache.
const REPEATED: usize = 512;

unary_functions!(define_unary);

/// Calls the macro `$with` with the table of binary functions f(a, b), one row per function. Columns: `simd` computes f
/// on SIMD vectors, `scalar` on single numbers (`f32` and `f64`); `onnx` is the ONNX operator, `wgsl` the WGSL
/// expression.
macro_rules! binary_functions {
    ($with:ident) => {
        $with! {
            /// Sum a + b.
            Add add { simd: |_s, a, b| a + b, scalar: |a, b| a + b, onnx: "Add", wgsl: "$a + $b" }
            /// Difference a − b.
            Sub sub { simd: |_s, a, b| a - b, scalar: |a, b| a - b, onnx: "Sub", wgsl: "$a - $b" }
            /// Product a·b.
            Mul mul { simd: |_s, a, b| a * b, scalar: |a, b| a * b, onnx: "Mul", wgsl: "$a * $b" }
            /// Quotient a / b.
            Div div { simd: |_s, a, b| a / b, scalar: |a, b| a / b, onnx: "Div", wgsl: "$a / $b" }
            /// Minimum of a and b, or NaN if either is NaN. For equal values the gradient goes to `a`.
            Min min {
                simd: |_s, a, b| b.simd_eq(b).select(b.simd_lt(a).select(b, a), b),
                scalar: |a, b| if b < a || b.is_nan() { b } else { a },
                onnx: "Min", wgsl: "smaller($a, $b)" }
            /// Maximum of a and b, or NaN if either is NaN. For equal values the gradient goes to `a`.
            Max max {
                simd: |_s, a, b| b.simd_eq(b).select(b.simd_gt(a).select(b, a), b),
                scalar: |a, b| if b > a || b.is_nan() { b } else { a },
                onnx: "Max", wgsl: "larger($a, $b)" }
            /// Comparison: 1 where a < b, else 0. Has no gradient.
            Less less {
                simd: |s, a, b| a.simd_lt(b).select(S::f32s::splat(s, 1.0), S::f32s::splat(s, 0.0)),
                scalar: |a, b| if a < b { 1.0 } else { 0.0 },
                onnx: "Less", wgsl: "select(0.0, 1.0, $a < $b)" }
            /// Comparison: 1 where a ≤ b, else 0. Has no gradient.
            LessEqual less_equal {
                simd: |s, a, b| a.simd_le(b).select(S::f32s::splat(s, 1.0), S::f32s::splat(s, 0.0)),
                scalar: |a, b| if a <= b { 1.0 } else { 0.0 },
                onnx: "LessOrEqual", wgsl: "select(0.0, 1.0, $a <= $b)" }
        }
    };
}
pub(crate) use binary_functions;

macro_rules! define_binary {
    ($($(#[$doc:meta])* $variant:ident $name:ident {
        simd: |$s:ident, $v:ident, $w:ident| $simd:expr,
        scalar: |$x:ident, $y:ident| $scalar:expr,
        onnx: $onnx:literal,
        wgsl: $wgsl:literal
    })*) => {
        /// A binary element-wise function. An operand whose last dimension is 1 is broadcast over the last dimension.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Binary {
            $($(#[$doc])* $variant,)*
        }

        impl Binary {
            /// Returns the function's name for error messages and listings.
            pub fn name(self) -> &'static str {
                match self {
                    $(Binary::$variant => stringify!($name),)*
                }
            }

            /// Returns the name of the equivalent ONNX operator.
            pub(crate) fn onnx_operator(self) -> &'static str {
                match self {
                    $(Binary::$variant => $onnx,)*
                }
            }

            /// Computes the value f(a, b) of the function in double precision, for tests.
            pub(crate) fn reference(self, a: f64, b: f64) -> f64 {
                match self {
                    $(Binary::$variant => { let ($x, $y) = (a, b); $scalar })*
                }
            }

            /// Computes z = f(a, b) for each element of two slices of the same length.
            fn zip(self, level: Level, a: &[f32], b: &[f32], z: &mut [f32]) {
                match self {
                    $(Binary::$variant => zip!(level, a, b, z, (), |$s, $v, $w| $simd),)*
                }
            }

            /// Returns the WGSL expression of the function value f(a, b); `$a` and `$b` stand for the operands.
            pub fn wgsl(self) -> &'static str {
                match self {
                    $(Binary::$variant => $wgsl,)*
                }
            }
        }
    };
}

binary_functions!(define_binary);

impl Binary {
    /// Computes z = f(a, b) for each element. `widths` are the last dimensions of a and b; an operand of width 1 is
    /// broadcast.
    pub(crate) fn run(self, level: Level, [a, b]: [&[f32]; 2], widths: [usize; 2], z: &mut [f32]) {
        if widths[0] == widths[1] {
            return self.zip(level, a, b, z);
        }
        // One kernel for each function: the broadcast operand is repeated, a few lines of the other operand at a time.
        let n = widths[0].max(widths[1]);
        let (numbers, lines) = if widths[0] == 1 { (a, b) } else { (b, a) };
        let count = (REPEATED / n).max(1);
        let mut buffer = [0.0; REPEATED];
        for (numbers, (lines, z)) in
            numbers.chunks(count).zip(lines.chunks(count * n).zip(z.chunks_mut(count * n)))
        {
            let repeated = &mut buffer[..lines.len().min(REPEATED)];
            repeat_each(level, n.min(REPEATED), numbers, repeated);
            // A line that is longer than the buffer is processed in parts.
            for (line, z) in lines.chunks(REPEATED).zip(z.chunks_mut(REPEATED)) {
                let repeated = &repeated[..line.len()];
                let (a, b) = if widths[0] == 1 { (repeated, line) } else { (line, repeated) };
                self.zip(level, a, b, z);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::simd::levels;

    macro_rules! all_binary {
        ($($(#[$doc:meta])* $variant:ident $name:ident { $($column:tt)* })*) => { [$(Binary::$variant),*] };
    }

    /// Lines that are shorter and longer than the buffer for a broadcast operand, of which the last do not fill it.
    #[test]
    fn an_operand_of_width_1_is_broadcast() {
        for (n, lines) in
            [(2, 700), (3, 1), (6, 90), (7, 200), (300, 5), (REPEATED, 2), (2 * REPEATED + 5, 3)]
        {
            let line: Vec<f32> = (0..n * lines).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
            let numbers: Vec<f32> = (0..lines).map(|i| (i * 53 % 89) as f32 - 44.0).collect();
            for function in binary_functions!(all_binary) {
                for level in levels() {
                    let mut z = [vec![0.0; n * lines], vec![0.0; n * lines]];
                    function.run(level, [&line, &numbers], [n, 1], &mut z[0]);
                    function.run(level, [&numbers, &line], [1, n], &mut z[1]);
                    for i in 0..n * lines {
                        let (a, b) = (line[i].into(), numbers[i / n].into());
                        let expected = [function.reference(a, b) as f32, function.reference(b, a) as f32];
                        let is_equal =
                            |z: f32, expected: f32| z == expected || z.is_nan() && expected.is_nan();
                        assert!(
                            is_equal(z[0][i], expected[0]) && is_equal(z[1][i], expected[1]),
                            "{function:?}, {n}, {i}"
                        );
                    }
                }
            }
        }
    }
}

//! Operations number by number.

use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};
use vivarium_kernels::{Level, activation, math};

use crate::execute::widths::known_widths;
use crate::op::{Binary, Unary};

/// y = f(x) in vectors, the last one partial. A macro, for a closure may fail to inline.
macro_rules! map {
    ($level:expr, $x:expr, $y:expr, |$s:ident, $v:ident| $body:expr) => {
        map!($level, $x, $y, (0.0, 0.0), |$s, $v, _c, _d| $body)
    };
    ($level:expr, $x:expr, $y:expr, ($c:expr, $d:expr), |$s:ident, $v:ident, $a:ident, $b:ident| $body:expr) => {{
        #[inline(always)]
        fn one<S: Simd>($s: S, $v: S::f32s, $a: f32, $b: f32) -> S::f32s {
            $body
        }
        #[inline(always)]
        fn kernel<S: Simd>(s: S, x: &[f32], y: &mut [f32], c: f32, d: f32) {
            let mut results = y.chunks_exact_mut(S::f32s::LEN);
            let mut arguments = x.chunks_exact(S::f32s::LEN);
            for (y, x) in (&mut results).zip(&mut arguments) {
                one(s, S::f32s::from_slice(s, x), c, d).store_slice(y);
            }
            let (y, x) = (results.into_remainder(), arguments.remainder());
            if !y.is_empty() {
                store_partial::<S>(one(s, load_partial(s, x, 1.0), c, d), y);
            }
        }
        dispatch!($level, s => kernel(s, $x, $y, $c, $d))
    }};
}

/// z = f(x, y) in vectors.
macro_rules! zip {
    ($level:expr, $x:expr, $y:expr, $z:expr, |$s:ident, $v:ident, $w:ident| $body:expr) => {
        zip!($level, $x, $y, $z, (0.0, 0.0), |$s, $v, $w, _c, _d| $body)
    };
    ($level:expr, $x:expr, $y:expr, $z:expr, ($c:expr, $d:expr),
     |$s:ident, $v:ident, $w:ident, $a:ident, $b:ident| $body:expr) => {{
        #[inline(always)]
        fn one<S: Simd>($s: S, $v: S::f32s, $w: S::f32s, $a: f32, $b: f32) -> S::f32s {
            $body
        }
        #[inline(always)]
        fn kernel<S: Simd>(s: S, x: &[f32], y: &[f32], z: &mut [f32], c: f32, d: f32) {
            let n = S::f32s::LEN;
            let mut results = z.chunks_exact_mut(n);
            let (mut xs, mut ys) = (x.chunks_exact(n), y.chunks_exact(n));
            for ((z, x), y) in (&mut results).zip(&mut xs).zip(&mut ys) {
                one(s, S::f32s::from_slice(s, x), S::f32s::from_slice(s, y), c, d).store_slice(z);
            }
            let z = results.into_remainder();
            if !z.is_empty() {
                let x = load_partial(s, xs.remainder(), 1.0);
                store_partial::<S>(one(s, x, load_partial(s, ys.remainder(), 1.0), c, d), z);
            }
        }
        dispatch!($level, s => kernel(s, $x, $y, $z, $c, $d))
    }};
}

/// Pairs where one side has one number a line.
macro_rules! for_lines {
    ($level:expr, $a:expr, $a_width:expr, $b:expr, $b_width:expr, $z:expr, |$x:ident, $y:ident| $scalar:expr) => {{
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
        let (line_first, n) = ($b_width == 1, $a_width.max($b_width));
        dispatch!($level, s => kernel(s, n, line_first, $a, $b, $z))
    }};
}

/// y = f(x).
pub(crate) fn unary(level: Level, unary: Unary, x: &[f32], y: &mut [f32]) {
    match unary {
        Unary::Relu => map!(level, x, y, |s, v| activation::activate(s, activation::Activation::Relu, v)),
        Unary::Tanh => map!(level, x, y, |s, v| math::tanh(s, v)),
        Unary::Gelu => map!(level, x, y, |s, v| activation::activate(s, activation::Activation::Gelu, v)),
        Unary::Sigmoid => map!(level, x, y, |s, v| math::sigmoid(s, v)),
        Unary::Exp => map!(level, x, y, |s, v| math::exp(s, v)),
        Unary::Ln => map!(level, x, y, |s, v| math::ln(s, v)),
        Unary::Square => map!(level, x, y, |_s, v| v * v),
        Unary::Sqrt => map!(level, x, y, |_s, v| v.sqrt()),
        Unary::Abs => map!(level, x, y, |_s, v| v.abs()),
        Unary::Scale(c) => map!(level, x, y, (c, 0.0), |_s, v, c, _d| v * c),
        Unary::Offset(c) => map!(level, x, y, (c, 0.0), |_s, v, c, _d| v + c),
        Unary::Clamp(low, high) => map!(level, x, y, (low, high), |s, v, low, high| {
            let (low, high) = (S::f32s::splat(s, low), S::f32s::splat(s, high));
            // As comparisons, which keep NaN visible.
            let v = v.simd_lt(low).select(low, v);
            v.simd_gt(high).select(high, v)
        }),
    }
}

/// dx from `saved`, the function's argument or its result ([`Unary::gradient_from`]), and dy.
pub(crate) fn unary_gradient(level: Level, unary: Unary, saved: &[f32], dy: &[f32], dx: &mut [f32]) {
    match unary {
        Unary::Relu => zip!(level, saved, dy, dx, |s, y, dy| {
            let zero = S::f32s::splat(s, 0.0);
            y.simd_gt(zero).select(dy, zero)
        }),
        Unary::Tanh => zip!(level, saved, dy, dx, |s, y, dy| dy * (S::f32s::splat(s, 1.0) - y * y)),
        Unary::Gelu => {
            dx.copy_from_slice(dy);
            activation::backward(level, activation::Activation::Gelu, saved, dx);
        }
        Unary::Sigmoid => zip!(level, saved, dy, dx, |s, y, dy| dy * y * (S::f32s::splat(s, 1.0) - y)),
        Unary::Exp => zip!(level, saved, dy, dx, |_s, y, dy| dy * y),
        Unary::Ln => zip!(level, saved, dy, dx, |_s, x, dy| dy / x),
        Unary::Square => zip!(level, saved, dy, dx, |_s, x, dy| dy * x * 2.0),
        Unary::Sqrt => zip!(level, saved, dy, dx, |_s, y, dy| dy * 0.5 / y),
        Unary::Abs => zip!(level, saved, dy, dx, |s, x, dy| {
            let zero = S::f32s::splat(s, 0.0);
            let positive = x.simd_gt(zero).select(dy, zero);
            x.simd_lt(zero).select(zero - dy, positive)
        }),
        Unary::Clamp(low, high) => {
            zip!(level, saved, dy, dx, (low, high), |s, x, dy, low, high| {
                let zero = S::f32s::splat(s, 0.0);
                let above = x.simd_ge(S::f32s::splat(s, low)).select(dy, zero);
                x.simd_le(S::f32s::splat(s, high)).select(above, zero)
            })
        }
        Unary::Scale(c) => map!(level, dy, dx, (c, 0.0), |_s, v, c, _d| v * c),
        Unary::Offset(_) => dx.copy_from_slice(dy),
    }
}

/// z = f(a, b), where a side of width 1 stands for its whole line.
pub(crate) fn binary(
    level: Level,
    binary: Binary,
    a: &[f32],
    a_width: usize,
    b: &[f32],
    b_width: usize,
    z: &mut [f32],
) {
    macro_rules! each {
        (|$s:ident, $v:ident, $w:ident| $vector:expr, |$x:ident, $y:ident| $scalar:expr) => {
            if a_width == b_width {
                zip!(level, a, b, z, |$s, $v, $w| $vector)
            } else {
                for_lines!(level, a, a_width, b, b_width, z, |$x, $y| $scalar)
            }
        };
    }
    match binary {
        Binary::Add => each!(|_s, v, w| v + w, |x, y| x + y),
        Binary::Sub => each!(|_s, v, w| v - w, |x, y| x - y),
        Binary::Mul => each!(|_s, v, w| v * w, |x, y| x * y),
        Binary::Div => each!(|_s, v, w| v / w, |x, y| x / y),
        // Not a number on either side stays visible.
        Binary::Min => each!(|_s, v, w| w.simd_eq(w).select(w.simd_lt(v).select(w, v), w), |x, y| if y < x
            || y.is_nan()
        {
            y
        } else {
            x
        }),
        Binary::Max => each!(|_s, v, w| w.simd_eq(w).select(w.simd_gt(v).select(w, v), w), |x, y| if y > x
            || y.is_nan()
        {
            y
        } else {
            x
        }),
        Binary::Less => {
            each!(|s, v, w| v.simd_lt(w).select(S::f32s::splat(s, 1.0), S::f32s::splat(s, 0.0)), |x, y| if x
                < y
            {
                1.0
            } else {
                0.0
            })
        }
        Binary::LessEqual => {
            each!(|s, v, w| v.simd_le(w).select(S::f32s::splat(s, 1.0), S::f32s::splat(s, 0.0)), |x, y| if x
                <= y
            {
                1.0
            } else {
                0.0
            })
        }
    }
}

/// a where the condition is above 0, else b.
pub(crate) fn select(level: Level, condition: &[f32], a: &[f32], b: &[f32], z: &mut [f32]) {
    #[inline(always)]
    fn kernel<S: Simd>(_: S, condition: &[f32], a: &[f32], b: &[f32], z: &mut [f32]) {
        for (((z, &condition), &a), &b) in z.iter_mut().zip(condition).zip(a).zip(b) {
            *z = if condition > 0.0 { a } else { b };
        }
    }
    dispatch!(level, s => kernel(s, condition, a, b, z))
}

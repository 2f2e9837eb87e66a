//! Operations on lines: reductions, picking and moving columns.

use vivarium_kernels::simd::{Simd, SimdBase, dispatch, load_partial, store_partial};
use vivarium_kernels::{Level, math, reduce, softmax};

use crate::execute::Call;
use crate::execute::widths::known_widths;
use crate::op::Op;

/// Runs one of the operations that look at the numbers of a line together.
pub(crate) fn run(level: Level, op: Op, call: &Call<'_>, result: &mut [f32]) {
    let (lines, n) = (call.lines(), call.width(0));
    let x = call.operand(0);
    match op {
        Op::Softmax => softmax::softmax(level, lines, n, x, result),
        Op::LogSoftmax => softmax::log_softmax(level, lines, n, x, result),
        Op::SoftmaxGradient => softmax::softmax_backward(level, lines, n, x, call.operand(1), result),
        Op::LogSoftmaxGradient => softmax::log_softmax_backward(level, lines, n, x, call.operand(1), result),
        Op::Gather => {
            for ((line, &index), y) in x.chunks_exact(n).zip(call.operand(1)).zip(result) {
                *y = line[column(index, n)];
            }
        }
        Op::Scatter(n) => {
            result.fill(0.0);
            for ((line, &index), &d) in result.chunks_exact_mut(n).zip(x).zip(call.operand(1)) {
                line[column(index, n)] = d;
            }
        }
        Op::Sum => sum(level, n, x, result),
        Op::Repeat(n) => repeat(level, n, x, result),
        Op::Concat => {
            let m = call.width(1);
            let b = call.operand(1);
            for ((line, a), b) in result.chunks_exact_mut(n + m).zip(x.chunks_exact(n)).zip(b.chunks_exact(m))
            {
                line[..n].copy_from_slice(a);
                line[n..].copy_from_slice(b);
            }
        }
        Op::Slice { start, width } => {
            for (line, x) in result.chunks_exact_mut(width).zip(x.chunks_exact(n)) {
                line.copy_from_slice(&x[start..start + width]);
            }
        }
        Op::Pad { start, width } => {
            result.fill(0.0);
            for (line, x) in result.chunks_exact_mut(width).zip(x.chunks_exact(n)) {
                line[start..start + n].copy_from_slice(x);
            }
        }
        _ => unreachable!("{} is not an operation on lines", op.name()),
    }
}

/// The sum of each line.
fn sum(level: Level, n: usize, x: &[f32], sums: &mut [f32]) {
    #[inline(always)]
    fn narrow(n: usize, x: &[f32], sums: &mut [f32]) {
        for (line, sum) in x.chunks_exact(n).zip(sums) {
            *sum = line.iter().sum();
        }
    }
    #[inline(always)]
    fn kernel<S: Simd>(_: S, n: usize, x: &[f32], sums: &mut [f32]) {
        known_widths!(narrow, n, x, sums);
    }
    if n < 16 {
        return dispatch!(level, s => kernel(s, n, x, sums));
    }
    for (line, sum) in x.chunks_exact(n).zip(sums) {
        *sum = reduce::sum(level, line);
    }
}

/// Each number, n times.
fn repeat(level: Level, n: usize, x: &[f32], lines: &mut [f32]) {
    #[inline(always)]
    fn fill(n: usize, x: &[f32], lines: &mut [f32]) {
        for (line, &x) in lines.chunks_exact_mut(n).zip(x) {
            line.fill(x);
        }
    }
    #[inline(always)]
    fn kernel<S: Simd>(_: S, n: usize, x: &[f32], lines: &mut [f32]) {
        known_widths!(fill, n, x, lines);
    }
    dispatch!(level, s => kernel(s, n, x, lines));
}

/// dx = d − eʸ·d where the index points, −eʸ·d elsewhere.
pub(crate) fn cross_entropy_gradient(call: &Call<'_>, result: &mut [f32]) {
    #[inline(always)]
    fn line<S: Simd>(s: S, d: f32, y: &[f32], dx: &mut [f32]) {
        let mut results = dx.chunks_exact_mut(S::f32s::LEN);
        let mut logs = y.chunks_exact(S::f32s::LEN);
        for (dx, y) in (&mut results).zip(&mut logs) {
            (math::exp(s, S::f32s::from_slice(s, y)) * -d).store_slice(dx);
        }
        let (dx, y) = (results.into_remainder(), logs.remainder());
        if !dx.is_empty() {
            store_partial::<S>(math::exp(s, load_partial(s, y, 0.0)) * -d, dx);
        }
    }
    #[inline(always)]
    fn kernel<S: Simd>(s: S, n: usize, index: &[f32], d: &[f32], y: &[f32], dx: &mut [f32]) {
        for (((&index, &d), y), dx) in index.iter().zip(d).zip(y.chunks_exact(n)).zip(dx.chunks_exact_mut(n))
        {
            line(s, d, y, dx);
            dx[column(index, n)] += d;
        }
    }
    let (index, d, y) = (call.operand(0), call.operand(1), call.operand(2));
    dispatch!(call.run.level, s => kernel(s, call.width(2), index, d, y, result));
}

/// The column that an index picks: the nearest one, whatever the number (NaN picks the first).
#[inline]
fn column(index: f32, n: usize) -> usize {
    (index as usize).min(n - 1)
}

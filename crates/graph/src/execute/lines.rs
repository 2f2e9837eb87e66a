//! Operations on lines: reductions, picking and moving columns.

use vivarium_kernels::{Level, softmax};

use crate::execute::Call;
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
        Op::Sum => {
            for (line, y) in x.chunks_exact(n).zip(result) {
                *y = line.iter().sum();
            }
        }
        Op::Repeat(n) => {
            for (line, &x) in result.chunks_exact_mut(n).zip(x) {
                line.fill(x);
            }
        }
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

/// The column that an index picks: the nearest one, whatever the number (NaN picks the first).
#[inline]
fn column(index: f32, n: usize) -> usize {
    (index as usize).min(n - 1)
}

//! Loop unrolling for common small widths.

use vivarium_kernels::Level;
use vivarium_kernels::simd::{Simd, dispatch};

/// Calls the function `$loops(n, …)` with the vector length n. For the lengths 2, 3, 4 and 6, n is a compile-time
/// constant, so that the compiler unrolls the loops.
macro_rules! known_widths {
    ($loops:ident, $n:expr, $($argument:expr),*) => {
        match $n {
            2 => $loops(2, $($argument),*),
            3 => $loops(3, $($argument),*),
            4 => $loops(4, $($argument),*),
            6 => $loops(6, $($argument),*),
            n => $loops(n, $($argument),*),
        }
    };
}
pub(crate) use known_widths;

/// Writes each element of x `n` times in a row to `repeated`.
pub(crate) fn repeat_each(level: Level, n: usize, x: &[f32], repeated: &mut [f32]) {
    #[inline(always)]
    fn fill(n: usize, x: &[f32], repeated: &mut [f32]) {
        for (line, &x) in repeated.chunks_exact_mut(n).zip(x) {
            line.fill(x);
        }
    }
    #[inline(always)]
    fn kernel<S: Simd>(_: S, n: usize, x: &[f32], repeated: &mut [f32]) {
        known_widths!(fill, n, x, repeated);
    }
    dispatch!(level, s => kernel(s, n, x, repeated));
}

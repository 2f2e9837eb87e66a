//! Loop unrolling for common small widths.

/// Runs `$loops(n, …)` with common small widths as compile-time constants, so that the loops unroll.
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

//! Loop unrolling for common small widths.

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

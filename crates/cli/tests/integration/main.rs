//! The tests of the real program, in one program of their own, so that it is compiled and linked once.

mod common;
mod cube;
mod games;
mod language;
#[cfg(unix)]
mod logic_ca;
#[cfg(unix)]
mod runs;
mod usage;

//! Tests of the program, in one test binary to compile and link once.

mod common;
mod cube;
mod games;
mod language;
#[cfg(unix)]
mod logic_ca;
#[cfg(unix)]
mod runs;
mod usage;

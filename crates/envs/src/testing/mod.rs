//! Slow reference implementations, which the tests of this and other crates compare fast ones with.

pub mod dynamics;
mod two_sided;

pub use two_sided::TwoSided;

//! Slow reference implementations, which the tests of this and other crates compare fast ones with.

mod cubeful;
pub mod dynamics;
mod two_sided;

pub use cubeful::CubefulBearOff;
pub use two_sided::TwoSided;

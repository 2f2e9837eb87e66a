//! The suite `control`.

mod ppo;
mod raw;

use super::Reporter;

/// Measures and reports every figure of the suite.
pub fn run(reporter: &mut Reporter) {
    raw::run(reporter);
    ppo::run(reporter);
}

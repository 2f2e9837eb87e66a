//! Benchmark suite `control`: environment stepping and PPO.

pub mod ppo;
pub mod raw;

use super::Reporter;

/// Runs the benchmark suite `control` and reports the results.
pub fn run(reporter: &mut Reporter) {
    raw::run(reporter);
    ppo::run(reporter);
}

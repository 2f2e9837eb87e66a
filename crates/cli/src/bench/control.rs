//! The suite `control`.

use super::Reporter;

/// Measures and reports every figure of the suite.
pub fn run(_reporter: &mut Reporter) {}

//! The suite `logic-ca`.

pub mod epoch;
pub mod hard;

use super::Reporter;
use crate::failure::Failure;

/// Measures and reports every figure of the suite.
///
/// # Errors
/// [`Failure::Failed`] where training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), Failure> {
    epoch::run(reporter)?;
    hard::run(reporter)
}

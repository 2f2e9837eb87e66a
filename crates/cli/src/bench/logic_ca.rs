//! Benchmark suite `logic-ca`: duration of a training epoch, and cell updates per second of the hard (Boolean)
//! circuit.

pub mod epoch;
pub mod hard;

use super::Reporter;
use crate::error::CliError;

/// Runs the benchmark suite `logic-ca` and reports the results.
///
/// # Errors
/// [`CliError::Failed`] if training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), CliError> {
    epoch::run(reporter)?;
    hard::run(reporter)
}

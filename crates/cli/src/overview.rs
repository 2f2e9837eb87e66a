//! What the program says when it is asked for nothing: what is here, and how to start.

use crate::bench;
use crate::failure::Failure;

/// Prints the overview.
///
/// # Errors
/// None: it is a [`Failure`] for the caller's sake.
pub fn print() -> Result<(), Failure> {
    println!(
        "Vivarium: a glass box to watch machines learn in.\n\nBenchmarks (vivarium bench NAME):\n{}",
        bench::list()
    );
    Ok(())
}

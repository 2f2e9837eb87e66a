//! Benchmark suites `backgammon` and `connect-four`: forward pass of the network, and self-play.

pub mod dense;
mod forward;
mod self_play;

use super::Reporter;
use super::args::BenchArgs;
use crate::error::CliError;
use vivarium_agents::alphazero::SelfPlayGame;

/// Runs the benchmark suite of a game and reports the results.
///
/// # Errors
/// [`CliError`] if the ONNX file cannot be written, or self-play fails.
pub fn run<G: SelfPlayGame>(reporter: &mut Reporter, args: &BenchArgs) -> Result<(), CliError> {
    forward::run::<G>(reporter, args.onnx.as_deref())?;
    self_play::run::<G>(reporter)
}

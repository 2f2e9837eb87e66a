//! The suites `backgammon` and `connect-four`: the network's forward pass, and self-play as whole games.

pub mod dense;
mod forward;
mod self_play;

use super::Reporter;
use crate::command_line::BenchArgs;
use crate::failure::Failure;
use vivarium_agents::alphazero::SelfPlayGame;

/// Measures and reports every figure of a game's suite.
///
/// # Errors
/// [`Failure`] where the network cannot be written to the file that `--onnx` names, or self-play ended early.
pub fn run<G: SelfPlayGame>(reporter: &mut Reporter, args: &BenchArgs) -> Result<(), Failure> {
    forward::run::<G>(reporter, args.onnx.as_deref())?;
    self_play::run::<G>(reporter)
}

//! `vivarium play`: board games in the terminal against a network or another opponent.

pub mod args;
mod backgammon;
mod connect_four;
mod console;
mod players;

use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::values::random_seed;
use args::PlayArgs;
use console::Console;
use std::io;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::spelling;

/// Runs `vivarium play`.
///
/// # Errors
/// [`CliError::Usage`] for an unsupported game, an unknown opponent or an invalid position; [`CliError::Failed`] if
/// the checkpoint is invalid, or the opponent is unavailable or fails.
pub fn run(args: &PlayArgs) -> Result<(), CliError> {
    const BACKGAMMON: &str = State::NAME;
    const CONNECT_FOUR: &str = ConnectFour::NAME;
    let seed = args.seed.unwrap_or_else(|| random_seed() % 1_000_000);
    let (mut input, mut output) = (io::stdin().lock(), io::stdout());
    let console = Console::new(&mut input, &mut output);
    let game = match (&args.game, &args.checkpoint) {
        (Some(name), _) => name.as_str(),
        (None, Some(path)) => CheckpointFile::read(path)?.experiment_among([BACKGAMMON, CONNECT_FOUR])?,
        (None, None) => BACKGAMMON,
    };
    match game {
        BACKGAMMON => backgammon::run(args, seed, console),
        CONNECT_FOUR => connect_four::run(args, seed, console),
        other => {
            let hint = spelling::nearest(other, [BACKGAMMON, CONNECT_FOUR]);
            let hint = hint.map_or(String::new(), |name| format!("did you mean {name}? "));
            Err(CliError::usage(format!(
                "{other} is not a board game; {hint}play {BACKGAMMON} or {CONNECT_FOUR}"
            )))
        }
    }
}

//! Connect Four in the terminal.

mod board;
mod command;
mod history;
mod session;
#[cfg(test)]
mod tests;

use super::args::{DiceSource, PlayArgs};
use super::console::Console;
use super::players::{choose, network_player};
use crate::error::CliError;
use history::History;
use session::{ColumnAdviser, ConnectFourSession, ConnectFourSettings};
use vivarium_envs::connect_four::ConnectFour;

/// Plays Connect Four against the opponent of the command line.
///
/// # Errors
/// [`CliError::Usage`] for an unknown opponent or an invalid position; [`CliError::Failed`] if the checkpoint is
/// invalid, or the opponent fails.
pub fn run(args: &PlayArgs, seed: u64, console: Console) -> Result<(), CliError> {
    if args.match_length.is_some()
        || args.jacoby
        || args.no_comments
        || args.record.is_some()
        || args.dice != DiceSource::Random
    {
        return Err(CliError::usage(
            "--match, --jacoby, --dice, --no-comments and --record are options of backgammon only",
        ));
    }
    let position = match &args.position {
        Some(moves) => {
            let refuse = |why: String| CliError::usage(format!("--position {moves}: {why}"));
            let history = History::from_moves(moves).map_err(|error| refuse(error.to_string()))?;
            if history.state().value().is_some() {
                return Err(refuse("the game is over in this position".into()));
            }
            Some(history)
        }
        None => None,
    };
    let (opponent, network) = choose::<ConnectFour>(args, true)?;
    let adviser: Option<Box<dyn ColumnAdviser>> = match network {
        Some(network) => Some(Box::new(network_player(network, args.simulations)?)),
        None => None,
    };
    let opponent = (opponent.name.clone(), opponent.player()?);
    ConnectFourSession::new(ConnectFourSettings { seed, position, opponent, adviser }, console).run()
}

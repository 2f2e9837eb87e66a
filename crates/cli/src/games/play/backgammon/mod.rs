//! Backgammon in the terminal.

mod board;
mod command;
mod session;
#[cfg(test)]
mod tests;
mod turn;

use super::args::PlayArgs;
use super::console::Console;
use super::players::{choose, network_player};
use crate::error::CliError;
use crate::games::adviser::Adviser;
use crate::games::gnubg::Gnubg;
use crate::terminal;
use session::{TerminalGame, TerminalGameSettings};
use vivarium_envs::backgammon::{Match, Setup, State};

/// Plays backgammon against the opponent of the command line.
///
/// # Errors
/// [`CliError::Usage`] for an unknown opponent or an invalid position; [`CliError::Failed`] if the checkpoint is
/// invalid, or the opponent is unavailable or fails.
pub fn run(args: &PlayArgs, seed: u64, console: Console) -> Result<(), CliError> {
    let setup = match &args.position {
        Some(text) => {
            Some(Setup::parse(text).map_err(|error| CliError::usage(format!("--position {text}: {error}")))?)
        }
        None => None,
    };
    if let Some(Match { length: 1.., .. }) = setup.and_then(|setup| setup.state) {
        terminal::print_message("Games are cubeless money games; cube and score of --position are ignored.");
    }
    if setup.is_some_and(|setup| setup.position.outcome().is_some()) {
        return Err(CliError::usage(
            "--position: the game is over in this position; both players need checkers on the board",
        ));
    }
    // GNU Backgammon as the opponent also gives the hints.
    let is_gnubg =
        matches!(args.against.as_deref(), Some("gnubg" | "gnubg-2ply")) && args.checkpoint.is_none();
    let (opponent, network) = choose::<State>(args, !is_gnubg)?;
    let adviser: Option<Box<dyn Adviser>> = match network {
        _ if is_gnubg => Some(Box::new(Gnubg::start(0).map_err(CliError::failed)?)),
        Some(network) => Some(Box::new(network_player(network, args.simulations)?)),
        None => None,
    };
    let settings = TerminalGameSettings {
        seed,
        position: setup.map(|setup| setup.position),
        roll: setup.and_then(|setup| setup.state?.roll),
        opponent: (opponent.name.clone(), opponent.player()?),
        adviser,
    };
    TerminalGame::new(settings, console).run()
}

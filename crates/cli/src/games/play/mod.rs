//! `vivarium play`: backgammon in the terminal against a network or another opponent.

mod board;
mod command;
mod session;
#[cfg(test)]
mod tests;
mod turn;

use super::adviser::Adviser;
use super::gnubg::Gnubg;
use super::network::TrainedNetwork;
use super::opponent::Opponent;
use crate::error::CliError;
use crate::terminal;
use crate::values::whole;
use clap::Args;
use session::{TerminalGame, TerminalGameSettings};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead};
use std::path::PathBuf;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::{Match, Setup, State};
use vivarium_lab::spelling;

/// Command-line arguments of `vivarium play`.
#[derive(Args, Debug)]
#[command(after_help = "Enter moves as 13/8 6/5; the command help lists all commands of the game.")]
pub struct PlayArgs {
    /// Name of the game: backgammon
    #[arg(default_value = "backgammon")]
    pub game: String,
    /// Checkpoint file, such as runs/backgammon-1-1/best.safetensors; its network gives hints and is the default opponent [default: the trained network of the page gives hints]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Opponent: random, pips, pubeval, gnubg, gnubg-2ply or a checkpoint [default: the network of --checkpoint, or pubeval]
    #[arg(long, value_name = "OPPONENT")]
    pub against: Option<String>,
    /// Search simulations per decision of a network; 0 disables the search
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 200, value_parser = whole(0u32, 1_000_000))]
    pub simulations: u32,
    /// Random seed of the dice [default: random]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Position of the first game, with the human player on roll: an XGID or a position ID, such as 4HPwATDgc/ABMA [default: the starting position]
    #[arg(long, value_name = "ID")]
    pub position: Option<String>,
}

/// Name of the opponent if the command line has neither `--against` nor `--checkpoint`.
const DEFAULT_OPPONENT: &str = "pubeval";

/// Runs `vivarium play`.
///
/// # Errors
/// [`CliError::Usage`] for an unsupported game, an unknown opponent or an invalid position; [`CliError::Failed`] if
/// the checkpoint is invalid, or the opponent is unavailable or fails.
pub fn run(args: &PlayArgs) -> Result<(), CliError> {
    if args.game != State::NAME {
        let hint = spelling::nearest(&args.game, [State::NAME]).map_or("", |_| "did you mean backgammon? ");
        return Err(CliError::usage(format!(
            "{} cannot be played in the terminal; {hint}play backgammon here, Connect Four in the page",
            args.game
        )));
    }
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
    let (opponent, adviser) = opponent_and_adviser(args)?;
    let table = TerminalGameSettings {
        seed: args.seed.unwrap_or_else(|| RandomState::new().hash_one(std::process::id()) % 1_000_000),
        position: setup.map(|setup| setup.position),
        roll: setup.and_then(|setup| setup.state?.roll),
        opponent: (opponent.name.clone(), opponent.player()?),
        adviser,
    };
    let input: &mut dyn BufRead = &mut io::stdin().lock();
    TerminalGame::new(table, input, &mut io::stdout()).run()
}

/// Opponent of the human, and the adviser that gives hints; `None` if no adviser is available.
type OpponentAndAdviser = (Opponent<State>, Option<Box<dyn Adviser>>);

fn opponent_and_adviser(args: &PlayArgs) -> Result<OpponentAndAdviser, CliError> {
    let against = args.against.as_deref();
    let Some(path) = &args.checkpoint else {
        let opponent = Opponent::named(against.unwrap_or(DEFAULT_OPPONENT), args.simulations)?;
        let adviser: Box<dyn Adviser> = match against {
            Some("gnubg" | "gnubg-2ply") => Box::new(Gnubg::start(0).map_err(CliError::failed)?),
            _ => {
                let network = TrainedNetwork::built_in()?.network;
                Box::new(NetworkPlayer::new(network, args.simulations).map_err(CliError::failed_by)?)
            }
        };
        return Ok((opponent, Some(adviser)));
    };
    let trained = TrainedNetwork::<State>::read(path)?;
    terminal::print_message(&format!("{}: {}", path.display(), trained.label()));
    let opponent = match against {
        Some(name) => Opponent::named(name, args.simulations)?,
        None => Opponent::network("the network", trained.network.clone(), args.simulations),
    };
    let adviser = NetworkPlayer::new(trained.network, args.simulations).map_err(CliError::failed_by)?;
    Ok((opponent, Some(Box::new(adviser))))
}

//! `vivarium play`: a game of backgammon in the terminal, against a network or anybody else who plays it.

mod adviser;
mod board;
mod command;
mod session;
#[cfg(test)]
mod tests;
mod turn;

use super::gnubg::Gnubg;
use super::network::Trained;
use super::opponent::Opponent;
use crate::command_line::PlayArgs;
use crate::failure::Failure;
use crate::terminal;
use adviser::Adviser;
use session::{Session, Table};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead};
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::{Position, State};
use vivarium_lab::spelling;

/// Who plays if nobody is asked for.
const USUAL: &str = "pubeval";

/// Plays games until the person has had enough.
///
/// # Errors
/// [`Failure::Usage`] for another game, an opponent that nobody knows or a position that cannot be; [`Failure::Failed`] for a
/// checkpoint that cannot be opened, an opponent that is not installed or cannot go on.
pub fn run(args: &PlayArgs) -> Result<(), Failure> {
    if args.game != State::NAME {
        let hint = spelling::nearest(&args.game, [State::NAME]).map_or("", |_| "did you mean backgammon? ");
        return Err(Failure::usage(format!(
            "{} is not played in the terminal; {hint}backgammon is, and Connect Four in the page",
            args.game
        )));
    }
    let position = match &args.position {
        Some(id) => Position::from_id(id.trim())
            .map_err(|error| Failure::usage(format!("--position {id}: {error}")))?,
        None => Position::START,
    };
    if position.outcome().is_some() {
        return Err(Failure::usage(
            "--position: the game is over there; both players need checkers on the board",
        ));
    }
    let (opponent, adviser) = opponent_and_adviser(args)?;
    let table = Table {
        seed: args.seed.unwrap_or_else(|| RandomState::new().hash_one(std::process::id()) % 1_000_000),
        position: args.position.as_ref().map(|_| position),
        opponent: (opponent.name.clone(), opponent.seat()?),
        adviser,
    };
    let input: &mut dyn BufRead = &mut io::stdin().lock();
    Session::new(table, input, &mut io::stdout()).run()
}

/// The opponent, and the adviser that gives hints, if there is one.
type Players = (Opponent<State>, Option<Box<dyn Adviser>>);

fn opponent_and_adviser(args: &PlayArgs) -> Result<Players, Failure> {
    let against = args.against.as_deref();
    let Some(path) = &args.checkpoint else {
        let opponent = Opponent::named(against.unwrap_or(USUAL), args.simulations)?;
        // Whoever gives no equities gives no hints.
        let adviser: Option<Box<dyn Adviser>> = match against {
            Some("gnubg" | "gnubg-2ply") => Some(Box::new(Gnubg::start(0).map_err(Failure::failed)?)),
            _ => None,
        };
        return Ok((opponent, adviser));
    };
    let trained = Trained::<State>::read(path)?;
    terminal::aside(&format!("{}: {}", path.display(), trained.label()));
    let opponent = match against {
        Some(name) => Opponent::named(name, args.simulations)?,
        None => Opponent::network("the network", trained.network.clone(), args.simulations),
    };
    let adviser = NetworkPlayer::new(trained.network, args.simulations).map_err(Failure::failed_by)?;
    Ok((opponent, Some(Box::new(adviser))))
}

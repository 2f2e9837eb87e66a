//! Backgammon in the terminal.

mod command;
mod doubling;
mod prompt_state;
mod recorder;
mod resignation;
mod session;
mod session_errors;
mod shown_notes;
#[cfg(test)]
mod tests;
mod turn;

use super::args::{DiceSource, PlayArgs};
use super::console::Console;
use super::players::choose;
use crate::error::CliError;
use crate::games::adviser_args::NUM_HINTS;
use crate::games::gnubg::Gnubg;
use crate::games::tree_search::TreeSearch;
use recorder::GameRecorder;
use session::{TerminalGame, TerminalGameSettings};
use vivarium_envs::backgammon::doubling::MAX_MATCH_LENGTH;
use vivarium_envs::backgammon::{Match, Setup, State};
use vivarium_exhibit_games::advice::{Adviser, StopSignal};

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
    if setup.is_some_and(|setup| setup.position.outcome().is_some()) {
        return Err(CliError::usage(
            "--position: the game is over in this position; both players need checkers on the board",
        ));
    }
    let match_state = match_state(args, setup)?;
    let equity_table = args.equity_table.table()?;
    equity_table.check_length(match_state.map_or(0, |state| state.length), "play")?;
    // GNU Backgammon as the opponent also gives the hints.
    let is_gnubg =
        matches!(args.against.as_deref(), Some("gnubg" | "gnubg-2ply")) && args.checkpoint.is_none();
    let (opponent, network) = choose::<State>(args, !is_gnubg)?;
    let adviser: Option<Box<dyn Adviser>> = match network {
        _ if is_gnubg => Some(Box::new(Gnubg::start(0).map_err(CliError::failed)?)),
        Some(network) => {
            let search = TreeSearch::new(network, args.simulations, NUM_HINTS, StopSignal::default());
            Some(Box::new(search.map_err(CliError::failed_by)?))
        }
        None => None,
    };
    let cubeless = Match::start(0, false);
    let recorder = args.record.clone().map(|path| {
        let state = match_state.unwrap_or(cubeless);
        GameRecorder::new(path, args.force, &state, setup.is_some(), [&args.name, &opponent.name])
    });
    let settings = TerminalGameSettings {
        seed,
        manual_dice: args.dice == DiceSource::Manual,
        position: setup.map(|setup| setup.position),
        roll: setup.and_then(|setup| setup.state?.roll),
        match_state,
        equity_table,
        recorder: recorder.transpose()?,
        comments: !args.no_comments,
        // Without --against, the network plays as it advises: at the score.
        opponent: (opponent.name.clone(), args.against.is_some().then(|| opponent.player()).transpose()?),
        adviser,
    };
    TerminalGame::new(settings, console).run()
}

/// Returns the state of the match or money session: of `--match`, or of the XGID or match ID in `--position`, with the
/// human player as player 0. Returns `None` for money games without the doubling cube.
///
/// # Errors
/// [`CliError::Usage`] if both name a match, or if the match is too long or over.
fn match_state(args: &PlayArgs, setup: Option<Setup>) -> Result<Option<Match>, CliError> {
    let state = setup.and_then(|setup| setup.state);
    match (args.match_length, state) {
        (Some(_), Some(_)) => Err(CliError::usage(
            "--match: the ID in --position already contains a match or money session; enter a position ID alone, or omit \
             --match",
        )),
        (None, None) if args.jacoby => {
            Err(CliError::usage("--jacoby: the Jacoby rule needs the doubling cube; add --match 0"))
        }
        (Some(1..), _) if args.jacoby => {
            Err(CliError::usage("--jacoby: the Jacoby rule applies to money sessions only, --match 0"))
        }
        (Some(length), None) => Ok(Some(Match::start(length, args.jacoby))),
        (None, None) => Ok(None),
        (None, Some(Match { length, .. })) if length > MAX_MATCH_LENGTH => Err(CliError::usage(format!(
            "--position: the match has {length} points; at most {MAX_MATCH_LENGTH} are supported"
        ))),
        (None, Some(state)) if state.winner().is_some() => {
            Err(CliError::usage("--position: the match is over at this score"))
        }
        // The player who decides is the human player.
        (None, Some(state)) => {
            let human = if state.doubled { 1 - (state.on_roll & 1) } else { state.on_roll };
            Ok(Some(if human == 0 { state } else { state.swapped() }))
        }
    }
}

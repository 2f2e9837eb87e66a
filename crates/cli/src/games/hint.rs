//! `vivarium hint`: ranked plays of a backgammon position, and the doubling decision before the roll.

use super::adviser::{Adviser, NUM_HINTS};
use super::adviser_args::AdviserArgs;
use super::doubling_text::{doubling_text, match_text};
use super::expectimax::plies_text;
use super::plays_table::plays_table;
use super::roll::parse_roll;
use super::stop_signal::StopSignal;
use crate::error::CliError;
use crate::terminal;
use crate::values::whole;
use clap::Args;
use vivarium_envs::backgammon::{Match, Roll, Setup, Xgid};

/// Command-line arguments of `vivarium hint`.
#[derive(Args, Debug)]
#[command(
    after_help = "With dice, the plays are ranked by cubeless money equity. The doubling decision before the roll (no double, double and take, double and pass; too good to double) is computed from cubeless probabilities by Janowski's formula, in a match with a match equity table that is computed by recursion over the scores. Bear-offs use exact equities or the bear-off table. --plies N searches N rolls deep: the plays within 0.16 points of the best one, at most 8. With dice, the doubling decision follows the plays if the ID contains the doubling cube."
)]
pub struct HintArgs {
    /// Position: an XGID, or a position ID with an optional match ID, such as 4HPwATDgc/ABMA:cAkAAAAAAAAA
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Roll, such as 64 [default: the roll of the XGID or match ID, or a doubling decision]
    #[arg(long, value_name = "DICE", value_parser = parse_roll)]
    pub dice: Option<Roll>,
    /// Maximum number of listed plays
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = NUM_HINTS, value_parser = whole(1u32, 1_000))]
    pub plays: u32,
    /// Network and search.
    #[command(flatten)]
    pub adviser: AdviserArgs,
}

/// Runs `vivarium hint`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid position; [`CliError::Failed`] if the checkpoint is invalid.
pub fn run(args: &HintArgs) -> Result<(), CliError> {
    let Setup { position, state } = Setup::parse(&args.position)
        .map_err(|error| CliError::usage(format!("position {}: {error}", args.position)))?;
    if position.outcome().is_some() {
        return Err(CliError::usage("position: the game is over; both players need checkers on the board"));
    }
    let has_state = state.is_some();
    let mut state = state.unwrap_or(Match::MONEY);
    if args.dice.is_some() {
        state.roll = args.dice;
    }
    let mut adviser = args.adviser.adviser(args.plays, StopSignal::default())?;
    // An XGID keeps its limit of the doubling cube.
    let xgid = Xgid::parse(&args.position).unwrap_or_else(|_| Xgid::new(position, state));
    let header = header(&Xgid { state, ..xgid });
    let doubling = |adviser: &mut dyn Adviser| {
        let probabilities = adviser.probabilities_before_roll(&position).map_err(CliError::failed)?;
        Ok::<_, CliError>(doubling_text(&position, probabilities, &Match { roll: None, ..state }))
    };
    let body = match state.roll {
        Some(roll) => {
            let advice = adviser.advise(&position, roll).map_err(CliError::failed)?;
            let search = match (args.adviser.plies, args.adviser.simulations) {
                (Some(0), _) | (None, 0) => "Equity and probabilities without a search".to_owned(),
                (Some(plies), _) => {
                    format!("Equity and probabilities by expectimax to {}", plies_text(plies))
                }
                (None, simulations) => {
                    format!("Equity by a search of {simulations} simulations; probabilities without a search")
                }
            };
            let plays =
                format!("{}\n{search}; cubeless money play.", plays_table(&position, &advice, args.plays));
            // A position ID alone contains no doubling cube.
            if has_state {
                format!("{plays}\n\nBefore the roll: {}", doubling(adviser.as_mut())?)
            } else {
                plays
            }
        }
        None => doubling(adviser.as_mut())?,
    };
    terminal::print_line(&format!("{header}\n\n{body}"));
    Ok(())
}

/// Formats the lines above the result: XGID, pips, score and doubling cube.
fn header(xgid: &Xgid) -> String {
    let Xgid { position, state, .. } = xgid;
    let [mine, theirs] = [position.mine(), position.theirs()].map(|side| side.pips());
    // The player on roll comes first.
    let from_view = if state.on_roll == 0 { *state } else { state.swapped() };
    format!(
        "{xgid}\n{}:{}\nPlayer on roll: {mine} pips, opponent: {theirs} pips. {}",
        position.id(),
        state.id(),
        match_text(&from_view, ["player on roll", "opponent"]),
    )
}

//! `vivarium hint`: ranked plays of a backgammon position, and the doubling decision before the roll; also of a batch of
//! positions, one a line of standard input.

use super::adviser_args::AdviserArgs;
use super::doubling_text::{decide, doubling_json, doubling_text};
use super::equity_table::{EquityTable, EquityTableArgs};
use super::position_input::PositionInput;
use super::roll::parse_roll;
use crate::batch::{STANDARD_INPUT, for_each_line};
use crate::error::CliError;
use crate::games::adviser_args::NUM_HINTS;
use crate::terminal;
use crate::text::signed;
use crate::values::whole;
use clap::Args;
use serde_json::{Value, json};
use vivarium_envs::backgammon::{Match, Roll, Xgid};
use vivarium_exhibit_games::advice::{
    Advice, Adviser, COLUMNS_NOTE, StopSignal, equity_unit, plays_table, plies_text, race::RaceMethod,
};

/// Command-line arguments of `vivarium hint`.
#[derive(Args, Debug)]
#[command(
    after_help = "With dice, the plays are ranked by their equity at the score and with the doubling cube: Janowski's formula from the cubeless probabilities after the play, for money in points per value of the doubling cube, in a match the match winning probability (MWC) as an equity, so that +1 and -1 are a single game won and lost with the present doubling cube (EMG, as in GNU Backgammon). The search itself maximizes cubeless money equity with --simulations, and the equity at the score with --plies. The doubling decision before the roll (no double, double and take, double and pass; too good to double) is computed from cubeless probabilities by Janowski's formula, in a match with the match equity table of met or --met. Its probabilities are the mean over the 21 rolls, each after the best play of the network; --plies 2 searches deeper, --simulations searches plays only. Races use one-sided race rollouts instead of the network: trials of each player's rolls to the home board, and the bear-off table thereafter. Bear-offs with at most six checkers a player are exact, for money and in matches, and larger ones if few placements can be reached; other bear-offs are estimates, which look ahead over the next rolls. The text below a decision states the method. Plays in races and bear-offs use the same rollouts and table. --plies N searches N rolls deep: the plays whose equity is within 0.24 of the best one, at most 8. With dice, the doubling decision follows the plays if the ID contains the doubling cube.\n\nBatches: with - as the position, every line of standard input is a position, and optionally a roll, such as 4HPwATDgc/ABMA 64. A position ID without a match ID is taken as money play with the Jacoby rule. Each line of standard output has the best play or doubling action, and its equity: of the player on roll, or after an offered double (roll D of an XGID) of the player who doubles. The network is loaded once. An invalid line is reported with its number, the next line follows, and the exit code is 1 at the end. Empty lines and lines that begin with # are ignored."
)]
pub struct HintArgs {
    /// Position: an XGID, or a position ID with an optional match ID, such as 4HPwATDgc/ABMA:cAkAAAAAAAAA; - reads one position a line of standard input
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Roll, such as 64, 6-4 or 6,4 [default: the roll of the XGID or match ID, or a doubling decision]
    #[arg(long, value_name = "DICE", value_parser = parse_roll)]
    pub dice: Option<Roll>,
    /// Maximum number of listed plays
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = NUM_HINTS, value_parser = whole(1u32, 1_000))]
    pub plays: u32,
    /// Draw the board of a single position, from the view of the player on roll
    #[arg(long, conflicts_with = "json")]
    pub board: bool,
    /// Print one JSON object per position: plays with equities and probabilities, or the doubling decision
    #[arg(long)]
    pub json: bool,
    /// File of the match equity table.
    #[command(flatten)]
    pub equity_table: EquityTableArgs,
    /// Network and search.
    #[command(flatten)]
    pub adviser: AdviserArgs,
}

/// Runs `vivarium hint`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid position; [`CliError::Failed`] if the checkpoint is invalid, or a line of a batch
/// failed.
pub fn run(args: &HintArgs) -> Result<(), CliError> {
    let adviser = || args.adviser.adviser(args.plays, StopSignal::default());
    let equity_table = args.equity_table.table()?;
    if args.position == STANDARD_INPUT {
        if args.board {
            return Err(CliError::usage("--board: a batch has one line a position; omit --board"));
        }
        let mut adviser = adviser()?;
        return for_each_line(|number, line| {
            let position = PositionInput::parse_line(line, args.dice)?;
            let result = if args.json {
                let mut value = json_hint(args, &position, adviser.as_mut(), &equity_table)?;
                value["line"] = number.into();
                value.to_string()
            } else {
                line_hint(&position, adviser.as_mut(), &equity_table)?
            };
            terminal::print_line(&result);
            Ok(())
        });
    }
    let position = PositionInput::parse(&args.position, args.dice)?;
    let mut adviser = adviser()?;
    terminal::print_line(&if args.json {
        json_hint(args, &position, adviser.as_mut(), &equity_table)?.to_string()
    } else {
        text_hint(args, &position, adviser.as_mut(), &equity_table)?
    });
    Ok(())
}

/// Returns the hint of a single position as text of several lines.
fn text_hint(
    args: &HintArgs,
    input: &PositionInput,
    adviser: &mut dyn Adviser,
    equity_table: &EquityTable,
) -> Result<String, CliError> {
    let PositionInput { xgid: Xgid { position, state, .. }, has_state } = input;
    let doubling = |adviser: &mut dyn Adviser| {
        doubling_text(position, &Match { roll: None, ..*state }, adviser, equity_table)
            .map_err(CliError::failed)
    };
    let body = match state.roll {
        Some(roll) => {
            let context = equity_table.equity_context(state).map_err(CliError::failed)?;
            let advice = adviser.advise(position, roll, context).map_err(CliError::failed)?;
            let search = match (RaceMethod::of(position), args.adviser.plies, args.adviser.simulations) {
                (Some(method), ..) => format!("Probabilities by {}", method.name()),
                (None, Some(0), _) | (None, None, 0) => {
                    "Probabilities by the network, without a search".to_owned()
                }
                (None, Some(plies), _) => format!("Probabilities by expectimax to {}", plies_text(plies)),
                (None, None, simulations) => {
                    format!(
                        "Winning probability by a search of {simulations} simulations; shares of gammons without a search"
                    )
                }
            };
            let plays = format!(
                "{}\n{COLUMNS_NOTE} {search}. {}.",
                plays_table(position, &advice, args.plays, context, None),
                equity_unit(Some(state))
            );
            if *has_state { format!("{plays}\n\nBefore the roll: {}", doubling(adviser)?) } else { plays }
        }
        None => doubling(adviser)?,
    };
    Ok(format!("{}\n\n{body}", input.header(args.board)))
}

/// Returns the hint of a position as one line: the best play with its equity, or the best doubling action with its equity.
fn line_hint(
    position: &PositionInput,
    adviser: &mut dyn Adviser,
    equity_table: &EquityTable,
) -> Result<String, CliError> {
    let Xgid { position, state, .. } = &position.xgid;
    if let Some(roll) = state.roll {
        let context = equity_table.equity_context(state).map_err(CliError::failed)?;
        let advice = adviser.advise(position, roll, context).map_err(CliError::failed)?;
        return Ok(advice.first().map_or_else(
            || "no legal play".to_owned(),
            |best| format!("{}  {}", best.play.notation(position), signed(best.equity, 3)),
        ));
    }
    let evaluation = decide(position, state, adviser, equity_table).map_err(CliError::failed)?;
    Ok(match evaluation.decided {
        Ok(decided) => {
            let action = decided.best(state.doubled);
            let player = if state.doubled { " (player who doubles)" } else { "" };
            format!("{action}  {}{player}", signed(evaluation.equity, 3))
        }
        Err(error) => error.to_string(),
    })
}

/// Returns the hint of a position as JSON: plays if the dice are known, and the doubling decision before the roll, which is
/// `null` if the text has dice but no doubling cube, or if there is no decision.
fn json_hint(
    args: &HintArgs,
    PositionInput { xgid, has_state }: &PositionInput,
    adviser: &mut dyn Adviser,
    equity_table: &EquityTable,
) -> Result<Value, CliError> {
    let Xgid { position, state, .. } = xgid;
    let mut value = json!({
        "experiment": "backgammon",
        "xgid": xgid.to_string(),
        "position_id": position.id(),
        "match_id": state.id(),
        "assumed_money": !has_state,
        "roll": state.roll.map(|roll| [roll.high(), roll.low()]),
        "plays": null,
        "doubling": null,
    });
    if let Some(roll) = state.roll {
        let context = equity_table.equity_context(state).map_err(CliError::failed)?;
        let advice = adviser.advise(position, roll, context).map_err(CliError::failed)?;
        let best = advice.first().map_or(0.0, |best| best.equity);
        let play = |advice: &Advice| {
            json!({
                "play": advice.play.notation(position),
                "equity": advice.equity,
                "match_winning_probability": context.match_winning_probability(advice.equity),
                "loss": (best - advice.equity).max(0.0),
                "probabilities": advice.probabilities,
                "searched": advice.searched,
            })
        };
        value["plays"] = advice.iter().take(args.plays as usize).map(play).collect();
    }
    if state.roll.is_none() || *has_state {
        let before_roll = Match { roll: None, ..*state };
        let evaluation = decide(position, &before_roll, adviser, equity_table).map_err(CliError::failed)?;
        value["probabilities"] = json!(evaluation.probabilities);
        value["equity"] = evaluation.equity.into();
        value["match_winning_probability"] = json!(evaluation.match_winning_probability);
        match evaluation.decided {
            Ok(decided) => {
                let context = equity_table.equity_context(&before_roll).map_err(CliError::failed)?;
                value["doubling"] = doubling_json(&decided, before_roll.doubled, context);
            }
            Err(error) => value["no_doubling_decision"] = error.to_string().into(),
        }
    }
    Ok(value)
}

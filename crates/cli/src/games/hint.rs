//! `vivarium hint`: ranked plays of a backgammon position, and the doubling decision before the roll; also of a batch of
//! positions, one a line of standard input.

use super::adviser_args::AdviserArgs;
use super::bear_off_hit;
use super::depth_check::DepthCheck;
use super::doubling_text::{DoublingAdvice, advice_text, decide, doubling_json};
use super::equity_table::{EquityTable, EquityTableArgs};
use super::gnubg::GnubgStrength;
use super::position_input::PositionInput;
use super::roll::parse_roll;
use super::selected_plays::{is_selected, parse_selected};
use crate::batch::{INVALID_LINE, STANDARD_INPUT, for_each_line};
use crate::error::CliError;
use crate::games::adviser_args::NUM_HINTS;
use crate::terminal;
use crate::text::signed;
use crate::values::whole;
use clap::Args;
use serde_json::{Value, json};
use vivarium_envs::backgammon::{Match, Play, Roll, Xgid};
use vivarium_exhibit_games::advice::{
    Advice, Adviser, BY_FORMULA, COLUMNS_NOTE, Expectimax, StopSignal, equity_unit, plays_table_with,
};

/// Command-line arguments of `vivarium hint`.
#[derive(Args, Debug)]
#[command(
    after_help = "With dice, the plays are ranked by their equity at the score and with the doubling cube: Janowski's formula from the cubeless probabilities after the play, for money in points per value of the doubling cube, in a match the match winning probability (MWC) as an equity, so that +1 and -1 are a single game won and lost with the present doubling cube (EMG, as in GNU Backgammon). The search itself maximizes cubeless money equity with --simulations, and the equity at the score with --plies. The doubling decision before the roll (no double, double and take, double and pass; too good to double) is computed from cubeless probabilities by Janowski's formula, in a match with the match equity table of met or --met. Its probabilities are the mean over the 21 rolls, each after the best play of the network; --plies 2 searches deeper, --simulations searches plays only. Without --plies and --by, a single position with contact is evaluated at 2 plies as well; if the best doubling action differs, or the winning probability by more than 3 percentage points, a sentence reports both evaluations (--json: depth_check). The winning probabilities of reported decisions differ from those of GNU Backgammon at 2 plies about twice as much as the others. If a checker was hit during the bear-off, and without --by, a sentence states the accuracy of the network in such positions (--json: bear_off_hit). Races use one-sided race rollouts instead of the network: trials of each player's rolls to the home board, and the bear-off table thereafter. Bear-offs with at most six checkers a player are exact, for money and in matches, and larger ones if few placements can be reached; other bear-offs are estimates, which look ahead over the next rolls. The text below a decision states the method; --brief omits it. The column loses is the equity that an action loses against the best action of the same player; MWC is the match winning probability. Plays in races and bear-offs use the same rollouts and table. --plies N searches N rolls deep: the plays whose equity is within 0.24 of the best one, at most 8. --by takes all probabilities, also in races, from GNU Backgammon; gnubg-2ply searches the plays within 0.16 of the best one, at most 8. The equities follow from the same formula. With dice, the doubling decision follows the plays if the ID contains the doubling cube.\n\nBatches: with - as the position, every line of standard input is a position, and optionally a match ID and a roll, such as 4HPwATDgc/ABMA 64. A position ID without a match ID is taken as money play with the Jacoby rule. Each line of standard output has the best play or doubling action, and its equity: of the player on roll, or after an offered double (roll D of an XGID) of the player who doubles. The network is loaded once. An invalid line is reported with its number, standard output has the line invalid for it, the next line follows, and the exit code is 1 at the end. Empty lines and lines that begin with # are ignored."
)]
pub struct HintArgs {
    /// Position: an XGID, or a position ID with an optional match ID, such as 4HPwATDgc/ABMA:cAkAAAAAAAAA; - reads one position a line of standard input
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Match ID, if no colon joins it to the position ID
    pub match_id: Option<String>,
    /// Roll, such as 64, 6-4 or 6,4 [default: the roll of the XGID or match ID, or a doubling decision]
    #[arg(long, value_name = "DICE", value_parser = parse_roll)]
    pub dice: Option<Roll>,
    /// Maximum number of listed plays
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = NUM_HINTS, value_parser = whole(1u32, 1_000))]
    pub plays: u32,
    /// List this play as well, with its rank and at full depth, such as "13/5" or "24/18 13/9"; repeatable
    #[arg(long, value_name = "PLAY")]
    pub play: Vec<String>,
    /// Draw the board of a single position, from the view of the player on roll
    #[arg(long, conflicts_with = "json")]
    pub board: bool,
    /// Omit the notes on units and methods of a single position
    #[arg(long, conflicts_with = "json")]
    pub brief: bool,
    /// Print one JSON object per position: plays with equities and probabilities, or the doubling decision
    #[arg(long)]
    pub json: bool,
    /// File of the match equity table.
    #[command(flatten)]
    pub equity_table: EquityTableArgs,
    /// Evaluator and search.
    #[command(flatten)]
    pub adviser: AdviserArgs,
}

/// Runs `vivarium hint`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid position; [`CliError::Failed`] if the checkpoint is invalid, or a line of a batch
/// failed.
pub fn run(args: &HintArgs) -> Result<(), CliError> {
    let equity_table = args.equity_table.table()?;
    let hint = |position| Hint { args, position, selected: Vec::new(), equity_table: &equity_table };
    if args.position == STANDARD_INPUT {
        let single = [
            ("--board", args.board),
            ("--brief", args.brief),
            ("--play", !args.play.is_empty()),
            ("the match ID", args.match_id.is_some()),
        ];
        if let Some((option, _)) = single.into_iter().find(|(_, is_given)| *is_given) {
            return Err(CliError::usage(format!(
                "{option}: only for a single position, not for a batch; omit it"
            )));
        }
        let evaluator = args.adviser.evaluator()?;
        let mut adviser = args.adviser.adviser(evaluator, args.plays, StopSignal::default())?;
        let placeholder = (!args.json).then_some(INVALID_LINE);
        return for_each_line(placeholder, |number, line| {
            let hint = hint(PositionInput::parse_line(line, args.dice)?);
            let result = if args.json {
                let mut value = hint.json(adviser.as_mut(), None)?;
                value["line"] = number.into();
                value.to_string()
            } else {
                line_hint(&hint.position, adviser.as_mut(), &equity_table)?
            };
            terminal::print_line(&result);
            Ok(())
        });
    }
    let parts: Vec<_> = [args.position.as_str()].into_iter().chain(args.match_id.as_deref()).collect();
    let mut hint = hint(PositionInput::parse_parts(&parts, args.dice)?);
    let Xgid { position, state, .. } = &hint.position.xgid;
    hint.selected = parse_selected(&args.play, position, state.roll)?;
    let evaluator = args.adviser.evaluator()?;
    let mut adviser = args.adviser.adviser(evaluator.clone(), args.plays, StopSignal::default())?;
    let mut deepest = if hint.has_doubling() { args.adviser.deepest_adviser(evaluator)? } else { None };
    terminal::print_line(&if args.json {
        hint.json(adviser.as_mut(), deepest.as_mut())?.to_string()
    } else {
        hint.text(adviser.as_mut(), deepest.as_mut())?
    });
    Ok(())
}

/// Position with the options of its hint.
struct Hint<'a> {
    args: &'a HintArgs,
    position: PositionInput,
    /// Plays of `--play`.
    selected: Vec<Play>,
    equity_table: &'a EquityTable,
}

impl Hint<'_> {
    /// Returns whether the hint has the evaluation before the roll.
    fn has_doubling(&self) -> bool {
        self.position.has_state || self.position.xgid.state.roll.is_none()
    }

    /// Returns the hint as text of several lines. `deepest` checks the evaluation before the roll.
    fn text(&self, adviser: &mut dyn Adviser, deepest: Option<&mut Expectimax>) -> Result<String, CliError> {
        let PositionInput { xgid: Xgid { position, state, .. }, has_state } = &self.position;
        let args = self.args;
        let body = match state.roll {
            Some(roll) => {
                let context = self.equity_table.equity_context(state).map_err(CliError::failed)?;
                let advice = self.advice(roll, adviser)?;
                let table = plays_table_with(position, &advice, context, |at, listed| {
                    let rank = || format!(" (rank {} of {})", at + 1, advice.len());
                    let is_selected = is_selected(&self.selected, &listed.play);
                    self.is_listed(at, listed).then(|| if is_selected { rank() } else { String::new() })
                });
                let plays = match args.brief {
                    true => table,
                    false => {
                        let method = args.adviser.method_of_plays(position);
                        format!("{table}\n{COLUMNS_NOTE} {method}. {}.", equity_unit(Some(state), BY_FORMULA))
                    }
                };
                if *has_state {
                    format!("{plays}\n\nBefore the roll: {}", self.doubling_text(adviser, deepest)?)
                } else {
                    plays
                }
            }
            None => self.doubling_text(adviser, deepest)?,
        };
        // The remark is on the accuracy of the network.
        let remark = match position.is_bear_off_hit() && args.adviser.by.is_none() {
            true => format!("\n\n{}", bear_off_hit::remark(&self.rollout_command(*state))),
            false => String::new(),
        };
        Ok(format!("{}\n\n{body}{remark}", self.position.header(args.board)))
    }

    /// Returns all plays of a roll, the best first.
    fn advice(&self, roll: Roll, adviser: &mut dyn Adviser) -> Result<Vec<Advice>, CliError> {
        let Xgid { position, state, .. } = &self.position.xgid;
        let context = self.equity_table.equity_context(state).map_err(CliError::failed)?;
        adviser.advise_with_plays(position, roll, context, &self.selected).map_err(CliError::failed)
    }

    /// Returns whether the play with an index from 0 is listed: one of the best plays, or a play of `--play`.
    fn is_listed(&self, at: usize, advice: &Advice) -> bool {
        at < self.args.plays as usize || is_selected(&self.selected, &advice.play)
    }

    /// Formats the doubling decision before the roll. A difference to the deeper evaluation follows.
    fn doubling_text(
        &self,
        adviser: &mut dyn Adviser,
        deepest: Option<&mut Expectimax>,
    ) -> Result<String, CliError> {
        let (state, advice, check) = self.doubling(adviser, deepest)?;
        let Xgid { position, .. } = &self.position.xgid;
        let text = advice_text(&advice, &state, &adviser.method_before_roll(position), self.equity_table);
        let text = if self.args.brief { text.text } else { text.full() };
        let difference = check.and_then(|check| check.text(&self.rollout_command(state)));
        Ok(difference.map_or(text.clone(), |difference| format!("{text}\n\n{difference}")))
    }

    /// Returns the state before the roll, the doubling decision, and its comparison with the deeper evaluation.
    fn doubling(
        &self,
        adviser: &mut dyn Adviser,
        deepest: Option<&mut Expectimax>,
    ) -> Result<(Match, DoublingAdvice, Option<DepthCheck>), CliError> {
        let Xgid { position, state, .. } = self.position.xgid;
        let state = Match { roll: None, ..state };
        let advice = decide(&position, &state, adviser, self.equity_table).map_err(CliError::failed)?;
        let check = match deepest {
            Some(deepest) => DepthCheck::new(&advice, &position, &state, deepest, self.equity_table),
            None => Ok(None),
        };
        Ok((state, advice, check.map_err(CliError::failed)?))
    }

    /// Returns the command that rolls the position in the state `state` out with the same network and match equity table.
    fn rollout_command(&self, state: Match) -> String {
        let xgid = Xgid { state, ..self.position.xgid };
        let files = [("--checkpoint", &self.args.adviser.checkpoint), ("--met", &self.args.equity_table.met)];
        let files = files.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
        let files: String = files.map(|(option, path)| format!(" {option} {}", path.display())).collect();
        format!("vivarium rollout {xgid}{files}")
    }

    /// Returns the hint as JSON: plays if the dice are known, and the doubling decision before the roll, which is `null` if the
    /// text has dice but no doubling cube, or if there is no decision.
    fn json(&self, adviser: &mut dyn Adviser, deepest: Option<&mut Expectimax>) -> Result<Value, CliError> {
        let PositionInput { xgid, has_state } = &self.position;
        let Xgid { position, state, .. } = xgid;
        let AdviserArgs { by, plies, simulations, .. } = self.args.adviser;
        let context = self.equity_table.equity_context(state).map_err(CliError::failed)?;
        let mut value = json!({
            "experiment": "backgammon",
            "xgid": xgid.to_string(),
            "position_id": position.id(),
            "match_id": state.id(),
            "assumed_money": !has_state,
            "roll": state.roll.map(|roll| [roll.high(), roll.low()]),
            "evaluator": if by.is_some() { "gnubg" } else { "network" },
            "plies": by.map(GnubgStrength::plies).or(plies),
            "simulations": (by.is_none() && plies.is_none()).then_some(simulations),
            "bear_off_hit": position.is_bear_off_hit(),
            "plays": null,
            "doubling": null,
        });
        if let Some(roll) = state.roll {
            let advice = self.advice(roll, adviser)?;
            let best = advice.first().map_or(0.0, |best| best.equity);
            let play = |(at, advice): (usize, &Advice)| {
                json!({
                    "rank": at + 1,
                    "play": advice.play.notation(position),
                    "equity": advice.equity,
                    "match_winning_probability": context.match_winning_probability(advice.equity),
                    "loss": (best - advice.equity).max(0.0),
                    "probabilities": advice.probabilities,
                    "searched": advice.searched,
                })
            };
            let listed = advice.iter().enumerate().filter(|(at, advice)| self.is_listed(*at, advice));
            value["plays"] = listed.map(play).collect();
        }
        if self.has_doubling() {
            let (before_roll, advice, check) = self.doubling(adviser, deepest)?;
            value["probabilities"] = json!(advice.probabilities);
            value["equity"] = advice.equity.into();
            value["match_winning_probability"] = json!(advice.match_winning_probability);
            value["depth_check"] = json!(check.map(|check| check.json()));
            match advice.decided {
                Ok(decided) => value["doubling"] = doubling_json(&decided, before_roll.doubled, context),
                Err(error) => value["no_doubling_decision"] = error.to_string().into(),
            }
        }
        Ok(value)
    }
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

//! `vivarium rollout`: estimates of a backgammon position, or of the plays of a roll, by random games to the end.
//!
//! A trial plays the game with the network; its result, minus the luck of the rolls, estimates equity and probabilities
//! (Tesauro and Galperin 1996, "On-line Policy Improvement using Monte-Carlo Search",
//! <https://papers.nips.cc/paper/1302-on-line-policy-improvement-using-monte-carlo-search>). All random numbers are
//! functions of seed, trial and turn.

mod candidate;
mod dice;
mod doubling;
mod evaluator;
mod statistics;
mod trial;
mod trials;

use super::doubling_text::{decision_text, doubling_json};
use super::equity_table::{EquityTable, EquityTableArgs};
use super::network::TrainedNetwork;
use super::position_input::PositionInput;
use super::roll::parse_roll;
use super::selected_plays::{is_selected, parse_selected};
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::signals::Interrupt;
use crate::text::{fixed, signed};
use crate::values::whole;
use crate::{machine, terminal, text};
use candidate::RolloutCandidate;
use clap::Args;
use doubling::{DoublingEstimates, RolloutDoubling};
use evaluator::{NetworkPositionEvaluator, PositionEvaluator, Probabilities};
use serde_json::{Value, json};
use statistics::{CandidateEstimate, Estimate, difference, equities};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use trial::TrialResult;
use trials::TrialSettings;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::doubling::{DoublingContext, DoublingError, DoublingMethod, EquityContext};
use vivarium_envs::backgammon::{Match, Outcome, Play, Position, Roll, State, Xgid};
use vivarium_exhibit_games::advice::{equity_unit, rank_plays};
use vivarium_graph::Cpu;

/// Command-line arguments of `vivarium rollout`.
#[derive(Args, Debug)]
#[command(
    after_help = "A trial is a game in which both players make the plays that the network evaluates as best at the score and with \
    the doubling cube, without a search. No player doubles in a trial: the estimated probabilities are cubeless. The equity, by \
    which plays are ranked, follows from them by Janowski's formula, as in hint: for money in points per value of the doubling \
    cube, in a match as an equity between a single game lost and won (EMG), with the match winning probability (MWC). Before the roll \
    it includes the best doubling action, and the doubling decision follows, with standard errors: the equities of no double, double \
    and take, double and pass, the losses against the best action of the same player, and the best action. They are computed from the mean probabilities of the trials by Janowski's formula; \
    in bear-offs they do not depend on the trials, and are exact or estimates, as in hint. The column cubeless is the equity in points without a doubling cube and a score. A \
    position ID without a match ID is taken as money play with the Jacoby rule. Luck adjustment subtracts the luck of every roll: the evaluation after its best play minus the \
    mean over all 21 rolls. The estimate stays unbiased and its variance falls. The first two rolls are stratified, so that \
    numbers of trials that are multiples of 36 or 1296 are best. All plays are compared with the same dice. Trials end in \
    bear-offs that are in the bear-off table.\n\
    ± is one standard error; it does not contain errors of the network's plays or of Janowski's formula.\n\
    Equal seeds give equal results on any number of threads. Ctrl-C prints the results of the completed trials.\n\
    Example: vivarium rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 --trials 360 --truncate 7"
)]
pub struct RolloutArgs {
    /// Position: an XGID, or a position ID with an optional match ID, such as 4HPwATDgc/ABMA:cAkAAAAAAAAA
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Match ID, if no colon joins it to the position ID
    pub match_id: Option<String>,
    /// Roll, such as 64, 6-4 or 6,4: compares its plays [default: the roll of the XGID or match ID, or the position before the roll]
    #[arg(long, value_name = "DICE", value_parser = parse_roll)]
    pub dice: Option<Roll>,
    /// Maximum number of plays: the best by the network without a search [default: 4, or only the plays of --play]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 1_000))]
    pub plays: Option<u32>,
    /// Roll this play out, such as "13/5" or "24/18 13/9"; repeatable; with --plays, the best plays as well
    #[arg(long, value_name = "PLAY")]
    pub play: Vec<String>,
    /// Number of trials, 1 to 10000000
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 360, value_parser = whole(1u32, 10_000_000))]
    pub trials: u32,
    /// Turns after which a trial ends with the network's evaluation, 1 to 1000 [default: to the end of the game]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 1_000))]
    pub truncate: Option<u32>,
    /// Random seed of the dice
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// File of the match equity table.
    #[command(flatten)]
    pub equity_table: EquityTableArgs,
    /// Checkpoint file or run folder [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Number of worker threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
    /// Draw the board, from the view of the player on roll
    #[arg(long, conflicts_with = "json")]
    pub board: bool,
    /// Print one JSON object: estimates, and the doubling decision before the roll, with standard errors
    #[arg(long)]
    pub json: bool,
}

/// Default number of plays without `--play`.
const DEFAULT_PLAYS: u32 = 4;

/// Result of a rollout.
struct Rollout<'a> {
    /// Score and doubling cube of the player on roll.
    context: EquityContext<'a>,
    /// Plays in the notation of the position, in the order of `estimates`; empty before the roll.
    plays: Vec<String>,
    /// Estimates, the best play first.
    estimates: Vec<CandidateEstimate>,
    /// Equity of the best play minus that of each play, in the order of `estimates`.
    losses: Vec<Estimate>,
    /// Doubling decision, or the reason why there is none; `None` with a roll.
    doubling: Option<Result<RolloutDoubling, DoublingError>>,
    /// Number of completed trials.
    trials: usize,
}

/// Runs `vivarium rollout`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid position; [`CliError::Failed`] if the checkpoint is invalid;
/// [`CliError::Interrupted`] after a signal, when the results of the completed trials have been printed.
pub fn run(args: &RolloutArgs) -> Result<(), CliError> {
    let parts: Vec<_> = [args.position.as_str()].into_iter().chain(args.match_id.as_deref()).collect();
    let input = PositionInput::parse_parts(&parts, args.dice)?;
    let Xgid { position, state, .. } = &input.xgid;
    let selected = parse_selected(&args.play, position, state.roll)?;
    let file = CheckpointFile::open(args.checkpoint.as_deref(), State::NAME)?;
    let network = TrainedNetwork::<State>::read(&file)?.network;
    let cpu = Cpu::new(args.threads.map_or_else(machine::cores, usize::from));
    let interrupt = Interrupt::listen();
    let evaluator = || NetworkPositionEvaluator::new(Arc::clone(&network));
    let equity_table = args.equity_table.table()?;
    let context = equity_table.equity_context(state).map_err(CliError::failed)?;
    let most = args.plays.unwrap_or(if selected.is_empty() { DEFAULT_PLAYS } else { 0 });
    let (plays, candidates) = candidates(position, state.roll, context, most, &selected, &mut evaluator());

    let bar = terminal::progress_bar(args.trials.into(), "{wide_bar} {pos}/{len} trials, {eta} left");
    let settings = TrialSettings { trials: args.trials, seed: args.seed, truncation: args.truncate };
    let results = trials::play(&cpu, &candidates, settings, &interrupt.stop, evaluator, || bar.inc(1));
    bar.finish_and_clear();
    let mut rollout = Rollout::new(plays, &candidates, &results, context);
    if rollout.trials > 0 {
        if state.roll.is_none() {
            rollout.decide(position, &results[0], equity_table.context(state));
        }
        terminal::print_line(&if args.json {
            rollout.json(args, &input).to_string()
        } else {
            format!("{}\n\n{}", input.header(args.board), rollout.text(args, state, &equity_table))
        });
    }
    match interrupt.signal.get() {
        Some(signal) if rollout.trials < args.trials as usize => {
            terminal::print_message(&format!(
                "vivarium: stopped by {} after {} of {} trials",
                signal.name(),
                text::whole(rollout.trials as u64),
                text::whole(args.trials.into())
            ));
            Err(CliError::Interrupted(*signal))
        }
        _ => Ok(()),
    }
}

/// Returns the best plays of the roll by the evaluator, at most `most`, and the `selected` plays, in notation and as candidates.
/// Without a roll, the only candidate is the position.
fn candidates<'a>(
    position: &Position,
    roll: Option<Roll>,
    context: EquityContext<'a>,
    most: u32,
    selected: &[Play],
    evaluator: &mut impl PositionEvaluator,
) -> (Vec<String>, Vec<RolloutCandidate<'a>>) {
    let Some(roll) = roll else {
        return (Vec::new(), vec![RolloutCandidate { position: *position, context, is_opponent: false }]);
    };
    let probabilities = |after: &Position| -> Result<Probabilities, Infallible> {
        let over = after.outcome().map(Outcome::probabilities);
        Ok(over.unwrap_or_else(|| evaluator.evaluate(&[*after])[0]))
    };
    let Ok(advice) = rank_plays(position, roll, context, probabilities);
    let is_candidate = |at: usize, play: &Play| at < most as usize || is_selected(selected, play);
    let candidates = advice.iter().enumerate().filter(|(at, advice)| is_candidate(*at, &advice.play));
    candidates
        .map(|(_, advice)| {
            let position_after = advice.play.after.mirrored();
            let candidate =
                RolloutCandidate { position: position_after, context: context.opponent(), is_opponent: true };
            (advice.play.notation(position), candidate)
        })
        .unzip()
}

impl<'a> Rollout<'a> {
    /// Ranks the candidates by equity. `results` holds the results by candidate and trial.
    fn new(
        plays: Vec<String>,
        candidates: &[RolloutCandidate<'_>],
        results: &[Vec<TrialResult>],
        context: EquityContext<'a>,
    ) -> Self {
        let by_candidate = candidates.iter().zip(results);
        let equities: Vec<_> = by_candidate
            .map(|(candidate, trials)| equities(trials, |probabilities| candidate.equity(probabilities)))
            .collect();
        let by_candidate = results.iter().zip(&equities);
        let estimates: Vec<_> =
            by_candidate.map(|(trials, equities)| CandidateEstimate::of(trials, equities)).collect();
        let mut order: Vec<usize> = (0..results.len()).collect();
        order.sort_by(|&a, &b| estimates[b].equity.mean.total_cmp(&estimates[a].equity.mean));
        let best = order.first().copied().unwrap_or_default();
        Self {
            context,
            plays: order.iter().filter_map(|&at| plays.get(at).cloned()).collect(),
            losses: order.iter().map(|&at| difference(&equities[best], &equities[at])).collect(),
            estimates: order.iter().map(|&at| estimates[at]).collect(),
            doubling: None,
            trials: results.first().map_or(0, Vec::len),
        }
    }

    /// Computes the doubling decision in `position`, the only candidate. In bear-offs, the equity before the roll is that of the
    /// decision, which does not depend on the trials.
    fn decide(
        &mut self,
        position: &Position,
        trials: &[TrialResult],
        context: Result<DoublingContext, DoublingError>,
    ) {
        let doubling = context.map(|context| RolloutDoubling::new(position, trials, &context));
        if let Ok(RolloutDoubling { decided, .. }) = &doubling
            && decided.method != DoublingMethod::Janowski
        {
            let mean = decided.decision.no_double.max(decided.decision.double());
            self.estimates[0].equity = Estimate { mean, error: None };
        }
        self.doubling = Some(doubling);
    }

    /// Formats the estimates as a table, with the doubling decision and a note on the trials.
    fn text(&self, args: &RolloutArgs, state: &Match, equity_table: &EquityTable) -> String {
        let names =
            self.plays.iter().cloned().chain(self.plays.is_empty().then(|| "before the roll".to_owned()));
        let mwc_title = (state.length > 0).then_some("MWC");
        let heading = ["", "equity"].into_iter().chain(mwc_title);
        let heading = heading.chain(["loses", "cubeless", "win", "gammon", "bg", "lost gammon", "bg"]);
        let mut rows = vec![heading.map(str::to_owned).collect::<Vec<_>>()];
        for ((at, name), (estimate, loss)) in names.enumerate().zip(self.estimates.iter().zip(&self.losses)) {
            let loses = if at == 0 { "–".to_owned() } else { points(loss, false) };
            let mut row = vec![name, points(&estimate.equity, true)];
            row.extend(self.match_winning_probability(&estimate.equity).as_ref().map(percent));
            row.extend([loses, points(&estimate.cubeless, true)]);
            row.extend(estimate.probabilities.iter().map(percent));
            rows.push(row);
        }
        let end = match args.truncate {
            Some(turns) => format!("truncated after {}", text::count(turns.into(), "turn")),
            None => "to the end of the game".to_owned(),
        };
        let ratio = self.estimates.first().and_then(|estimate| estimate.variance_ratio);
        let adjustment = ratio
            .map_or(String::new(), |ratio| format!("; luck adjustment divides the variance by {ratio:.1}"));
        let doubling = match &self.doubling {
            Some(Ok(RolloutDoubling { decided, errors })) => {
                let errors = [errors.no_double, errors.double_take, None];
                decision_text(decided, errors, state, "the trials", equity_table).full() + "\n\n"
            }
            Some(Err(error)) => format!("{error}\n\n"),
            None => String::new(),
        };
        // The text of an exact or estimated decision states the method of its equities, which are not by the formula of the unit.
        let unit = match &self.doubling {
            Some(Ok(RolloutDoubling { decided, .. })) if decided.method != DoublingMethod::Janowski => {
                String::new()
            }
            _ => format!("{}. ", equity_unit(Some(state))),
        };
        format!(
            "{}\n\n{doubling}{}, seed {}, {end}{adjustment}. ± is one standard error; probabilities in percent, cubeless. {unit}Cubeless: \
             equity in points of money play without a doubling cube.",
            text::table(&rows),
            text::count(self.trials as u64, "trial"),
            args.seed
        )
    }

    /// Returns the match winning probability of an equity; `None` in a money game.
    fn match_winning_probability(&self, equity: &Estimate) -> Option<Estimate> {
        let probability = |equity: f64| self.context.match_winning_probability(equity);
        let scale = probability(1.0)? - probability(0.0)?;
        Some(Estimate { mean: probability(equity.mean)?, error: equity.error.map(|error| error * scale) })
    }

    fn json(&self, args: &RolloutArgs, input: &PositionInput) -> Value {
        let PositionInput { xgid, has_state } = input;
        let estimate = |at: usize| {
            let CandidateEstimate { equity, cubeless, probabilities, variance_ratio } = &self.estimates[at];
            let match_winning_probability = self.match_winning_probability(equity);
            json!({
                "play": self.plays.get(at),
                "equity": equity.mean,
                "equity_error": equity.error,
                "match_winning_probability": match_winning_probability.map(|estimate| estimate.mean),
                "match_winning_probability_error": match_winning_probability.and_then(|estimate| estimate.error),
                "cubeless_equity": cubeless.mean,
                "cubeless_equity_error": cubeless.error,
                "loss": self.losses[at].mean,
                "loss_error": self.losses[at].error,
                "probabilities": probabilities.map(|probability| probability.mean),
                "probability_errors": probabilities.map(|probability| probability.error),
                "variance_ratio": variance_ratio,
            })
        };
        let mut value = json!({
            "experiment": "backgammon",
            "xgid": xgid.to_string(),
            "position_id": xgid.position.id(),
            "match_id": xgid.state.id(),
            "assumed_money": !has_state,
            "roll": xgid.state.roll.map(|roll| [roll.high(), roll.low()]),
            "trials": self.trials,
            "seed": args.seed,
            "truncation": args.truncate,
            "estimates": (0..self.estimates.len()).map(estimate).collect::<Vec<_>>(),
            "doubling": null,
        });
        match &self.doubling {
            Some(Ok(RolloutDoubling { decided, errors })) => {
                let DoublingEstimates { no_double, double_take, doubling: difference } = errors;
                let mut doubling = doubling_json(decided, xgid.state.doubled, self.context);
                doubling["no_double_error"] = json!(no_double);
                doubling["double_take_error"] = json!(double_take);
                // The equity of double and pass does not depend on the trials.
                doubling["loss_errors"] = json!({
                    "no_double": difference, "double": difference, "take": double_take, "pass": double_take,
                });
                value["doubling"] = doubling;
            }
            Some(Err(error)) => value["no_doubling_decision"] = error.to_string().into(),
            None => {}
        }
        value
    }
}

/// Formats points with their standard error.
fn points(estimate: &Estimate, is_signed: bool) -> String {
    let mean = if is_signed { signed(estimate.mean, 3) } else { fixed(estimate.mean, 3) };
    estimate.error.map_or(mean.clone(), |error| format!("{mean} ±{error:.3}"))
}

/// Formats a probability with its standard error in percent.
fn percent(estimate: &Estimate) -> String {
    let mean = fixed(100.0 * estimate.mean, 1);
    estimate.error.map_or(mean.clone(), |error| format!("{mean} ±{:.1}", 100.0 * error))
}

#[cfg(test)]
mod tests;

//! `vivarium rollout`: estimates of a backgammon position, or of the plays of a roll, by random games to the end.

use super::doubling_text::{decision_text, doubling_json};
use super::equity_table::{EquityTable, EquityTableArgs};
use super::network::TrainedNetwork;
use super::position_input::PositionInput;
use super::roll::parse_roll;
use super::selected_plays::parse_selected;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::signals::Interrupt;
use crate::text::{fixed, signed};
use crate::values::whole;
use crate::{machine, terminal, text};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::doubling::DoublingMethod;
use vivarium_envs::backgammon::{Match, Roll, State, Xgid};
use vivarium_exhibit_games::advice::equity_unit;
use vivarium_exhibit_games::rollout::{
    CandidateEstimate, DoublingErrors, Estimate, NetworkPositionEvaluator, RolloutDoubling, RolloutSummary,
    TrialSettings, candidates, play_trials,
};
use vivarium_graph::Cpu;

/// Command-line arguments of `vivarium rollout`.
#[derive(Args, Debug)]
#[command(
    after_help = "A trial is a game in which both players make the plays that the network evaluates as best at the score and with \
    the doubling cube, without a search. Before each roll they double, take and pass by Janowski's formula, from the mean evaluation \
    over the 21 rolls. The equity, by which plays are ranked, is the mean result of the trials: for money in points per value of the \
    doubling cube, in a match as an equity between a single game lost and won (EMG), with the match winning probability (MWC). Before the \
    roll, trials without a double and trials after double and take have the same dice, and the doubling decision follows, with standard \
    errors: the equities of no double, double and take, double and pass, the losses against the best action of the same player, and the \
    best action. In bear-offs the decision does not depend on the trials, and is exact or an estimate, as in hint. The probabilities are \
    cubeless: after a pass, the game is played to its end. The column cubeless is the equity in points without a doubling cube and a score. A \
    position ID without a match ID is taken as money play with the Jacoby rule. Luck adjustment subtracts the luck of every roll: the evaluation after its best play minus the \
    mean over all 21 rolls. The estimate stays unbiased and its variance falls. The first two rolls are stratified, so that \
    numbers of trials that are multiples of 36 or 1296 are best. All plays are compared with the same dice. When no player can double \
    any more, trials end in bear-offs that are in the bear-off table; truncated trials end with Janowski's formula.\n\
    ± is one standard error; it does not contain errors of the network's plays and doubles.\n\
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
    let results = play_trials(&cpu, &candidates, settings, &interrupt.stop, evaluator, || bar.inc(1));
    bar.finish_and_clear();
    let mut rollout = RolloutSummary::new(plays, &results, context);
    if rollout.trials > 0 {
        if state.roll.is_none() {
            rollout.decide(position, &results, equity_table.context(state), state.doubled);
        }
        terminal::print_line(&if args.json {
            json_of(&rollout, args, &input).to_string()
        } else {
            format!("{}\n\n{}", input.header(args.board), text_of(&rollout, args, state, &equity_table))
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

/// Formats the estimates as a table, with the doubling decision and a note on the trials.
fn text_of(
    rollout: &RolloutSummary<'_>,
    args: &RolloutArgs,
    state: &Match,
    equity_table: &EquityTable,
) -> String {
    let names =
        rollout.plays.iter().cloned().chain(rollout.plays.is_empty().then(|| "before the roll".to_owned()));
    let mwc_title = (state.length > 0).then_some("MWC");
    let heading = ["", "equity"].into_iter().chain(mwc_title);
    let heading = heading.chain(["loses", "cubeless", "win", "gammon", "bg", "lost gammon", "bg"]);
    let mut rows = vec![heading.map(str::to_owned).collect::<Vec<_>>()];
    for ((at, name), (estimate, loss)) in names.enumerate().zip(rollout.estimates.iter().zip(&rollout.losses))
    {
        let loses = if at == 0 { "–".to_owned() } else { points(loss, false) };
        let mut row = vec![name, points(&estimate.equity, true)];
        row.extend(rollout.match_winning_probability(&estimate.equity).as_ref().map(percent));
        row.extend([loses, points(&estimate.cubeless, true)]);
        row.extend(estimate.probabilities.iter().map(percent));
        rows.push(row);
    }
    let end = match args.truncate {
        Some(turns) => format!("truncated after {}", text::count(turns.into(), "turn")),
        None => "to the end of the game".to_owned(),
    };
    let ratio = rollout.estimates.first().and_then(|estimate| estimate.variance_ratio);
    let adjustment = ratio.map_or(String::new(), |ratio| {
        format!("; luck adjustment divides the variance of the cubeless equity by {ratio:.1}")
    });
    let doubling = match &rollout.doubling {
        Some(Ok(RolloutDoubling { decided, errors })) => {
            let errors = [errors.no_double, errors.double_take, None];
            decision_text(decided, errors, state, "the trials", equity_table).full() + "\n\n"
        }
        Some(Err(error)) => format!("{error}\n\n"),
        None => String::new(),
    };
    // An exact or estimated decision does not use the trials, and its text states its method.
    let unit = match &rollout.doubling {
        Some(Ok(RolloutDoubling { decided, .. })) if decided.method != DoublingMethod::Rollout => {
            String::new()
        }
        _ => format!("{}. ", equity_unit(Some(state), "by the doubles, takes and passes of the trials")),
    };
    format!(
        "{}\n\n{doubling}{}, seed {}, {end}{adjustment}. ± is one standard error; probabilities in percent, cubeless. {unit}Cubeless: \
         equity in points of money play without a doubling cube.",
        text::table(&rows),
        text::count(rollout.trials as u64, "trial"),
        args.seed
    )
}

/// Returns the estimates as a JSON object.
fn json_of(rollout: &RolloutSummary<'_>, args: &RolloutArgs, input: &PositionInput) -> Value {
    let PositionInput { xgid, has_state } = input;
    let estimate = |at: usize| {
        let CandidateEstimate { equity, cubeless, probabilities, variance_ratio } = &rollout.estimates[at];
        let match_winning_probability = rollout.match_winning_probability(equity);
        json!({
            "play": rollout.plays.get(at),
            "equity": equity.mean,
            "equity_error": equity.error,
            "match_winning_probability": match_winning_probability.map(|estimate| estimate.mean),
            "match_winning_probability_error": match_winning_probability.and_then(|estimate| estimate.error),
            "cubeless_equity": cubeless.mean,
            "cubeless_equity_error": cubeless.error,
            "loss": rollout.losses[at].mean,
            "loss_error": rollout.losses[at].error,
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
        "trials": rollout.trials,
        "seed": args.seed,
        "truncation": args.truncate,
        "estimates": (0..rollout.estimates.len()).map(estimate).collect::<Vec<_>>(),
        "doubling": null,
    });
    match &rollout.doubling {
        Some(Ok(RolloutDoubling { decided, errors })) => {
            let DoublingErrors { no_double, double_take, doubling: difference } = errors;
            let mut doubling = doubling_json(decided, xgid.state.doubled, rollout.context);
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

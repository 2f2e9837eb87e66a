//! `vivarium rollout`: estimates of a backgammon position, or of the plays of a roll, by random games to the end.
//!
//! A trial plays the game with the network; its result, minus the luck of the rolls, estimates equity and probabilities
//! (Tesauro and Galperin 1996, "On-line Policy Improvement using Monte-Carlo Search",
//! <https://papers.nips.cc/paper/1302-on-line-policy-improvement-using-monte-carlo-search>). All random numbers are
//! functions of seed, trial and turn.

mod dice;
mod evaluator;
mod statistics;
mod trial;
mod trials;

use super::adviser::rank_plays;
use super::network::TrainedNetwork;
use super::position_input::PositionInput;
use super::roll::parse_roll;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::signals::{self, Signal};
use crate::text::{fixed, signed};
use crate::values::whole;
use crate::{machine, terminal, text};
use clap::Args;
use evaluator::{NetworkPositionEvaluator, PositionEvaluator, Probabilities};
use serde_json::{Value, json};
use statistics::{CandidateEstimate, Estimate, difference};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use trial::TrialResult;
use trials::{RolloutCandidate, TrialSettings};
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{Match, Outcome, Position, Roll, State, Xgid};
use vivarium_graph::Cpu;

/// Command-line arguments of `vivarium rollout`.
#[derive(Args, Debug)]
#[command(
    after_help = "A trial is a game in which both players make the plays that the network evaluates as best, without a search \
    and without a doubling cube. Luck adjustment subtracts the luck of every roll: the evaluation after its best play minus the \
    mean over all 21 rolls. The estimate stays unbiased and its variance falls. The first two rolls are stratified, so that \
    numbers of trials that are multiples of 36 or 1296 are best. All plays are compared with the same dice. Trials end in \
    bear-offs that are in the bear-off table.\n\
    ± is one standard error; it does not contain errors of the network's plays.\n\
    Equal seeds give equal results on any number of threads. Ctrl-C prints the results of the completed trials.\n\
    Example: vivarium rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 --trials 360 --truncate 7"
)]
pub struct RolloutArgs {
    /// Position: an XGID, or a position ID with an optional match ID, such as 4HPwATDgc/ABMA:cAkAAAAAAAAA
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Roll, such as 64, 6-4 or 6,4: compares its plays [default: the roll of the XGID or match ID, or the position before the roll]
    #[arg(long, value_name = "DICE", value_parser = parse_roll)]
    pub dice: Option<Roll>,
    /// Maximum number of plays: the best by the network without a search
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 4, value_parser = whole(1u32, 1_000))]
    pub plays: u32,
    /// Number of trials, 1 to 10000000
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 360, value_parser = whole(1u32, 10_000_000))]
    pub trials: u32,
    /// Turns after which a trial ends with the network's evaluation, 1 to 1000 [default: to the end of the game]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 1_000))]
    pub truncate: Option<u32>,
    /// Random seed of the dice
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Checkpoint file or run folder [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Number of worker threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
    /// Print one JSON object: estimates with standard errors
    #[arg(long)]
    pub json: bool,
}

/// Result of a rollout.
struct Rollout {
    /// Plays in the notation of the position, in the order of `estimates`; empty before the roll.
    plays: Vec<String>,
    /// Estimates, the best play first.
    estimates: Vec<CandidateEstimate>,
    /// Equity of the best play minus that of each play, in the order of `estimates`.
    losses: Vec<Estimate>,
    /// Number of completed trials.
    trials: usize,
}

/// Runs `vivarium rollout`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid position; [`CliError::Failed`] if the checkpoint is invalid;
/// [`CliError::Interrupted`] after a signal, when the results of the completed trials have been printed.
pub fn run(args: &RolloutArgs) -> Result<(), CliError> {
    let input = PositionInput::parse(&args.position, args.dice)?;
    let file = CheckpointFile::open(args.checkpoint.as_deref(), State::NAME)?;
    let network = TrainedNetwork::<State>::read(&file)?.network;
    let cpu = Cpu::new(args.threads.map_or_else(machine::cores, usize::from));
    let interrupt = Interrupt::listen();
    let evaluator = || NetworkPositionEvaluator::new(Arc::clone(&network));
    let Xgid { position, state: Match { roll, .. }, .. } = &input.xgid;
    let (plays, candidates) = candidates(position, *roll, args.plays, &mut evaluator());

    let bar = terminal::progress_bar(args.trials.into(), "{wide_bar} {pos}/{len} trials, {eta} left");
    let settings = TrialSettings { trials: args.trials, seed: args.seed, truncation: args.truncate };
    let results = trials::play(&cpu, &candidates, settings, &interrupt.stop, evaluator, || bar.inc(1));
    bar.finish_and_clear();
    let rollout = Rollout::new(plays, &results);
    if rollout.trials > 0 {
        terminal::print_line(&if args.json {
            rollout.json(args, &input).to_string()
        } else {
            format!("{}\n\n{}", input.header(), rollout.text(args))
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

/// Stop of a rollout by a termination signal. A second signal exits the program.
struct Interrupt {
    stop: Arc<AtomicBool>,
    signal: Arc<OnceLock<Signal>>,
}

impl Interrupt {
    /// Installs the handler of termination signals. If the installation fails, Ctrl-C exits the program as usual.
    fn listen() -> Self {
        let (stop, first) = (Arc::new(AtomicBool::new(false)), Arc::new(OnceLock::new()));
        let (stopped, stored) = (Arc::clone(&stop), Arc::clone(&first));
        let _ = signals::listen(move |signal| {
            if stored.set(signal).is_err() {
                std::process::exit(signal.exit_code().into());
            }
            stopped.store(true, Ordering::Relaxed);
        });
        Self { stop, signal: first }
    }
}

/// Returns the best plays of the roll by the evaluator, at most `most`, in notation and as candidates. Without a roll, the
/// only candidate is the position.
fn candidates(
    position: &Position,
    roll: Option<Roll>,
    most: u32,
    evaluator: &mut impl PositionEvaluator,
) -> (Vec<String>, Vec<RolloutCandidate>) {
    let Some(roll) = roll else {
        return (Vec::new(), vec![RolloutCandidate { position: *position, is_opponent: false }]);
    };
    let probabilities = |after: &Position| -> Result<Probabilities, Infallible> {
        let over = after.outcome().map(Outcome::probabilities);
        Ok(over.unwrap_or_else(|| evaluator.evaluate(&[*after])[0]))
    };
    let Ok(advice) = rank_plays(position, roll, EquityContext::CUBELESS_MONEY, probabilities);
    let best = advice.iter().take(most as usize);
    best.map(|advice| {
        let candidate = RolloutCandidate { position: advice.play.after.mirrored(), is_opponent: true };
        (advice.play.notation(position), candidate)
    })
    .unzip()
}

impl Rollout {
    /// Ranks the candidates by equity. `results` holds the results by candidate and trial.
    fn new(plays: Vec<String>, results: &[Vec<TrialResult>]) -> Self {
        let estimates: Vec<_> = results.iter().map(|trials| CandidateEstimate::of(trials)).collect();
        let mut order: Vec<usize> = (0..results.len()).collect();
        order.sort_by(|&a, &b| estimates[b].equity.mean.total_cmp(&estimates[a].equity.mean));
        let best = order.first().copied().unwrap_or_default();
        Self {
            plays: order.iter().filter_map(|&at| plays.get(at).cloned()).collect(),
            losses: order.iter().map(|&at| difference(&results[best], &results[at])).collect(),
            estimates: order.iter().map(|&at| estimates[at]).collect(),
            trials: results.first().map_or(0, Vec::len),
        }
    }

    /// Formats the estimates as a table, with a note on the trials.
    fn text(&self, args: &RolloutArgs) -> String {
        let names =
            self.plays.iter().cloned().chain(self.plays.is_empty().then(|| "before the roll".to_owned()));
        let heading = ["", "equity", "loses", "win", "gammon", "bg", "lost gammon", "bg"];
        let mut rows = vec![heading.map(str::to_owned).to_vec()];
        for ((at, name), (estimate, loss)) in names.enumerate().zip(self.estimates.iter().zip(&self.losses)) {
            let loses = if at == 0 { "–".to_owned() } else { points(loss, false) };
            let mut row = vec![name, points(&estimate.equity, true), loses];
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
        format!(
            "{}\n\n{}, seed {}, {end}{adjustment}. ± is one standard error; equity in points of cubeless money play, \
             probabilities in percent.",
            text::table(&rows),
            text::count(self.trials as u64, "trial"),
            args.seed
        )
    }

    fn json(&self, args: &RolloutArgs, input: &PositionInput) -> Value {
        let PositionInput { xgid, .. } = input;
        let estimate = |at: usize| {
            let CandidateEstimate { equity, probabilities, variance_ratio } = &self.estimates[at];
            json!({
                "play": self.plays.get(at),
                "equity": equity.mean,
                "equity_error": equity.error,
                "loss": self.losses[at].mean,
                "loss_error": self.losses[at].error,
                "probabilities": probabilities.map(|probability| probability.mean),
                "probability_errors": probabilities.map(|probability| probability.error),
                "variance_ratio": variance_ratio,
            })
        };
        json!({
            "experiment": "backgammon",
            "xgid": xgid.to_string(),
            "position_id": xgid.position.id(),
            "roll": xgid.state.roll.map(|roll| [roll.high(), roll.low()]),
            "trials": self.trials,
            "seed": args.seed,
            "truncation": args.truncate,
            "estimates": (0..self.estimates.len()).map(estimate).collect::<Vec<_>>(),
        })
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

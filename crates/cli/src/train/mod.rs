//! `vivarium train`: starts a run in a new folder, resumes a run, or starts a run for each of several seeds.

pub mod args;
mod completed_run;
mod ended;
mod evaluation;
mod given_text;
mod hugging_face;
mod interrupt;
mod journal;
mod json;
mod limits;
mod open;
mod progress;
mod schedule;
mod seed_list;
mod seeds;
mod session;
mod settings;
mod single_run;
mod summary;
#[cfg(test)]
mod tests;

use crate::error::CliError;
use crate::terminal::{self, Verbosity};
use args::TrainArgs;

/// Runs `vivarium train`.
///
/// # Errors
/// [`CliError::Usage`] for an invalid command line, before any file is written; [`CliError::Failed`] for later
/// errors; [`CliError::GoalNotReached`] if the run ended without reaching the goal of `--until`; [`CliError::Interrupted`]
/// after a signal. In the last two cases the run has been saved.
pub fn run(args: &TrainArgs) -> Result<(), CliError> {
    terminal::set_verbosity(if args.quiet { Verbosity::Quiet } else { Verbosity::Normal });
    interrupt::listen();
    let missed_goal = match &args.seeds {
        Some(seeds) => seeds::run(args, &seeds.0)?,
        None => single_run::run(&limits::with_limits_of_run(args), true, None)?.missed_goal,
    };
    match interrupt::stop_request() {
        // The signal arrived after the last step.
        Some(signal) => Err(CliError::Interrupted(signal)),
        None if missed_goal => Err(CliError::GoalNotReached),
        None => Ok(()),
    }
}

//! `vivarium runs`: lists, compares and deletes runs.

mod compare;
mod list;
mod remove;
pub mod settings;
pub mod stored_run;

use crate::error::CliError;
use clap::{Args, Subcommand};

/// Command-line arguments of `vivarium runs`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RunsArgs {
    #[command(subcommand)]
    command: Option<RunsCommand>,
    #[command(flatten)]
    list: list::ListArgs,
}

/// Subcommands of `vivarium runs`.
#[derive(Subcommand, Debug)]
enum RunsCommand {
    /// List runs by start: experiment, state, start, training time, steps, best evaluation and engine (default)
    List(list::ListArgs),
    /// Compare runs and studies of seeds: the settings that differ, and the metrics
    Compare(compare::CompareArgs),
    /// Delete runs and studies of seeds
    Delete(remove::DeleteArgs),
    /// Delete runs and studies without an evaluation, and with --keep all but the best of each experiment
    Prune(remove::PruneArgs),
}

/// Runs `vivarium runs`.
///
/// # Errors
/// [`CliError`] if a folder is not a run folder, or cannot be read or deleted.
pub fn run(args: &RunsArgs) -> Result<(), CliError> {
    match &args.command {
        None => list::run(&args.list),
        Some(RunsCommand::List(args)) => list::run(args),
        Some(RunsCommand::Compare(args)) => compare::run(args),
        Some(RunsCommand::Delete(args)) => remove::delete(args),
        Some(RunsCommand::Prune(args)) => remove::prune(args),
    }
}

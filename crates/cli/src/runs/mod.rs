//! `vivarium runs`: lists, compares and deletes runs.

mod compare;
mod list;
mod remove;
mod stored_run;

use crate::error::CliError;
use clap::{Args, Subcommand};
use std::path::PathBuf;

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
    /// List runs: experiment, seed, state, steps, time and evaluation (default)
    List(list::ListArgs),
    /// Compare runs: the settings that differ, and the newest metrics
    Compare(compare::CompareArgs),
    /// Delete runs
    Delete(remove::DeleteArgs),
    /// Delete runs without an evaluation, and with --keep all but the best runs of each experiment
    Prune(remove::PruneArgs),
}

/// Folder with the runs of `vivarium train`.
const DEFAULT_FOLDER: &str = "runs";

/// Returns the folder on the command line, or else [`DEFAULT_FOLDER`].
fn folder_or_default(given: Option<&PathBuf>) -> PathBuf {
    given.cloned().unwrap_or_else(|| DEFAULT_FOLDER.into())
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

/// Formats rows of cells as a table with aligned columns. The first row is the heading.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_are_aligned() {
        let rows = [["run", "seed"], ["runs/a", "1"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "run     seed\nruns/a  1");
        assert_eq!(table(&[]), "");
    }
}

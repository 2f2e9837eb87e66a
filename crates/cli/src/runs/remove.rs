//! `vivarium runs delete` and `vivarium runs prune`: deletion of runs.
//!
//! Without `--yes`, the commands print the runs that they would delete. Runs in progress and files of the user are not
//! deleted.

use super::stored_run::{StoredRun, folder_or_default, run_folders};
use crate::error::CliError;
use crate::run::RunFolder;
use crate::terminal;
use clap::Args;
use std::path::PathBuf;

/// Command-line arguments of `vivarium runs delete`.
#[derive(Args, Debug)]
pub struct DeleteArgs {
    /// Run folders
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Delete; without this option, the runs are only listed
    #[arg(long)]
    yes: bool,
}

/// Command-line arguments of `vivarium runs prune`.
#[derive(Args, Debug)]
pub struct PruneArgs {
    /// Folder with run folders [default: runs]
    dir: Option<PathBuf>,
    /// Keep only the N runs of each experiment with the best evaluation [default: all with an evaluation]
    #[arg(long, value_name = "N", value_parser = crate::values::whole(1u32, u32::MAX))]
    keep: Option<u32>,
    /// Delete; without this option, the runs are only listed
    #[arg(long)]
    yes: bool,
}

/// Deletes the runs on the command line.
///
/// # Errors
/// [`CliError`] if a folder has no run, a process trains in it, or a file cannot be deleted.
pub fn delete(args: &DeleteArgs) -> Result<(), CliError> {
    remove(&args.runs, args.yes)
}

/// Deletes the runs without an evaluation in a folder, and with `--keep` all but the best runs of each experiment. Runs in
/// progress are kept.
///
/// # Errors
/// [`CliError`] if the folder cannot be read or a run cannot be deleted.
pub fn prune(args: &PruneArgs) -> Result<(), CliError> {
    let paths = run_folders(&folder_or_default(args.dir.as_ref())?)?;
    let mut runs: Vec<StoredRun> = paths.iter().filter_map(|path| StoredRun::open(path).ok()).collect();
    runs.retain(|run| {
        !run.is_running && RunFolder::open(&run.path).is_ok_and(|(mut run, _)| run.lock().is_ok())
    });
    let rank = |run: &StoredRun| {
        let is_better = |other: &&StoredRun| {
            other.metadata.experiment == run.metadata.experiment
                && (other.best, &other.path) > (run.best, &run.path)
        };
        runs.iter().filter(is_better).count()
    };
    let is_kept =
        |run: &StoredRun| run.best.is_some() && args.keep.is_none_or(|keep| rank(run) < keep as usize);
    let pruned: Vec<_> = runs.iter().filter(|run| !is_kept(run)).map(|run| run.path.clone()).collect();
    if pruned.is_empty() {
        terminal::print_line("There are no runs to delete.");
        return Ok(());
    }
    remove(&pruned, args.yes)
}

/// Deletes the runs in the folders `paths` if `confirmed`; otherwise prints which runs would be deleted.
///
/// # Errors
/// [`CliError`] if a folder has no run, or a process trains in it; nothing is deleted then.
fn remove(paths: &[PathBuf], confirmed: bool) -> Result<(), CliError> {
    let mut folders = Vec::new();
    for path in paths {
        let (mut folder, _) = RunFolder::open(path)?;
        folder.lock()?;
        folders.push(folder);
    }
    for folder in folders {
        let path = folder.path().display().to_string();
        if !confirmed {
            terminal::print_line(&format!("Would delete {path}"));
        } else if folder.delete()? {
            terminal::print_if_open(&format!("Deleted {path}"));
        } else {
            terminal::print_if_open(&format!("Deleted the run in {path}; the folder has other files"));
        }
    }
    if !confirmed {
        terminal::print_message("Nothing was deleted; add --yes to delete.");
    }
    Ok(())
}

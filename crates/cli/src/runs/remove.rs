//! `vivarium runs delete` and `vivarium runs prune`: deletion of runs.
//!
//! Without `--yes`, the commands print the runs that they would delete. Runs in progress and files of the user are not
//! deleted.

use super::stored_run::{StoredRun, folder_or_default};
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::run::run_group::{RunGroup, groups};
use crate::run::{self, RunFolder};
use crate::{terminal, text};
use clap::Args;
use std::path::{Path, PathBuf};
use vivarium_lab::checkpoint;

/// Command-line arguments of `vivarium runs delete`.
#[derive(Args, Debug)]
pub struct DeleteArgs {
    /// Run folders, and folders of studies of seeds
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Delete; without this option, the runs are only listed
    #[arg(long)]
    yes: bool,
}

/// Command-line arguments of `vivarium runs prune`.
#[derive(Args, Debug)]
pub struct PruneArgs {
    /// Folder with run folders and studies of seeds; a study is kept or deleted as a whole [default: runs]
    dir: Option<PathBuf>,
    /// Keep only the N runs and studies of each experiment with the best evaluation; a study counts by the mean of its runs
    /// [default: all with an evaluation]
    #[arg(long, value_name = "N", value_parser = crate::values::whole(1u32, u32::MAX))]
    keep: Option<u32>,
    /// Also delete runs that were stopped before their first evaluation and can be resumed
    #[arg(long)]
    resumable: bool,
    /// Delete; without this option, the runs are only listed
    #[arg(long)]
    yes: bool,
}

/// Deletes the runs on the command line.
///
/// # Errors
/// [`CliError`] if a folder has no run, a process trains in it, or a file cannot be deleted.
pub fn delete(args: &DeleteArgs) -> Result<(), CliError> {
    let groups = args.runs.iter().map(|path| RunGroup::find(path)).collect::<Result<Vec<_>, _>>()?;
    remove(&groups, args.yes)
}

/// Deletes the runs without an evaluation in a folder, and with `--keep` all but the best runs of each experiment. Runs in
/// progress are kept, and without `--resumable` also runs that can be resumed before their first evaluation.
///
/// # Errors
/// [`CliError`] if the folder cannot be read or a run cannot be deleted.
pub fn prune(args: &PruneArgs) -> Result<(), CliError> {
    let mut candidates = Vec::new();
    for group in groups(&folder_or_default(args.dir.as_ref())?)? {
        // A group with an unreadable run is kept.
        let Ok(runs) = StoredRun::open_all(&group) else { continue };
        let is_free = |run: &StoredRun| {
            !run.is_running && RunFolder::open(&run.path).is_ok_and(|(mut run, _)| run.lock().is_ok())
        };
        if runs.iter().all(is_free) {
            candidates.push((group, runs));
        }
    }
    let pruned = pruned(&candidates, args.keep, |run| !args.resumable && is_resumable(&run.path));
    if pruned.is_empty() {
        terminal::print_line("There are no runs to delete.");
        return Ok(());
    }
    remove(&pruned, args.yes)
}

/// Returns the groups of `candidates` to delete: groups without an evaluation, unless `is_kept` holds for one of their runs, and
/// all but the `keep` best groups of each experiment.
fn pruned(
    candidates: &[(RunGroup, Vec<StoredRun>)],
    keep: Option<u32>,
    is_kept: impl Fn(&StoredRun) -> bool,
) -> Vec<RunGroup> {
    let experiment = |runs: &[StoredRun]| runs.first().map(|run| run.metadata.experiment.clone());
    let key = |(group, runs): &(RunGroup, Vec<StoredRun>)| (StoredRun::best_of(runs), group.path.clone());
    let rank = |one: &(RunGroup, Vec<StoredRun>)| {
        let is_better = |other: &&(RunGroup, Vec<StoredRun>)| {
            experiment(&other.1) == experiment(&one.1) && key(other) > key(one)
        };
        candidates.iter().filter(is_better).count()
    };
    let is_pruned = |one: &&(RunGroup, Vec<StoredRun>)| match StoredRun::best_of(&one.1) {
        Some(_) => keep.is_some_and(|keep| rank(one) >= keep as usize),
        None => !one.1.iter().any(&is_kept),
    };
    candidates.iter().filter(is_pruned).map(|(group, _)| group.clone()).collect()
}

/// Returns whether the latest checkpoint of the run has training steps, from which the run can be resumed.
fn is_resumable(path: &Path) -> bool {
    let latest = RunFolder::find(path).and_then(|folder| CheckpointFile::read(&folder.latest()));
    latest.is_ok_and(|file| checkpoint::read_header(file.bytes()).is_ok_and(|header| header.steps > 0))
}

/// Deletes the runs and studies `groups` if `confirmed`; otherwise prints which would be deleted.
///
/// # Errors
/// [`CliError`] if a process trains in a folder; nothing is deleted then.
fn remove(groups: &[RunGroup], confirmed: bool) -> Result<(), CliError> {
    let mut locked = Vec::new();
    for group in groups {
        let mut folders = Vec::new();
        for path in &group.runs {
            let mut folder = RunFolder::find(path)?;
            folder.lock()?;
            folders.push(folder);
        }
        locked.push((group, folders));
    }
    if !confirmed {
        terminal::print_line(&preview(groups));
        terminal::print_message("Nothing was deleted; add --yes to delete.");
        return Ok(());
    }
    for (group, folders) in locked {
        let mut is_deleted = true;
        for folder in folders {
            is_deleted &= folder.delete()?;
        }
        if group.is_study() {
            // The folder of a study may have other files.
            is_deleted &= std::fs::remove_dir(&group.path).is_ok();
        }
        let what = if group.is_study() { "study" } else { "run" };
        let path = group.path.display();
        terminal::print_if_open(&match is_deleted {
            true => format!("Deleted {path}"),
            false => format!("Deleted the {what} in {path}; the folder has other files"),
        });
    }
    Ok(())
}

/// Formats the runs and studies that would be deleted as a table: state, training steps, age and size.
fn preview(groups: &[RunGroup]) -> String {
    let heading = ["would delete", "state", "steps", "age", "size"].map(str::to_owned).to_vec();
    let row = |group: &RunGroup| {
        let runs: Vec<_> = group.runs.iter().map(|path| StoredRun::open(path).ok()).collect();
        let mut states: Vec<_> =
            runs.iter().map(|run| run.as_ref().map_or("damaged", |run| run.short_state)).collect();
        states.dedup();
        let count = if group.is_study() { format!("{} runs: ", runs.len()) } else { String::new() };
        let known = || runs.iter().flatten();
        let newest = known().map(|run| run.metadata.last_activity()).fold(f64::NEG_INFINITY, f64::max);
        let size: u64 = group.runs.iter().filter_map(|path| Some(RunFolder::find(path).ok()?.size())).sum();
        vec![
            group.path.display().to_string(),
            format!("{count}{}", states.join(", ")),
            text::whole(known().map(|run| run.steps).sum()),
            text::age(run::now() - newest),
            format!("{} MB", text::number(size as f64 / 1e6)),
        ]
    };
    text::table(&std::iter::once(heading).chain(groups.iter().map(row)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// Returns a group with runs of these scores; a score of `None` is a run without an evaluation.
    fn group(path: &str, scores: &[Option<f64>]) -> (RunGroup, Vec<StoredRun>) {
        let names: Vec<PathBuf> = match scores.len() {
            1 => vec![path.into()],
            count => (1..=count).map(|seed| Path::new(path).join(seed.to_string())).collect(),
        };
        let run = |(path, best): (&PathBuf, &Option<f64>)| StoredRun {
            best: *best,
            ..StoredRun::example(path, Value::Null)
        };
        let runs = names.iter().zip(scores).map(run).collect();
        (RunGroup { path: path.into(), runs: names }, runs)
    }

    #[test]
    fn a_study_is_pruned_as_a_whole_and_by_its_mean() {
        let groups = [
            group("lr-1", &[Some(1.0), Some(9.0), Some(2.0)]),
            group("lr-2", &[Some(5.0), Some(6.0)]),
            group("run", &[Some(4.5)]),
            group("begun", &[None]),
        ];
        let paths = |keep, is_kept: &dyn Fn(&StoredRun) -> bool| -> Vec<String> {
            let pruned = pruned(&groups, keep, is_kept);
            pruned.iter().map(|group| group.path.display().to_string()).collect()
        };
        assert_eq!(paths(None, &|_| false), ["begun"]);
        assert!(paths(None, &|_| true).is_empty());
        assert_eq!(paths(Some(1), &|_| true), ["lr-1", "run"]);
        assert_eq!(paths(Some(2), &|_| false), ["lr-1", "begun"]);
    }
}

//! `vivarium runs delete` and `vivarium runs prune`: deletion of runs.
//!
//! Without `--yes`, the commands print the runs that they would delete. Runs in progress and files of the user are not
//! deleted.

use super::stored_run::{StoredRun, check_readable, folder_or_default};
use crate::error::CliError;
use crate::monitor::resumption;
use crate::run::run_group::{RunGroup, groups};
use crate::run::{self, RunFolder};
use crate::{terminal, text};
use clap::Args;
use std::path::PathBuf;

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
#[command(
    after_help = "A run that cannot be read is reported and kept, with its study, and the exit code is 1; the other runs are deleted."
)]
pub struct PruneArgs {
    /// Folder in which run folders and studies of seeds are searched, with its subfolders; a study is kept or deleted as a whole [default: runs]
    dir: Option<PathBuf>,
    /// Keep only the N runs and studies of each experiment with the best evaluation, and interrupted runs that can be resumed after
    /// step 0; a study counts by the mean of its runs [default: all with an evaluation]
    #[arg(long, value_name = "N", value_parser = crate::values::whole(1u32, u32::MAX))]
    keep: Option<u32>,
    /// Also delete runs that can be resumed after step 0: interrupted runs, and runs without an evaluation
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
    remove(&groups, &[], args.yes)
}

/// Deletes the runs without an evaluation in a folder, and with `--keep` all but the best runs of each experiment. Runs in
/// progress are kept, and without `--resumable` also runs that can be resumed before their first evaluation or their end. Groups with an
/// unreadable run are kept and reported on standard error.
///
/// # Errors
/// [`CliError`] if the folder or a run cannot be read, or a run cannot be deleted.
pub fn prune(args: &PruneArgs) -> Result<(), CliError> {
    let folder = folder_or_default(args.dir.as_ref())?;
    let (mut candidates, mut count, mut unreadable) = (Vec::new(), 0, 0);
    for group in groups(&folder)? {
        let (mut runs, mut failures) = (Vec::new(), Vec::new());
        for run in group.runs.iter().map(|path| StoredRun::open(path)) {
            match run {
                Ok(run) => runs.push(run),
                Err(failure) => failures.push(failure),
            }
        }
        failures.iter().for_each(|failure| terminal::print_error(failure.message().unwrap_or_default()));
        (count, unreadable) = (count + group.runs.len(), unreadable + failures.len());
        if !failures.is_empty() {
            continue;
        }
        let is_free = |run: &StoredRun| {
            !run.is_running && RunFolder::find(&run.path).is_ok_and(|run| run.is_locked() != Some(true))
        };
        if runs.iter().all(is_free) {
            candidates.push((group, runs));
        }
    }
    let (pruned, reasons): (Vec<_>, Vec<_>) =
        pruned(&candidates, args.keep, |run| !args.resumable && run.is_resumable).into_iter().unzip();
    if pruned.is_empty() {
        terminal::print_line("There are no runs to delete.");
    } else {
        remove(&pruned, &reasons, args.yes)?;
    }
    check_readable(&folder, unreadable, count)
}

/// Returns the groups of `candidates` to delete, with the reason: groups without an evaluation, unless `is_kept` holds for one of
/// their runs, and all but the `keep` best groups of each experiment, unless it holds for an interrupted run.
fn pruned(
    candidates: &[(RunGroup, Vec<StoredRun>)],
    keep: Option<u32>,
    is_kept: impl Fn(&StoredRun) -> bool,
) -> Vec<(RunGroup, String)> {
    let experiment = |runs: &[StoredRun]| runs.first().map_or("", |run| &run.metadata.experiment).to_owned();
    let key = |(group, runs): &(RunGroup, Vec<StoredRun>)| (StoredRun::best_of(runs), group.path.clone());
    let rank = |one: &(RunGroup, Vec<StoredRun>)| {
        let is_better = |other: &&(RunGroup, Vec<StoredRun>)| {
            experiment(&other.1) == experiment(&one.1) && key(other) > key(one)
        };
        candidates.iter().filter(is_better).count()
    };
    let reason = |one: &(RunGroup, Vec<StoredRun>)| match StoredRun::best_of(&one.1) {
        Some(_) => {
            let is_protected = one.1.iter().any(|run| run.is_interrupted && is_kept(run));
            let keep = keep.filter(|keep| rank(one) >= *keep as usize && !is_protected)?;
            Some(format!("not among the best {keep} of {}", experiment(&one.1)))
        }
        None if one.1.iter().any(&is_kept) => None,
        None => Some(format!("no evaluation, {}", resumption(one.1.iter().any(|run| run.is_resumable)))),
    };
    candidates.iter().filter_map(|one| Some((one.0.clone(), reason(one)?))).collect()
}

/// Deletes the runs and studies `groups` if `confirmed`; otherwise prints which would be deleted, with `reasons` unless they are
/// empty.
///
/// # Errors
/// [`CliError`] if a process trains in a folder; nothing is deleted then.
fn remove(groups: &[RunGroup], reasons: &[String], confirmed: bool) -> Result<(), CliError> {
    // The states of the runs are those without the locks of this process.
    let preview = (!confirmed).then(|| preview(groups, reasons));
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
    if let Some(preview) = preview {
        terminal::print_line(&preview);
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

/// Formats the runs and studies that would be deleted as a table: state, training steps, age, size, and reason unless `reasons` is
/// empty.
fn preview(groups: &[RunGroup], reasons: &[String]) -> String {
    let mut heading = ["would delete", "state", "steps", "age", "size"].map(str::to_owned).to_vec();
    heading.extend((!reasons.is_empty()).then(|| "reason".to_owned()));
    let row = |(index, group): (usize, &RunGroup)| {
        let runs: Vec<_> = group.runs.iter().map(|path| StoredRun::open(path).ok()).collect();
        let state = |run: &Option<StoredRun>| run.as_ref().map_or("damaged".into(), StoredRun::table_state);
        let mut states: Vec<_> = runs.iter().map(state).collect();
        states.dedup();
        let count = if group.is_study() { format!("{} runs: ", runs.len()) } else { String::new() };
        let known = || runs.iter().flatten();
        let newest = known().map(|run| run.metadata.last_activity()).fold(f64::NEG_INFINITY, f64::max);
        let size: u64 = group.runs.iter().filter_map(|path| Some(RunFolder::find(path).ok()?.size())).sum();
        let mut cells = vec![
            group.path.display().to_string(),
            format!("{count}{}", states.join(", ")),
            text::whole(known().map(|run| run.steps).sum()),
            text::age(run::now() - newest),
            format!("{} MB", text::number(size as f64 / 1e6)),
        ];
        cells.extend(reasons.get(index).cloned());
        cells
    };
    text::table(&std::iter::once(heading).chain(groups.iter().enumerate().map(row)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::path::Path;

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
            pruned.iter().map(|(group, _)| group.path.display().to_string()).collect()
        };
        assert_eq!(paths(None, &|_| false), ["begun"]);
        assert!(paths(None, &|_| true).is_empty());
        assert_eq!(paths(Some(1), &|_| true), ["lr-1", "run"]);
        assert_eq!(paths(Some(2), &|_| false), ["lr-1", "begun"]);
        let reasons: Vec<_> =
            pruned(&groups, Some(2), |_| false).into_iter().map(|(_, reason)| reason).collect();
        assert_eq!(reasons, ["not among the best 2 of cartpole", "no evaluation, can be resumed"]);
    }

    #[test]
    fn an_interrupted_run_is_kept_beside_better_runs() {
        let mut groups =
            [group("better", &[Some(2.0)]), group("stopped", &[Some(1.0)]), group("worse", &[Some(0.5)])];
        groups[1].1[0].is_interrupted = true;
        let paths = |is_kept: &dyn Fn(&StoredRun) -> bool| -> Vec<String> {
            let pruned = pruned(&groups, Some(1), is_kept);
            pruned.iter().map(|(group, _)| group.path.display().to_string()).collect()
        };
        assert_eq!(paths(&|run| run.is_resumable), ["worse"]);
        assert_eq!(paths(&|_| false), ["stopped", "worse"]);
    }
}

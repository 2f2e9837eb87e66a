//! Columns of a comparison: runs, and studies of seeds.

use crate::error::CliError;
use crate::run::RunFolder;
use crate::run::run_group::{self, RunGroup};
use crate::runs::stored_run::{RunResults, StoredRun};
use std::path::{Path, PathBuf};
use vivarium_lab::goal::Goal;

/// Column of a comparison: a run, or the runs of a study.
pub struct ComparedGroup {
    pub group: RunGroup,
    pub runs: Vec<GroupedRun>,
}

/// A compared run.
pub struct GroupedRun {
    pub run: StoredRun,
    /// Results at the end of the run, or at the step of the comparison.
    pub results: RunResults,
    /// Number of steps and training time in seconds when the run reached the threshold; `None` if the run has not reached it,
    /// or without a threshold.
    pub reached: Option<(u64, f64)>,
}

impl ComparedGroup {
    /// Reads the runs of a group.
    ///
    /// # Errors
    /// [`CliError`] if a run cannot be read.
    pub fn open(group: RunGroup) -> Result<Self, CliError> {
        let open = |run: StoredRun| Ok(GroupedRun { results: run.results(None)?, run, reached: None });
        let runs = StoredRun::open_all(&group)?.into_iter().map(open).collect::<Result<_, CliError>>()?;
        Ok(Self { group, runs })
    }

    /// Replaces the results of the runs by the results at the step `at`. A threshold that was reached later is not reached.
    ///
    /// # Errors
    /// [`CliError::Usage`] if a run has fewer steps, or had another task at this step; [`CliError::Failed`] if its metrics cannot
    /// be read.
    pub fn restrict(&mut self, at: u64) -> Result<(), CliError> {
        for GroupedRun { run, results, reached } in &mut self.runs {
            if run.steps < at {
                return Err(CliError::usage(format!(
                    "{0}: the run has only {1} steps, and --at is {at}; use at most {1}, or --at common",
                    run.path.display(),
                    run.steps
                )));
            }
            if let Some(steps) = run.task_changed_at.filter(|steps| at <= *steps) {
                return Err(CliError::usage(format!(
                    "{}: the task of the run was changed after {steps} steps (train --resume --set), and --at is {at}; {}",
                    run.path.display(),
                    if run.steps > steps {
                        format!("use more than {steps} steps, or compare the other runs")
                    } else {
                        "train longer, or compare the other runs".to_owned()
                    }
                )));
            }
            *results = run.results(Some(at))?;
            *reached = reached.filter(|(steps, _)| *steps <= at);
        }
        Ok(())
    }

    /// Determines when each run reached the threshold `goal`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the metrics of a run cannot be read.
    pub fn find_threshold(&mut self, goal: &Goal) -> Result<(), CliError> {
        for GroupedRun { run, reached, .. } in &mut self.runs {
            *reached = run.first_reached(goal)?;
        }
        Ok(())
    }

    /// Returns a number of each run that has it. Numbers that are not finite count as missing.
    pub fn numbers(&self, number: impl Fn(&GroupedRun) -> Option<f64>) -> Vec<f64> {
        self.runs.iter().filter_map(number).filter(|number| number.is_finite()).collect()
    }

    /// Returns the value of a metric in each run that has it.
    pub fn metric(&self, name: &str) -> Vec<f64> {
        self.numbers(|run| run.results.metric(name))
    }

    /// Returns a number of each run by its name: `best`, `steps`, `elapsed` or a metric.
    pub fn named(&self, name: &str) -> Vec<f64> {
        self.numbers(|GroupedRun { results, .. }| match name {
            "best" => results.best,
            // Before the first row of metrics, the numbers are unknown.
            "steps" => Some(results.steps as f64).filter(|_| results.steps > 0),
            "evaluated" => results.evaluated.map(|steps| steps as f64),
            "elapsed" => Some(results.elapsed).filter(|_| results.steps > 0),
            metric => results.metric(metric),
        })
    }

    /// Returns the path of the group relative to `folder`.
    pub fn name(&self, folder: &Path) -> String {
        let path = &self.group.path;
        path.strip_prefix(folder).unwrap_or(path).display().to_string()
    }
}

/// Returns the runs and studies in the folders of the command line. A folder that is neither stands for the runs and studies in it;
/// a study that is the only folder, for its runs.
///
/// # Errors
/// [`CliError`] if a folder has no run, or if there is only one run.
pub fn compared_groups(paths: &[PathBuf]) -> Result<Vec<RunGroup>, CliError> {
    let [folder] = paths else {
        let groups: Vec<_> = paths.iter().map(|path| run_group::find_all(path)).collect::<Result<_, _>>()?;
        return Ok(groups.concat());
    };
    if !folder.exists() {
        return Err(CliError::file("read the folder", folder, "it does not exist"));
    }
    let groups = if RunFolder::is_run(folder) { Vec::new() } else { run_group::groups(folder)? };
    let groups = match &groups[..] {
        [study] => study.runs.iter().cloned().map(RunGroup::single).collect(),
        _ => groups,
    };
    if groups.len() < 2 {
        return Err(CliError::usage(format!(
            "{}: a comparison needs two runs; name another run or study, or a folder with several",
            folder.display()
        )));
    }
    Ok(groups)
}

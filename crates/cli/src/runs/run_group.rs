//! Units of `vivarium runs`: a single run, or a study of seeds (`vivarium train --seeds`).

use super::stored_run::{StoredRun, run_folders, subfolders};
use crate::error::CliError;
use crate::run::RunFolder;
use crate::seed_mean::SeedMean;
use std::path::{Path, PathBuf};

/// A run, or a study of seeds: a folder whose run folders have the names of their seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct RunGroup {
    /// Run folder, or folder of the study.
    pub path: PathBuf,
    /// Run folders: `path` itself, or the runs of the study.
    pub runs: Vec<PathBuf>,
}

impl RunGroup {
    /// Returns the run or study in the folder `path`, without reading the runs.
    ///
    /// # Errors
    /// [`CliError`] if the folder has neither.
    pub fn find(path: &Path) -> Result<Self, CliError> {
        match RunFolder::find(path) {
            Ok(_) => Ok(Self::single(path.to_owned())),
            Err(failure) => Self::study(path).ok_or(failure),
        }
    }

    /// Returns the run in the folder `path`.
    pub fn single(path: PathBuf) -> Self {
        Self { runs: vec![path.clone()], path }
    }

    /// Returns the study in the folder `path`; `None` if it has no runs, or runs that are not named by their seeds.
    fn study(path: &Path) -> Option<Self> {
        let runs = run_folders(path).ok()?;
        let is_named_by_seed =
            |run: &PathBuf| run.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok()).is_some();
        (!runs.is_empty() && runs.iter().all(is_named_by_seed)).then(|| Self { path: path.to_owned(), runs })
    }

    /// Returns whether the group is a study.
    pub fn is_study(&self) -> bool {
        self.runs.first() != Some(&self.path)
    }

    /// Reads the runs.
    ///
    /// # Errors
    /// [`CliError`] if a run cannot be read.
    pub fn open(&self) -> Result<Vec<StoredRun>, CliError> {
        self.runs.iter().map(|path| StoredRun::open(path)).collect()
    }

    /// Returns the mean of the best scores of `runs`; `None` if no run has been evaluated.
    pub fn best(runs: &[StoredRun]) -> Option<f64> {
        let scores: Vec<_> = runs.iter().filter_map(|run| run.best).collect();
        SeedMean::of(&scores).map(|score| score.mean)
    }
}

/// Returns the run or study in the folder `path`, or else the runs and studies that the folder contains.
///
/// # Errors
/// [`CliError`] if the folder has none, or cannot be read.
pub fn find_all(path: &Path) -> Result<Vec<RunGroup>, CliError> {
    match RunGroup::find(path) {
        Ok(group) => Ok(vec![group]),
        Err(failure) => Some(groups(path)?).filter(|groups| !groups.is_empty()).ok_or(failure),
    }
}

/// Returns the runs and studies in `folder` and in its subfolders. If `folder` is a study, returns the study.
///
/// # Errors
/// [`CliError::Failed`] if the folder exists but cannot be read.
pub fn groups(folder: &Path) -> Result<Vec<RunGroup>, CliError> {
    if let Some(study) = RunGroup::study(folder) {
        return Ok(vec![study]);
    }
    let mut groups: Vec<_> = run_folders(folder)?.into_iter().map(RunGroup::single).collect();
    for subfolder in subfolders(folder) {
        match RunGroup::study(&subfolder) {
            Some(study) => groups.push(study),
            // A subfolder that cannot be read has no runs.
            None => {
                groups.extend(run_folders(&subfolder).unwrap_or_default().into_iter().map(RunGroup::single))
            }
        }
    }
    Ok(groups)
}

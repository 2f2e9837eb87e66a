//! Runs and studies in folders: a single run, or a study of seeds (`vivarium train --seeds`).

use super::folder::RunFolder;
use crate::error::CliError;
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

/// Returns the paths of the run folders in `folder`, sorted by name. A missing folder has no runs.
///
/// # Errors
/// [`CliError::Failed`] if the folder exists but cannot be read.
fn run_folders(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries =
        std::fs::read_dir(folder).map_err(|error| CliError::file("read the folder", folder, error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<_> = paths.filter(|path| RunFolder::is_run(path)).collect();
    paths.sort_by_key(|path| natural_key(&path.to_string_lossy()));
    Ok(paths)
}

/// Returns the paths of the run folders in `folder`, as [`run_folders`], and in its subfolders, such as studies of seeds.
///
/// # Errors
/// [`CliError::Failed`] if the folder exists but cannot be read.
pub fn run_folders_of_studies(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut paths = run_folders(folder)?;
    // A subfolder that cannot be read has no runs.
    paths.extend(subfolders(folder).into_iter().flat_map(|path| run_folders(&path).unwrap_or_default()));
    Ok(paths)
}

/// Returns the subfolders of `folder`, sorted by name; empty if the folder cannot be read.
fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    paths.sort_by_key(|path| natural_key(&path.to_string_lossy()));
    paths
}

/// Splits a name into words and numbers, so that `run-2` precedes `run-10`.
fn natural_key(name: &str) -> Vec<(String, u64)> {
    let mut key = vec![(String::new(), 0u64)];
    let mut was_digit = false;
    for c in name.chars() {
        let digit = c.to_digit(10).map(u64::from);
        if was_digit && digit.is_none() {
            key.push((String::new(), 0));
        }
        was_digit = digit.is_some();
        if let Some(part) = key.last_mut() {
            match digit {
                Some(digit) => part.1 = part.1.saturating_mul(10).saturating_add(digit),
                None => part.0.push(c),
            }
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_sorted_by_value() {
        let mut names = ["cube2-1-1", "cartpole-10-1", "cartpole-2-1", "cartpole-2-11", "cartpole-2-2"];
        names.sort_by_key(|name| natural_key(name));
        assert_eq!(names, ["cartpole-2-1", "cartpole-2-2", "cartpole-2-11", "cartpole-10-1", "cube2-1-1"]);
    }
}

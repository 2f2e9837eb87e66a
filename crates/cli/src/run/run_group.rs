//! Runs and studies in folders: a single run, or a study of seeds (`vivarium train --seeds`).

use super::folder::RunFolder;
use crate::error::CliError;
use crate::terminal;
use std::collections::{HashSet, VecDeque};
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
        Self::of_seeds(path, &run_folders(path).ok()?)
    }

    /// Returns the study in the folder `path` with the run folders `runs`; `None` if there are none, or if they are not named by
    /// their seeds.
    fn of_seeds(path: &Path, runs: &[PathBuf]) -> Option<Self> {
        let is_named_by_seed =
            |run: &PathBuf| run.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok()).is_some();
        let is_study = !runs.is_empty() && runs.iter().all(is_named_by_seed);
        is_study.then(|| Self { path: path.to_owned(), runs: runs.to_owned() })
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

/// Maximum number of folders in which runs are searched.
const MAX_FOLDERS: usize = 10_000;

/// Names of folders in which runs are not searched, besides hidden folders: build outputs and packages.
const SKIPPED_FOLDERS: [&str; 2] = ["target", "node_modules"];

/// Returns the runs and studies in `folder` and in all folders below it, except hidden folders, [`SKIPPED_FOLDERS`] and run
/// folders. If `folder` is a study, the study is the first group. A missing folder has no runs. Reports on standard error that the
/// search has stopped after [`MAX_FOLDERS`] folders.
///
/// # Errors
/// [`CliError::Failed`] if the folder exists but cannot be read.
pub fn groups(folder: &Path) -> Result<Vec<RunGroup>, CliError> {
    let (groups, is_complete) = search(folder, MAX_FOLDERS)?;
    if !is_complete {
        terminal::print_report(&format!(
            "{}: the search for runs stopped after {MAX_FOLDERS} folders (limit); specify a subfolder",
            folder.display()
        ));
    }
    Ok(groups)
}

/// Returns the runs and studies as [`groups`], and whether the search has visited all folders: at most `limit` are read. The search
/// is breadth-first. Symbolic links come last, so that runs have the paths without links, and each folder is read once.
///
/// # Errors
/// [`CliError::Failed`] if `folder` exists but cannot be read.
fn search(folder: &Path, limit: usize) -> Result<(Vec<RunGroup>, bool), CliError> {
    let mut groups = Vec::new();
    let (mut folders, mut links) = (VecDeque::from([folder.to_owned()]), VecDeque::new());
    let mut visited = HashSet::new();
    while let Some(path) = folders.pop_front().or_else(|| links.pop_front()) {
        let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
        if visited.contains(&identity) {
            continue;
        }
        if visited.len() == limit {
            return Ok((groups, false));
        }
        visited.insert(identity);
        let entries = match entries(&path) {
            Ok(entries) => entries,
            Err(failure) if path == folder => return Err(failure),
            // A subfolder that cannot be read has no runs.
            Err(_) => continue,
        };
        let (runs, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| RunFolder::is_run(path));
        match RunGroup::of_seeds(&path, &runs) {
            Some(study) => groups.push(study),
            None => groups.extend(runs.into_iter().map(RunGroup::single)),
        }
        for path in others.into_iter().filter(|path| path.is_dir() && !is_skipped(path)) {
            if path.is_symlink() { links.push_back(path) } else { folders.push_back(path) }
        }
    }
    Ok((groups, true))
}

/// Returns whether runs are not searched in the folder `path`, which is hidden or one of [`SKIPPED_FOLDERS`].
fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || SKIPPED_FOLDERS.contains(&name.as_ref())
}

/// Returns the paths of the run folders in `folder`, sorted by name. A missing folder has no runs.
///
/// # Errors
/// [`CliError::Failed`] if the folder exists but cannot be read.
fn run_folders(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    Ok(entries(folder)?.into_iter().filter(|path| RunFolder::is_run(path)).collect())
}

/// Returns the paths of the files and folders in `folder`, sorted by name. A missing folder has none.
///
/// # Errors
/// [`CliError::Failed`] if the folder exists but cannot be read.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries =
        std::fs::read_dir(folder).map_err(|error| CliError::file("read the folder", folder, error))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_by_key(|path| natural_key(&path.to_string_lossy()));
    Ok(paths)
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
    use crate::test_folder::TestFolder;

    #[test]
    fn runs_are_searched_in_all_folders_except_skipped_ones() {
        let folder = TestFolder::new("nested-runs");
        let runs = [
            "a",
            "dp/x/y/r1",
            "sw/base/1",
            "sw/base/2",
            "sw/base/deep/3",
            "a/inner",
            ".git/r",
            "target/r",
            "sw/node_modules/r",
        ];
        for run in runs {
            let path = folder.path().join(run);
            std::fs::create_dir_all(&path).unwrap();
            std::fs::write(path.join("run.json"), "{}").unwrap();
        }
        #[cfg(unix)]
        for (target, link) in [(folder.path(), "again"), (&folder.path().join("sw"), "also")] {
            std::os::unix::fs::symlink(target, folder.path().join(link)).unwrap();
        }
        let name = |path: &Path| path.strip_prefix(folder.path()).unwrap().display().to_string();
        let (groups, is_complete) = search(folder.path(), 100).unwrap();
        let found: Vec<_> = groups.iter().map(|group| (name(&group.path), group.runs.len())).collect();
        let expected = [("a", 1), ("sw/base", 2), ("dp/x/y/r1", 1), ("sw/base/deep", 1)];
        assert_eq!(found, expected.map(|(path, runs)| (path.to_owned(), runs)));
        assert!(is_complete);
        // The folder itself, dp and sw.
        let (groups, is_complete) = search(folder.path(), 3).unwrap();
        assert_eq!((groups.len(), is_complete), (1, false));
    }

    #[test]
    fn numbers_in_names_are_sorted_by_value() {
        let mut names = ["cube2-1-1", "cartpole-10-1", "cartpole-2-1", "cartpole-2-11", "cartpole-2-2"];
        names.sort_by_key(|name| natural_key(name));
        assert_eq!(names, ["cartpole-2-1", "cartpole-2-2", "cartpole-2-11", "cartpole-10-1", "cube2-1-1"]);
    }
}

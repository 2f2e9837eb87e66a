//! Runs of `vivarium monitor`: the run that the panels describe, and the runs whose curves are drawn beside its curves.

use super::compared_run::ComparedRun;
use super::run_monitor::RunMonitor;
use crate::error::CliError;
use crate::run::RunFolder;
use crate::run::run_group::RunGroup;
use std::path::{Path, PathBuf};

/// Runs in the folders of the command line. A study of seeds stands for its runs.
pub struct MonitoredRuns {
    /// Folders of the command line, the monitored one first: runs and studies.
    folders: Vec<PathBuf>,
    /// Runs; the panels describe the first run.
    runs: Vec<ComparedRun>,
}

impl MonitoredRuns {
    /// Opens the runs in the folder `dir` and in the folders `against`, in this order.
    ///
    /// # Errors
    /// [`CliError`] if a folder has neither a run nor a study, or a run cannot be read.
    pub fn open(dir: &Path, against: &[PathBuf]) -> Result<Self, CliError> {
        let folders: Vec<_> = std::iter::once(dir.to_owned()).chain(against.iter().cloned()).collect();
        let mut runs: Vec<ComparedRun> = Vec::new();
        for folder in &folders {
            for path in RunGroup::find(folder)?.runs {
                if runs.iter().all(|run| run.monitor.path() != path) {
                    runs.push(open(&path)?);
                }
            }
        }
        Ok(Self { folders, runs })
    }

    /// Returns the runs; the panels describe the first run.
    pub fn runs(&self) -> &[ComparedRun] {
        &self.runs
    }

    /// Returns whether the monitored folder is a study.
    pub fn is_study(&self) -> bool {
        !RunFolder::is_run(&self.folders[0])
    }

    /// Reads the new data of all runs. If the first run is not in progress, but another run of the same study, the other run
    /// becomes the first.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be read.
    pub fn poll(&mut self) -> Result<(), CliError> {
        self.runs.iter_mut().try_for_each(|run| run.monitor.poll())?;
        // A run without curves would hide the curves of the others.
        let is_in_progress = |run: &ComparedRun| run.monitor.is_running() && !run.monitor.curves.is_empty();
        if !self.runs[0].monitor.is_running()
            && let Some(index) =
                self.runs.iter().position(|run| self.is_monitored(run) && is_in_progress(run))
        {
            self.runs.swap(0, index);
        }
        Ok(())
    }

    /// Adds the runs that have started in the folders of studies. A run that cannot be read yet is added later.
    pub fn add_new_runs(&mut self) {
        let groups = self.folders.iter().filter_map(|folder| RunGroup::find(folder).ok());
        for path in groups.flat_map(|group| group.runs) {
            if self.runs.iter().all(|run| run.monitor.path() != path) {
                self.runs.extend(open(&path));
            }
        }
    }

    /// Returns whether the run belongs to the monitored folder.
    fn is_monitored(&self, run: &ComparedRun) -> bool {
        let path = run.monitor.path();
        path == self.folders[0] || path.parent() == Some(&self.folders[0])
    }
}

/// Opens the run in the folder `path`.
fn open(path: &Path) -> Result<ComparedRun, CliError> {
    let (folder, metadata) = RunFolder::open(path)?;
    Ok(ComparedRun { name: path.display().to_string(), monitor: RunMonitor::new(folder, metadata)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use crate::run::monitor_file::{MonitorStatus, MonitorWriter, RunState};
    use crate::test_folder::TestFolder;
    use vivarium_lab::recorded_row::RecordedRow;

    /// Creates a run with a metric row in the subfolder `name` of `folder`. The lock of the folder shows that a process trains the run.
    fn run(folder: &TestFolder, name: &str, state: RunState) -> RunFolder {
        let path = folder.path().join(name);
        let run = RunFolder::create(Some(&path), &example_metadata(), &serde_json::json!({})).unwrap();
        let row = RecordedRow { steps: 8, values: vec![("entropy".into(), 0.5)], ..RecordedRow::default() };
        std::fs::write(run.metrics(), row.to_line()).unwrap();
        set_state(&path, state);
        run
    }

    fn set_state(path: &Path, state: RunState) {
        // A heartbeat in the future never expires.
        let status = MonitorStatus { state, heartbeat: 1e18, ..MonitorStatus::default() };
        MonitorWriter::new(path).write(&status, "").unwrap();
    }

    fn names(monitored: &MonitoredRuns) -> Vec<String> {
        let name = |run: &ComparedRun| Path::new(&run.name).file_name().unwrap().to_string_lossy().into();
        monitored.runs().iter().map(name).collect()
    }

    #[test]
    fn a_study_stands_for_its_runs_and_the_run_in_progress_is_the_first() {
        let folder = TestFolder::new("monitored-study");
        let study = folder.path().join("study");
        let first = run(&folder, "study/1", RunState::Running);
        let other = run(&folder, "other", RunState::Running);
        let others = [first.path(), other.path()].map(Path::to_owned);
        let mut monitored = MonitoredRuns::open(&study, &others).unwrap();
        monitored.poll().unwrap();
        assert_eq!(names(&monitored), ["1", "other"], "each run once");

        set_state(first.path(), RunState::Steps);
        monitored.poll().unwrap();
        assert_eq!(names(&monitored), ["1", "other"], "a run of another folder does not replace the first");
        let _second = run(&folder, "study/2", RunState::Running);
        monitored.add_new_runs();
        monitored.add_new_runs();
        monitored.poll().unwrap();
        assert_eq!(names(&monitored), ["2", "other", "1"]);
    }
}

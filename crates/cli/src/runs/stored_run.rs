//! A run in a folder: metadata, current config, state, best score and newest metrics.

use crate::error::CliError;
use crate::monitor::RunMonitor;
use crate::run::rows::RowTail;
use crate::run::{BestCheckpoint, RunFolder};
use crate::text;
use serde_json::Value;
use std::path::{Path, PathBuf};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::run_metadata::RunMetadata;
use vivarium_lab::spelling;

/// Newest value of each metric and measure of a run, by name.
pub type NewestMetrics = Vec<(String, f64)>;

/// A run in a folder.
pub struct StoredRun {
    pub path: PathBuf,
    pub metadata: RunMetadata,
    /// Config of the latest session; `null` if `config.json` cannot be read.
    pub config: Value,
    /// State of the run as text, such as "training".
    pub state: String,
    /// State of the run as one or two words, such as "running".
    pub short_state: &'static str,
    /// Whether a process trains the run.
    pub is_running: bool,
    /// Number of training steps.
    pub steps: u64,
    /// Training time of all sessions in seconds.
    pub elapsed: f64,
    /// Score of the best checkpoint; `None` without an evaluation.
    pub best: Option<f64>,
    /// Name of the score, such as `return`; `None` if this version does not have the experiment.
    pub score: Option<&'static str>,
    /// Unit of the score; empty without a unit or without the experiment.
    pub unit: &'static str,
    /// Whether the score is a share from 0 to 1.
    pub is_share: bool,
    /// Training steps of the numbered checkpoints, in ascending order.
    pub checkpoints: Vec<u64>,
}

impl StoredRun {
    /// Reads the run in the folder `path`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the folder has no run or cannot be read.
    pub fn open(path: &Path) -> Result<Self, CliError> {
        let (folder, metadata) = RunFolder::open(path)?;
        let config = folder.current_config(&metadata).unwrap_or(Value::Null);
        let measures = vivarium_exhibits::measures(&metadata.experiment).ok();
        let score = measures.map(|measures| measures.score());
        let best = match folder.best_quality()? {
            BestCheckpoint::None => None,
            BestCheckpoint::Quality(score) => Some(score),
            BestCheckpoint::Unknown => {
                let mut highest = None;
                read_rows(&folder, |row| {
                    let value = score.and_then(|score| row.get(score.name)).filter(|value| !value.is_nan());
                    highest = highest.into_iter().chain(value).reduce(f64::max);
                })?;
                highest
            }
        };
        let checkpoints = folder.numbered();
        let monitor = RunMonitor::new(folder, metadata.clone())?;
        Ok(Self {
            path: path.to_owned(),
            metadata,
            config,
            state: monitor.state(),
            short_state: monitor.short_state(),
            is_running: monitor.is_running(),
            steps: monitor.status.steps,
            elapsed: monitor.status.elapsed,
            best,
            score: score.map(|score| score.measure),
            unit: score.map_or("", |score| score.unit),
            is_share: score.is_some_and(|score| score.range == MetricRange::SHARE),
            checkpoints,
        })
    }

    /// Returns a run of CartPole with the config `config` and without an evaluation, for tests.
    #[cfg(test)]
    pub fn example(path: &Path, config: Value) -> Self {
        Self {
            path: path.to_owned(),
            metadata: crate::run::example_metadata(),
            config,
            state: String::new(),
            short_state: "finished",
            is_running: false,
            steps: 512,
            elapsed: 1.0,
            best: None,
            score: Some("return"),
            unit: "",
            is_share: false,
            checkpoints: Vec::new(),
        }
    }

    /// Formats the score of the best checkpoint, such as "return 475"; "–" without an evaluation.
    pub fn best_score(&self) -> String {
        let number = |best| format!("{} {}", self.score.unwrap_or("score"), text::number(best));
        self.best.map_or("–".into(), number)
    }

    /// Formats the score of the best checkpoint with its unit, such as "return 475", "solved 97.5 %" or "likelihood -1.2
    /// nats/token"; "–" without an evaluation.
    pub fn best_score_with_unit(&self) -> String {
        let Some(best) = self.best else { return "–".to_owned() };
        if self.is_share {
            return format!("{} {}", self.score.unwrap_or("score"), text::share(best));
        }
        // Other units are descriptions, such as "mean over greedy episodes".
        let unit = self.unit.split_whitespace().next().filter(|unit| unit.contains('/'));
        let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
        format!("{}{unit}", self.best_score())
    }

    /// Reads the newest value of each metric and measure, in the order of their first row.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the metrics cannot be read.
    pub fn newest_metrics(&self) -> Result<NewestMetrics, CliError> {
        let mut newest = NewestMetrics::new();
        read_rows(&RunFolder::open(&self.path)?.0, |row| {
            for (name, value) in row.values {
                match newest.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, newest)) => *newest = value,
                    None => newest.push((name, value)),
                }
            }
        })?;
        Ok(newest)
    }
}

/// Reads the metric rows of a run and calls `each` with every row.
fn read_rows(folder: &RunFolder, each: impl FnMut(RecordedRow)) -> Result<(), CliError> {
    let read = RowTail::new(folder.metrics()).read(each);
    read.map_err(|error| CliError::file("read", &folder.metrics(), error))
}

/// Folder with the runs of `vivarium train`.
const DEFAULT_FOLDER: &str = "runs";

/// Returns the folder on the command line, or else [`DEFAULT_FOLDER`], which may be missing.
///
/// # Errors
/// [`CliError::Failed`] if the folder on the command line does not exist.
pub fn folder_or_default(given: Option<&PathBuf>) -> Result<PathBuf, CliError> {
    match given {
        Some(folder) if !folder.exists() => {
            let nearest =
                spelling::nearest(&folder.to_string_lossy(), ["list", "compare", "delete", "prune"]);
            let hint =
                nearest.map_or(String::new(), |name| format!("; did you mean `vivarium runs {name}`?"));
            Err(CliError::file("read the folder", folder, format!("it does not exist{hint}")))
        }
        Some(folder) => Ok(folder.clone()),
        None => Ok(DEFAULT_FOLDER.into()),
    }
}

/// Returns the paths of the run folders in `folder`, sorted by name. A missing folder has no runs.
///
/// # Errors
/// [`CliError::Failed`] if the folder exists but cannot be read.
pub fn run_folders(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
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
pub fn subfolders(folder: &Path) -> Vec<PathBuf> {
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
    use super::natural_key;

    #[test]
    fn numbers_in_names_are_sorted_by_value() {
        let mut names = ["cube2-1-1", "cartpole-10-1", "cartpole-2-1", "cartpole-2-11", "cartpole-2-2"];
        names.sort_by_key(|name| natural_key(name));
        assert_eq!(names, ["cartpole-2-1", "cartpole-2-2", "cartpole-2-11", "cartpole-10-1", "cube2-1-1"]);
    }
}

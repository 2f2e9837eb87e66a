//! A run in a folder: metadata, current config, state, best score and newest metrics.

use crate::error::CliError;
use crate::monitor::RunMonitor;
use crate::run::rows::RowTail;
use crate::run::{BestCheckpoint, RunFolder};
use crate::text;
use serde_json::Value;
use std::path::{Path, PathBuf};
use vivarium_lab::goal::Goal;
use vivarium_lab::measures::EvaluatedMeasure;
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::run_metadata::RunMetadata;
use vivarium_lab::spelling;

/// Newest value of each metric and measure of a run, by name.
pub type NewestMetrics = Vec<(String, f64)>;

/// Results of a run at its end, or at an earlier step.
#[derive(Clone, Debug)]
pub struct RunResults {
    /// Number of training steps.
    pub steps: u64,
    /// Training time in seconds.
    pub elapsed: f64,
    /// Number of training steps at the last evaluation; `None` without an evaluation.
    pub evaluated: Option<u64>,
    /// Highest evaluation score; `None` without an evaluation.
    pub best: Option<f64>,
    /// Newest value of each metric.
    pub metrics: NewestMetrics,
}

impl RunResults {
    /// Returns the newest value of a metric.
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

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
    /// Evaluation score of the experiment; `None` if this version does not have the experiment.
    pub score: Option<&'static EvaluatedMeasure>,
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
            score,
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
            score: vivarium_exhibits::measures("cartpole").ok().map(|measures| measures.score()),
            checkpoints: Vec::new(),
        }
    }

    /// Formats the score of the best checkpoint with its unit, such as "return 475", "solved 97.5 %" or "held_out_loss 1.20
    /// nats/token"; "–" without an evaluation.
    pub fn best_score(&self) -> String {
        let Some(best) = self.best else { return "–".to_owned() };
        let Some(score) = self.score else { return format!("score {}", text::number(best)) };
        if score.range == MetricRange::SHARE {
            return format!("{} {}", score.measure, text::share(best));
        }
        // Other units are descriptions, such as "mean over greedy episodes".
        let unit = score.unit.split_whitespace().next().filter(|unit| unit.contains('/'));
        format!("{}{}", score.format(best), unit.map_or(String::new(), |unit| format!(" {unit}")))
    }

    /// Reads the results of the run: at its end, or at the step `at`, from the rows of metrics up to this step. The metrics are in the
    /// order of their first row.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the metrics cannot be read.
    pub fn results(&self, at: Option<u64>) -> Result<RunResults, CliError> {
        let mut results =
            RunResults { steps: 0, elapsed: 0.0, evaluated: None, best: None, metrics: Vec::new() };
        read_rows(&RunFolder::open(&self.path)?.0, |row| {
            if at.is_some_and(|at| row.steps > at) {
                return;
            }
            let score = self.score.and_then(|score| row.get(score.name)).filter(|value| !value.is_nan());
            results.evaluated = score.map_or(results.evaluated, |_| Some(row.steps));
            results.best = results.best.into_iter().chain(score).reduce(f64::max);
            (results.steps, results.elapsed) =
                (results.steps.max(row.steps), results.elapsed.max(row.elapsed));
            for (name, value) in row.values {
                match results.metrics.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, newest)) => *newest = value,
                    None => results.metrics.push((name, value)),
                }
            }
        })?;
        if at.is_none() {
            (results.steps, results.elapsed, results.best) = (self.steps, self.elapsed, self.best);
        }
        Ok(results)
    }

    /// Returns the number of steps and the training time in seconds of the first row of metrics that meets `goal`; `None` if no row
    /// does.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the metrics cannot be read.
    pub fn first_reached(&self, goal: &Goal) -> Result<Option<(u64, f64)>, CliError> {
        let name = self.metric_of(goal.measure());
        let mut reached = None;
        read_rows(&RunFolder::open(&self.path)?.0, |row| {
            if reached.is_none() && row.get(name).is_some_and(|value| goal.is_met_by(value)) {
                reached = Some((row.steps, row.elapsed));
            }
        })?;
        Ok(reached)
    }

    /// Returns the name of the metric of the evaluation measure `name`, such as `eval_return_mean` for `return`; other names are
    /// returned unchanged.
    pub fn metric_of<'a>(&self, name: &'a str) -> &'a str {
        let measures = vivarium_exhibits::measures(&self.metadata.experiment).ok();
        let evaluated = measures.into_iter().flat_map(|measures| measures.evaluated());
        let named = evaluated.into_iter().find(|evaluated| evaluated.measure == name);
        named.map_or(name, |evaluated| evaluated.name)
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

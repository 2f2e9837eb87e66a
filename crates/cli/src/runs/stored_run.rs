//! A run in a folder: metadata, current config, state, best score and newest metrics.

use crate::error::CliError;
use crate::monitor::{RunMonitor, resumption};
use crate::run::rows::RowTail;
use crate::run::run_group::RunGroup;
use crate::run::{BestCheckpoint, RunFolder, changes_section};
use crate::seed_mean::SeedMean;
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
    /// Whether the latest session of the run has reached its goal or its step limit.
    pub is_complete: bool,
    /// Whether a process trains the run.
    pub is_running: bool,
    /// Unix time of the last status update of the run in seconds; `None` without a monitor file.
    pub heartbeat: Option<f64>,
    /// Whether the latest session of the run has ended before its goal and limits: by a signal, a kill or an error.
    pub is_interrupted: bool,
    /// Whether the latest checkpoint has training steps, from which the run can be resumed.
    pub is_resumable: bool,
    /// Number of training steps: of a run in progress, so far; of an ended run, in its latest checkpoint, from which the run is resumed.
    pub steps: u64,
    /// Training time of all sessions in seconds.
    pub elapsed: f64,
    /// Score of the best checkpoint; `None` without an evaluation.
    pub best: Option<f64>,
    /// Evaluation score of the experiment; `None` if this version does not have the experiment.
    pub score: Option<&'static EvaluatedMeasure>,
    /// Training steps of the numbered checkpoints, in ascending order.
    pub checkpoints: Vec<u64>,
    /// Training steps at the last change of the task by `vivarium train --resume --set`, such as of a field of `world`; `None`
    /// without such a change. Earlier results are results of another task.
    pub task_changed_at: Option<u64>,
}

impl StoredRun {
    /// Reads the runs of a group.
    ///
    /// # Errors
    /// [`CliError`] if a run cannot be read.
    pub fn open_all(group: &RunGroup) -> Result<Vec<Self>, CliError> {
        group.runs.iter().map(|path| Self::open(path)).collect()
    }

    /// Returns the mean of the best scores of `runs`; `None` if no run has been evaluated.
    pub fn best_of(runs: &[Self]) -> Option<f64> {
        let scores: Vec<_> = runs.iter().filter_map(|run| run.best).collect();
        SeedMean::of(&scores).map(|score| score.mean)
    }

    /// Reads the run in the folder `path`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the folder has no run or cannot be read.
    pub fn open(path: &Path) -> Result<Self, CliError> {
        let (folder, metadata) = RunFolder::open(path)?;
        let config = folder.current_config(&metadata).unwrap_or(Value::Null);
        let measures = vivarium_exhibits::measures(&metadata.experiment).ok();
        let score = measures.map(|measures| measures.score());
        let section = measures.and_then(|measures| measures.task_section());
        let task_changed_at = section.and_then(|section| {
            let session = metadata.sessions.iter().rev().find(|session| changes_section(session, section))?;
            Some(session.first_step)
        });
        let best = match folder.best_quality()? {
            BestCheckpoint::None => None,
            BestCheckpoint::Quality(score) => Some(score),
            BestCheckpoint::Unknown => {
                let mut highest = None;
                read_rows(&folder, |row| {
                    if !is_of_task(&row, task_changed_at) {
                        return;
                    }
                    let value = score.and_then(|score| row.get(score.name)).filter(|value| !value.is_nan());
                    highest = highest.into_iter().chain(value).reduce(f64::max);
                })?;
                highest
            }
        };
        let checkpoints = folder.numbered();
        let monitor = RunMonitor::new(folder, metadata.clone())?;
        let saved = monitor.checkpoint_steps();
        Ok(Self {
            path: path.to_owned(),
            metadata,
            config,
            state: monitor.state(),
            short_state: monitor.short_state(),
            is_complete: monitor.is_complete(),
            is_running: monitor.is_running(),
            heartbeat: monitor.heartbeat(),
            is_interrupted: monitor.is_interrupted(),
            is_resumable: saved > Some(0),
            steps: saved.filter(|_| monitor.is_ended()).unwrap_or(monitor.status.steps),
            elapsed: monitor.status.elapsed,
            best,
            score,
            checkpoints,
            task_changed_at,
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
            is_complete: true,
            is_running: false,
            heartbeat: None,
            is_interrupted: false,
            is_resumable: true,
            steps: 512,
            elapsed: 1.0,
            best: None,
            score: vivarium_exhibits::measures("cartpole").ok().map(|measures| measures.score()),
            checkpoints: Vec::new(),
            task_changed_at: None,
        }
    }

    /// Returns the short state and, of a run that has ended before its goal and limits, how the run can be resumed, such as
    /// "interrupted; can be resumed".
    pub fn table_state(&self) -> String {
        match self.is_interrupted {
            true => format!("{}; {}", self.short_state, resumption(self.is_resumable)),
            false => self.short_state.to_owned(),
        }
    }

    /// Formats the score of the best checkpoint, and its unit if `has_unit`, such as "return 475", "solved 97.5 %" or "held_out_loss 1.20
    /// nats/token"; "–" without an evaluation.
    pub fn best_score(&self, has_unit: bool) -> String {
        let Some(best) = self.best else { return "–".to_owned() };
        let Some(score) = self.score else { return format!("score {}", text::number(best)) };
        if score.range == MetricRange::SHARE {
            return format!("{} {}", score.measure, text::share(best));
        }
        // Other units are descriptions, such as "mean over greedy episodes".
        let unit = score.unit.split_whitespace().next().filter(|unit| has_unit && unit.contains('/'));
        format!("{}{}", score.format(best), unit.map_or(String::new(), |unit| format!(" {unit}")))
    }

    /// Returns the score of the best checkpoint as front ends show the measure: name, value and unit; `None` without an evaluation.
    pub fn best_measure(&self) -> Option<(&'static str, f64, &'static str)> {
        let (score, best) = (self.score?, self.best?);
        let (name, value) = score.shown(best);
        let unit = self.evaluated().iter().find(|known| known.measure == name).map_or("", |known| known.unit);
        Some((name, value, unit))
    }

    /// Returns the evaluation measures of the experiment; empty if this version does not have the experiment.
    fn evaluated(&self) -> &'static [EvaluatedMeasure] {
        vivarium_exhibits::measures(&self.metadata.experiment)
            .map_or(&[][..], |measures| measures.evaluated())
    }

    /// Reads the results of the run: at its end, or at the step `at`, from the rows of metrics up to this step, without the rows of an
    /// earlier task. The metrics are in the order of their first row.
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
            (results.steps, results.elapsed) =
                (results.steps.max(row.steps), results.elapsed.max(row.elapsed));
            if !is_of_task(&row, self.task_changed_at) {
                return;
            }
            let score = self.score.and_then(|score| row.get(score.name)).filter(|value| !value.is_nan());
            results.evaluated = score.map_or(results.evaluated, |_| Some(row.steps));
            results.best = results.best.into_iter().chain(score).reduce(f64::max);
            for (name, value) in row.values {
                match results.metrics.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, newest)) => *newest = value,
                    None => results.metrics.push((name, value)),
                }
            }
        })?;
        // At the last step, the results are those at the end of the run, which has the time of the last evaluation and checkpoint.
        if at.is_none_or(|at| at == self.steps) {
            (results.steps, results.elapsed, results.best) = (self.steps, self.elapsed, self.best);
        }
        Ok(results)
    }

    /// Returns the number of steps and the training time in seconds of the first row of metrics that meets `goal`; `None` if no row
    /// does. The rows of an earlier task do not count.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the metrics cannot be read.
    pub fn first_reached(&self, goal: &Goal) -> Result<Option<(u64, f64)>, CliError> {
        let name = self.metric_of(goal.measure());
        let mut reached = None;
        read_rows(&RunFolder::open(&self.path)?.0, |row| {
            let is_met = || row.get(name).is_some_and(|value| goal.is_met_by(value));
            if reached.is_none() && is_of_task(&row, self.task_changed_at) && is_met() {
                reached = Some((row.steps, row.elapsed));
            }
        })?;
        Ok(reached)
    }

    /// Returns the name of the metric of the evaluation measure `name`, such as `eval_return_mean` for `return`; other names are
    /// returned unchanged.
    pub fn metric_of<'a>(&self, name: &'a str) -> &'a str {
        let named = self.evaluated().iter().find(|evaluated| evaluated.measure == name);
        named.map_or(name, |evaluated| evaluated.name)
    }
}

/// Returns whether a row of metrics is a result of the current task of the run, which was last changed after `changed_at` steps.
fn is_of_task(row: &RecordedRow, changed_at: Option<u64>) -> bool {
    changed_at.is_none_or(|steps| row.steps > steps)
}

/// Reads the metric rows of a run and calls `each` with every row.
fn read_rows(folder: &RunFolder, each: impl FnMut(RecordedRow)) -> Result<(), CliError> {
    let read = RowTail::new(folder.metrics()).read(each);
    read.map_err(|error| CliError::file("read", &folder.metrics(), error))
}

/// Checks that no run in `folder` is unreadable. `unreadable` of `count` runs have been reported.
///
/// # Errors
/// [`CliError::Failed`] with the number of unreadable runs.
pub fn check_readable(folder: &Path, unreadable: usize, count: usize) -> Result<(), CliError> {
    if unreadable == 0 {
        return Ok(());
    }
    Err(CliError::failed(format!(
        "{}: {unreadable} of {} could not be read",
        folder.display(),
        text::count(count as u64, "run")
    )))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use crate::test_folder::TestFolder;
    use serde_json::json;
    use vivarium_lab::run_metadata::{ChangedField, SessionRecord};

    /// Creates a run whose second session, from the step 100 on, changed the field `changed`. The mean returns of its evaluations are
    /// 480, 490, 60 and 476 after 50, 100, 150 and 200 steps.
    fn changed_run(folder: &TestFolder, changed: &str) -> StoredRun {
        let path = folder.path().join(changed);
        let mut metadata = example_metadata();
        let change = ChangedField { from: json!(9.8), to: json!(12.0) };
        let session = metadata.sessions[0].clone();
        let changes = [(changed.to_owned(), change)].into();
        metadata.resume(SessionRecord { first_step: 100, changes, ..session });
        let run = RunFolder::create(Some(&path), &metadata, &json!({})).unwrap();
        let row = |(steps, mean): (u64, f64)| {
            let values = vec![("eval_return_mean".to_owned(), mean)];
            RecordedRow { steps, elapsed: steps as f64, values, ..RecordedRow::default() }.to_line()
        };
        let rows = [(50, 480.0), (100, 490.0), (150, 60.0), (200, 476.0)].map(row);
        std::fs::write(run.metrics(), rows.concat()).unwrap();
        StoredRun::open(&path).unwrap()
    }

    #[test]
    fn results_of_an_earlier_task_do_not_count() {
        let folder = TestFolder::new("changed-task");
        let goal: Goal = "return>=475".parse().unwrap();
        let run = changed_run(&folder, "world.gravity");
        assert_eq!(run.first_reached(&goal).unwrap(), Some((200, 200.0)));
        let results = run.results(Some(150)).unwrap();
        assert_eq!((results.best, results.evaluated, results.steps), (Some(60.0), Some(150), 150));
        let results = run.results(Some(100)).unwrap();
        assert_eq!((results.best, results.evaluated, results.steps), (None, None, 100));
        assert_eq!(run.results(None).unwrap().metric("eval_return_mean"), Some(476.0));

        // Another setting does not change the task.
        let run = changed_run(&folder, "ppo.learning_rate");
        assert_eq!(run.first_reached(&goal).unwrap(), Some((50, 50.0)));
        assert_eq!(run.results(Some(150)).unwrap().best, Some(490.0));
    }
}

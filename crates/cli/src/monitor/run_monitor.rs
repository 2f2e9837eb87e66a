//! Monitored run: metadata, status and curves, read from the files of the run folder.

use super::curve::Curve;
use crate::error::CliError;
use crate::run::monitor_file::{self, MonitorStatus, RunState};
use crate::run::rows::RowTail;
use crate::run::{RunFolder, now, open_file};
use crate::text;
use std::io;
use std::path::Path;
use vivarium_lab::checkpoint;
use vivarium_lab::measures::{EvaluatedMeasure, EvaluationChart};
use vivarium_lab::protocol::MetricInfo;
use vivarium_lab::readings::Readings;
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::run_metadata::RunMetadata;

/// Time in seconds after which a run without a heartbeat (status update) counts as ended.
const HEARTBEAT_TIMEOUT: f64 = 10.0;

/// Describes whether `train --resume` continues an ended run after step 0. `has_trained` is whether its latest checkpoint has training
/// steps. Otherwise, the run starts again, unless a checkpoint is damaged; `train --from` can use a best checkpoint.
pub const fn resumption(has_trained: bool) -> &'static str {
    if has_trained { "can be resumed" } else { "no checkpoint after step 0" }
}

/// Name of the metric with the training speed: steps, epochs or tokens per second.
pub const SPEED: &str = "steps_per_second";

/// Curve of a metric, with name, label and unit.
#[derive(Clone, Debug)]
pub struct NamedCurve {
    /// Name of the metric.
    pub name: String,
    /// Display name of the metric.
    pub label: String,
    /// Unit of the metric; empty for a dimensionless number.
    pub unit: String,
    /// Values of the metric over training steps.
    pub curve: Curve,
}

/// Monitored run: metadata, status and curves.
pub struct RunMonitor {
    folder: RunFolder,
    /// Metadata of the run.
    pub metadata: RunMetadata,
    /// Unit, progress counters and charted metrics of the experiment.
    pub readings: Readings,
    /// Evaluation measures of the experiment.
    evaluated: &'static [EvaluatedMeasure],
    /// Names of the metrics with a chart, the main metric first.
    pub charted_metrics: Vec<&'static str>,
    metrics: Vec<MetricInfo>,
    /// Whether the last call of [`poll`](Self::poll) could read the monitor file.
    has_monitor_file: bool,
    /// Whether the training process has ended without a final status, as when it was killed.
    is_killed: bool,
    tail: RowTail,
    /// Status of the run at the last poll.
    pub status: MonitorStatus,
    /// Curves of all metrics, in display order.
    pub curves: Vec<NamedCurve>,
}

impl RunMonitor {
    /// Reads the files of the run in `folder` for the first time. If the monitor file is missing or invalid, only
    /// `metrics.jsonl` is read.
    ///
    /// # Errors
    /// [`CliError::Failed`] if `metrics.jsonl` cannot be read.
    pub fn new(folder: RunFolder, metadata: RunMetadata) -> Result<Self, CliError> {
        // The curves of an experiment that this version lacks have the names of their metrics as labels.
        let (readings, metrics) = vivarium_exhibits::info(&metadata.experiment)
            .map_or_else(|_| (Readings::unknown(), Vec::new()), |info| (info.readings, info.metrics));
        let evaluated =
            vivarium_exhibits::measures(&metadata.experiment).map_or(&[][..], |known| known.evaluated());
        // An unreadable config selects the default charts.
        let charted_metrics = readings.curves(&folder.config().unwrap_or_default());
        let tail = RowTail::new(folder.metrics());
        let status = MonitorStatus::default();
        let curves = Vec::new();
        let mut monitor = Self {
            folder,
            metadata,
            readings,
            evaluated,
            charted_metrics,
            metrics,
            has_monitor_file: false,
            is_killed: false,
            tail,
            status,
            curves,
        };
        let record = monitor_file::read(monitor.folder.path());
        monitor.update(record)?;
        Ok(monitor)
    }

    /// Reads the status in the monitor file and the new rows of `metrics.jsonl`. If the run was resumed, reads all
    /// files from the beginning.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be read.
    pub fn poll(&mut self) -> Result<(), CliError> {
        let record = monitor_file::read(self.folder.path());
        if self.has_monitor_file
            && record.as_ref().is_ok_and(|(status, _)| status.started != self.status.started)
        {
            // The run was resumed: its newest rows may have been removed.
            let (folder, metadata) = RunFolder::open(self.folder.path())?;
            *self = Self::new(folder, metadata)?;
            return Ok(());
        }
        self.update(record)
    }

    /// Updates the status from the contents of the monitor file, and the curves from new rows of `metrics.jsonl`. The
    /// values of the monitor file's row become the newest values, because this row may not be in `metrics.jsonl` yet.
    fn update(&mut self, record: io::Result<(MonitorStatus, Option<RecordedRow>)>) -> Result<(), CliError> {
        self.has_monitor_file = record.is_ok();
        self.read_new_rows()?;
        match record {
            Ok((status, newest)) => {
                self.status = status;
                // The lock of a process that has ended is free.
                self.is_killed =
                    self.status.state == RunState::Running && self.folder.is_locked() == Some(false);
                for (name, value) in newest.map_or_else(Vec::new, |row| row.values) {
                    self.with_curve(name, |curve| curve.set_last(value));
                }
            }
            Err(error) => {
                let failure = CliError::file("watch", &self.folder.path().join(monitor_file::FILE), error);
                let why = failure.message().unwrap_or_default();
                self.status.notice = format!("{why}; metrics.jsonl is read instead");
            }
        }
        Ok(())
    }

    /// Returns the path of the run folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the training speed in steps per second: the current speed, or for an ended run the speed in the newest
    /// row.
    pub fn speed(&self) -> f64 {
        let recorded = || self.curve(SPEED).map(Curve::last);
        if self.is_running() { self.status.speed } else { recorded().unwrap_or(self.status.speed) }
    }

    /// Returns whether the run is in progress: its state is "running", its process exists, and its last heartbeat is recent.
    pub fn is_running(&self) -> bool {
        self.has_monitor_file
            && self.status.state == RunState::Running
            && !self.is_killed
            && self.seconds_since_heartbeat() < HEARTBEAT_TIMEOUT
    }

    /// Returns the state of the run in the monitor file, or else the end of the latest session in `run.json`; `None` if neither
    /// has it. Runs of the Python package have no monitor file.
    fn recorded_state(&self) -> Option<RunState> {
        if self.has_monitor_file {
            return Some(self.status.state);
        }
        self.metadata.sessions.last()?.end.as_deref().map(RunState::of_end)
    }

    /// Returns a short text with the state of the run, such as "training" or "finished: goal reached".
    pub fn state(&self) -> String {
        match self.recorded_state() {
            None => "status from metrics.jsonl".into(),
            Some(RunState::Running) if self.is_killed => self.with_resumption("killed"),
            Some(RunState::Running) if self.is_running() => "training".into(),
            Some(RunState::Running) => {
                format!("no heartbeat for {}", text::duration(self.seconds_since_heartbeat()))
            }
            Some(RunState::Reached) => "finished: goal reached".into(),
            Some(RunState::Steps) => format!("finished: all {} done", self.readings.count(self.status.steps)),
            Some(RunState::Minutes) => "time limit reached".into(),
            Some(RunState::Interrupted) => self.with_resumption("interrupted"),
            Some(RunState::Failed) => self.with_resumption("failed"),
        }
    }

    /// Formats the state `state` of an ended run, and how the run can be resumed.
    fn with_resumption(&self, state: &str) -> String {
        format!("{state}; {}", resumption(self.checkpoint_steps() > Some(0)))
    }

    /// Returns the number of training steps in the latest checkpoint, from which the run is resumed; `None` if the checkpoint is missing
    /// or damaged.
    pub fn checkpoint_steps(&self) -> Option<u64> {
        open_file(&self.folder.latest()).and_then(|mut file| checkpoint::read_steps(&mut file)).ok()?
    }

    /// Returns whether no process trains the run.
    pub fn is_ended(&self) -> bool {
        // A process without a monitor file, such as one of the Python package, has locked the folder.
        !self.is_running() && self.folder.is_locked() != Some(true)
    }

    /// Returns whether the latest session of the run has ended before its goal and limits: by a signal, a kill or an error.
    pub fn is_interrupted(&self) -> bool {
        let has_end =
            matches!(self.recorded_state(), Some(RunState::Reached | RunState::Steps | RunState::Minutes));
        self.is_ended() && !has_end
    }

    /// Returns whether the latest session of the run has reached its goal or its step limit.
    pub fn is_complete(&self) -> bool {
        matches!(self.recorded_state(), Some(RunState::Reached | RunState::Steps))
    }

    /// Returns the state of the run as one or two words, such as "running" or "reached".
    pub fn short_state(&self) -> &'static str {
        match self.recorded_state() {
            None => "unknown",
            Some(RunState::Running) if self.is_killed => "killed",
            Some(RunState::Running) if self.is_running() => "running",
            Some(RunState::Running) => "no heartbeat",
            Some(RunState::Reached) => "reached",
            Some(RunState::Steps) => "finished",
            Some(RunState::Minutes) => "time limit",
            Some(RunState::Interrupted) => "interrupted",
            Some(RunState::Failed) => "failed",
        }
    }

    /// Returns label and formatted value of the counter `name`, "episodes" or "updates"; `None` if the experiment
    /// does not show this counter.
    pub fn counter(&self, name: &str) -> Option<(String, String)> {
        let count = if name == "episodes" { self.status.episodes } else { self.status.updates };
        let figure = self.readings.progress(name)?;
        (count > 0 || !figure.optional).then(|| (figure.label.to_lowercase(), text::whole(count)))
    }

    /// Returns the curve of the evaluation measure that is drawn in the chart of the main training metric; `None` if
    /// there is no such measure.
    pub fn evaluations(&self) -> Option<&Curve> {
        let first = self.evaluated.iter().find(|evaluated| evaluated.chart == EvaluationChart::First)?;
        self.curve(first.name)
    }

    /// Returns the curve of the metric `name`; `None` if no row contains the metric.
    pub fn curve(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|known| known.name == name).map(|known| &known.curve)
    }

    /// Returns the Unix time of the last status update in seconds; `None` without a monitor file.
    pub fn heartbeat(&self) -> Option<f64> {
        self.has_monitor_file.then_some(self.status.heartbeat)
    }

    fn seconds_since_heartbeat(&self) -> f64 {
        (now() - self.status.heartbeat).max(0.0)
    }

    /// Reads the new rows of `metrics.jsonl`.
    fn read_new_rows(&mut self) -> Result<(), CliError> {
        let mut rows = Vec::new();
        self.tail
            .read(|row| rows.push(row))
            .map_err(|error| CliError::file("read", &self.folder.metrics(), error))?;
        for row in rows {
            if !self.has_monitor_file && row != RecordedRow::default() {
                self.update_status(&row);
            }
            for (name, value) in row.values {
                self.with_curve(name, |curve| curve.push(row.steps, value));
            }
        }
        Ok(())
    }

    /// Updates the status from a row of `metrics.jsonl`. Used if there is no valid monitor file.
    fn update_status(&mut self, row: &RecordedRow) {
        let speed = row.get(SPEED).unwrap_or(self.status.speed);
        self.status = MonitorStatus {
            elapsed: row.elapsed,
            steps: row.steps,
            updates: row.updates,
            speed,
            ..std::mem::take(&mut self.status)
        };
    }

    /// Calls `change` with the curve of the metric `name`; a missing curve is created. Does nothing for measures that
    /// are hidden in displays.
    fn with_curve(&mut self, name: String, change: impl FnOnce(&mut Curve)) {
        let is_hidden =
            |known: &EvaluatedMeasure| known.name == name && known.chart == EvaluationChart::Hidden;
        if !self.evaluated.iter().any(is_hidden) {
            let known = self.curves.iter().position(|known| known.name == name);
            let index = known.unwrap_or_else(|| self.insert_curve(name));
            change(&mut self.curves[index].curve);
        }
    }

    /// Inserts an empty curve at its position in the display order and returns the index. Display order: main metric,
    /// its evaluations, other metrics of the experiment, all other curves.
    fn insert_curve(&mut self, name: String) -> usize {
        let known = self.metrics.iter().find(|metric| metric.name == name);
        let evaluated = self.evaluated.iter().find(|evaluated| evaluated.name == name);
        let (label, unit) = match (known, evaluated) {
            (Some(metric), _) => (metric.label.clone(), metric.unit.clone()),
            (None, Some(evaluated)) => (evaluated.label.into(), evaluated.unit.into()),
            (None, None) if name == SPEED => ("Speed".into(), format!("{}/s", self.readings.unit)),
            (None, None) if name == "memory" => ("Memory in use".into(), "bytes".into()),
            (None, None) => (name.clone(), String::new()),
        };
        let first = self.charted_metrics.first().copied().unwrap_or_default();
        let shown = |evaluated: &&EvaluatedMeasure| evaluated.chart != EvaluationChart::Hidden;
        let second = self.evaluated.iter().find(shown).map_or("", |evaluated| evaluated.name);
        let place = |name: &str| match name {
            name if name == first => 0,
            name if name == second => 1,
            other => {
                self.metrics.iter().position(|metric| metric.name == other).map_or(usize::MAX, |i| i + 2)
            }
        };
        let index = self
            .curves
            .iter()
            .position(|other| place(&other.name) > place(&name))
            .unwrap_or(self.curves.len());
        self.curves.insert(index, NamedCurve { name, label, unit, curve: Curve::default() });
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use crate::test_folder::TestFolder;

    #[test]
    fn a_run_without_a_monitor_file_has_the_state_in_its_metadata() {
        let folder = TestFolder::new("no-monitor-file");
        let state = |name: &str, end: Option<&str>| {
            let mut metadata = example_metadata();
            end.into_iter().for_each(|end| metadata.end(end, 512, 2.5));
            let path = folder.path().join(name);
            let run = RunFolder::create(Some(&path), &metadata, &serde_json::json!({})).unwrap();
            let monitor = RunMonitor::new(run, metadata).unwrap();
            (monitor.short_state(), monitor.state())
        };
        assert_eq!(state("goal", Some("goal")), ("reached", "finished: goal reached".into()));
        // The run has no checkpoint.
        let interrupted = ("interrupted", "interrupted; no checkpoint after step 0".into());
        assert_eq!(state("signal", Some("SIGINT")), interrupted);
        assert_eq!(state("running", None).0, "unknown");
    }
}

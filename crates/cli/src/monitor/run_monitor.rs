//! State of a monitored run, read from the files of its folder.

use super::curve::Curve;
use crate::error::CliError;
use crate::run::monitor_file::{self, MonitorStatus, RunState};
use crate::run::rows::{RecordedRow, RowTail};
use crate::run::{RunFolder, RunMetadata, now};
use crate::text;
use std::io;
use vivarium_lab::measures::{EvaluatedMeasure, EvaluationChart};
use vivarium_lab::protocol::MetricInfo;
use vivarium_lab::readings::Readings;

/// Time in seconds since the last heartbeat (status update) after which a run counts as ended.
const SILENCE: f64 = 10.0;

/// Name of the metric of the training speed (steps, epochs or tokens per second).
pub const SPEED: &str = "steps_per_second";

/// A curve with its label and unit.
#[derive(Clone, Debug)]
pub struct NamedCurve {
    /// Name of the metric.
    pub name: String,
    /// Display name of the metric.
    pub label: String,
    /// Unit of the metric; empty for a pure number.
    pub unit: String,
    /// Values of the metric over training steps.
    pub curve: Curve,
}

/// Monitored run: metadata, status and curves, read from its folder.
pub struct RunMonitor {
    folder: RunFolder,
    /// Metadata of the run.
    pub metadata: RunMetadata,
    /// Measurements and charts of the experiment that the monitor shows.
    pub readings: Readings,
    /// Measures of the experiment's evaluations.
    evaluated: &'static [EvaluatedMeasure],
    /// Charted metrics of the experiment, most important first.
    pub important: Vec<&'static str>,
    metrics: Vec<MetricInfo>,
    /// Whether the monitor file could be read at the last poll.
    is_watched: bool,
    tail: RowTail,
    /// Status of the run.
    pub status: MonitorStatus,
    /// Curves in display order.
    pub curves: Vec<NamedCurve>,
}

impl RunMonitor {
    /// Opens the run in `folder`. If the monitor file is missing or invalid, only `metrics.jsonl` is read.
    ///
    /// # Errors
    /// File system errors of `metrics.jsonl`.
    pub fn new(folder: RunFolder, metadata: RunMetadata) -> Result<Self, CliError> {
        // The curves of an experiment that this version lacks have the names of their metrics as labels.
        let (readings, metrics) = vivarium_exhibits::info(&metadata.experiment)
            .map_or_else(|_| (Readings::unknown(), Vec::new()), |info| (info.readings, info.metrics));
        let evaluated =
            vivarium_exhibits::measures(&metadata.experiment).map_or(&[][..], |known| known.evaluated());
        // An unreadable config selects the default charts.
        let important = readings.curves(&folder.config().unwrap_or_default());
        let tail = RowTail::new(folder.metrics());
        let status = MonitorStatus::default();
        let curves = Vec::new();
        let mut monitor = Self {
            folder,
            metadata,
            readings,
            evaluated,
            important,
            metrics,
            is_watched: false,
            tail,
            status,
            curves,
        };
        let record = monitor_file::read(monitor.folder.path());
        monitor.update(record)?;
        Ok(monitor)
    }

    /// Reads the status in the monitor file and the new rows of `metrics.jsonl`. Reads all files again if the run was
    /// resumed.
    ///
    /// # Errors
    /// File system errors.
    pub fn poll(&mut self) -> Result<(), CliError> {
        let record = monitor_file::read(self.folder.path());
        if self.is_watched && record.as_ref().is_ok_and(|(status, _)| status.started != self.status.started) {
            // The run was resumed: its newest rows may have been removed.
            let (folder, metadata) = RunFolder::open(self.folder.path())?;
            *self = Self::new(folder, metadata)?;
            return Ok(());
        }
        self.update(record)
    }

    /// Updates the status from the contents of the monitor file, and the curves from `metrics.jsonl`. The newest row of
    /// the monitor file may not be in `metrics.jsonl` yet.
    fn update(&mut self, record: io::Result<(MonitorStatus, Option<RecordedRow>)>) -> Result<(), CliError> {
        self.is_watched = record.is_ok();
        self.read_lines()?;
        match record {
            Ok((status, newest)) => {
                self.status = status;
                for (name, value) in newest.map_or_else(Vec::new, |row| row.values) {
                    self.shown_curve(name, |curve| curve.show(value));
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

    /// Returns the training speed in steps per second: the current speed, or the speed in the newest row if the run has
    /// ended.
    pub fn speed(&self) -> f64 {
        let recorded = || self.curve(SPEED).map(Curve::last);
        if self.is_alive() { self.status.speed } else { recorded().unwrap_or(self.status.speed) }
    }

    /// Returns whether the run is in progress: it is not finished, and its last heartbeat is recent.
    pub fn is_alive(&self) -> bool {
        self.is_watched && self.status.state == RunState::Running && self.silence() < SILENCE
    }

    /// Returns a short description of the run's state.
    pub fn state(&self) -> String {
        match self.status.state {
            _ if !self.is_watched => "status from metrics.jsonl".into(),
            RunState::Running if self.is_alive() => "training".into(),
            RunState::Running => format!("no heartbeat for {}", text::duration(self.silence())),
            RunState::Reached => "finished: goal reached".into(),
            RunState::Steps => format!("finished: all {} done", self.readings.count(self.status.steps)),
            RunState::Minutes => "time limit reached".into(),
            RunState::Interrupted => "interrupted; can be resumed".into(),
            RunState::Failed => "failed".into(),
        }
    }

    /// Returns label and formatted value of the counter `episodes` or `updates`; `None` if the experiment does not show
    /// it.
    pub fn count(&self, name: &str) -> Option<(String, String)> {
        let count = if name == "episodes" { self.status.episodes } else { self.status.updates };
        let figure = self.readings.progress(name)?;
        (count > 0 || !figure.optional).then(|| (figure.label.to_lowercase(), text::whole(count)))
    }

    /// Returns the curve of the evaluations that belongs in the chart of the first charted metric; `None` if there is
    /// none.
    pub fn evaluations(&self) -> Option<&Curve> {
        let first = self.evaluated.iter().find(|evaluated| evaluated.chart == EvaluationChart::First)?;
        self.curve(first.name)
    }

    /// Returns the curve of a metric; `None` if no row contains the metric.
    pub fn curve(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|known| known.name == name).map(|known| &known.curve)
    }

    fn silence(&self) -> f64 {
        (now() - self.status.heartbeat).max(0.0)
    }

    /// Reads the new rows of `metrics.jsonl`.
    fn read_lines(&mut self) -> Result<(), CliError> {
        let mut rows = Vec::new();
        self.tail
            .read(|row| rows.push(row))
            .map_err(|error| CliError::file("read", &self.folder.metrics(), error))?;
        for row in rows {
            if !self.is_watched && row != RecordedRow::default() {
                self.follow(&row);
            }
            for (name, value) in row.values {
                self.shown_curve(name, |curve| curve.push(row.steps, value));
            }
        }
        Ok(())
    }

    /// Updates the status of the run from a row of `metrics.jsonl`.
    fn follow(&mut self, row: &RecordedRow) {
        let speed = row.get(SPEED).unwrap_or(self.status.speed);
        self.status = MonitorStatus {
            elapsed: row.elapsed,
            steps: row.steps,
            updates: row.updates,
            speed,
            ..std::mem::take(&mut self.status)
        };
    }

    /// Calls `change` with the curve of a metric, which is created if it does not exist. Does nothing if front ends do
    /// not show the metric.
    fn shown_curve(&mut self, name: String, change: impl FnOnce(&mut Curve)) {
        let is_hidden =
            |known: &EvaluatedMeasure| known.name == name && known.chart == EvaluationChart::Hidden;
        if !self.evaluated.iter().any(is_hidden) {
            let known = self.curves.iter().position(|known| known.name == name);
            let index = known.unwrap_or_else(|| self.insert_curve(name));
            change(&mut self.curves[index].curve);
        }
    }

    /// Inserts an empty curve in display order and returns its index. Display order: main metric, evaluations of the
    /// main metric, the experiment's metrics, all other curves.
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
        let first = self.important.first().copied().unwrap_or_default();
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

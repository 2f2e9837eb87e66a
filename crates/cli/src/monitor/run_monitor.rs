//! State of a monitored run, read from the files of its folder.

use super::curve::Curve;
use crate::error::CliError;
use crate::run::ring::{FILE, MonitorStatus, RingReader, RunState};
use crate::run::rows::{RecordedRow, RowTail};
use crate::run::{RunFolder, RunMetadata, now};
use crate::text;
use std::io;
use vivarium_lab::measures::{EvaluatedMeasure, Measures};
use vivarium_lab::protocol::MetricInfo;

/// Time in seconds since the last heartbeat (status update) after which a run counts as ended.
const SILENCE: f64 = 10.0;

/// Name of the metric of the training speed (steps, epochs or tokens per second).
pub const SPEED: &str = "steps_per_second";

/// A curve with its label and unit.
#[derive(Clone, Debug)]
pub struct NamedCurve {
    /// Name of the metric.
    pub name: String,
    /// Display name.
    pub label: String,
    /// Unit; empty for a pure number.
    pub unit: String,
    /// Values of the metric over training steps.
    pub curve: Curve,
}

/// Monitored run: metadata, status and curves, read from its folder.
pub struct RunMonitor {
    folder: RunFolder,
    /// Metadata of the run.
    pub metadata: RunMetadata,
    /// Evaluation settings of the experiment.
    pub measures: Measures,
    /// Charted metrics of the experiment, most important first.
    pub important: Vec<&'static str>,
    metrics: Vec<MetricInfo>,
    /// Monitor file; `None` if the file cannot be read, and `metrics.jsonl` is read instead.
    ring: Option<RingReader>,
    /// Start of the training session that writes the monitor file, in seconds since 1970.
    started: Option<f64>,
    tail: RowTail,
    next_row: u64,
    /// Status of the run.
    pub status: MonitorStatus,
    /// Curves in display order.
    pub curves: Vec<NamedCurve>,
    reopened: f64,
}

impl RunMonitor {
    /// Opens the run in `folder`. If the monitor file is missing or invalid, only `metrics.jsonl` is read.
    ///
    /// # Errors
    /// File system errors of `metrics.jsonl`.
    pub fn new(folder: RunFolder, metadata: RunMetadata) -> Result<Self, CliError> {
        let info = vivarium_exhibits::info(&metadata.experiment).ok();
        let measures = vivarium_exhibits::measures(&metadata.experiment).unwrap_or_default();
        let metrics = info.map(|info| info.metrics).unwrap_or_default();
        // An unreadable config selects the default charts.
        let important = measures.readings.curves(&folder.config().unwrap_or_default());
        let tail = RowTail::new(folder.metrics());
        let status = MonitorStatus::default();
        let mut monitor = Self {
            folder,
            metadata,
            measures,
            important,
            metrics,
            ring: None,
            started: None,
            tail,
            next_row: 0,
            status,
            curves: Vec::new(),
            reopened: now(),
        };
        match RingReader::open(monitor.folder.path()) {
            Ok(ring) => (monitor.started, monitor.ring) = (ring.started().ok(), Some(ring)),
            Err(error) => monitor.leave_ring(&error),
        }
        monitor.read_lines()?;
        monitor.poll()?;
        Ok(monitor)
    }

    /// Reads new rows and the status.
    ///
    /// # Errors
    /// File system errors.
    pub fn poll(&mut self) -> Result<(), CliError> {
        if let Some(mut ring) = self.ring.take() {
            match self.read_ring(&mut ring)? {
                Ok(()) => self.ring = Some(ring),
                Err(error) => self.leave_ring(&error),
            }
        }
        if self.ring.is_none() {
            self.read_lines()?;
        }
        if !self.is_alive() && now() - self.reopened > 1.0 {
            self.reopen()?;
        }
        Ok(())
    }

    /// Returns the training speed in steps per second: the current speed, or the speed in the newest row if the run has
    /// ended.
    pub fn speed(&self) -> f64 {
        let recorded = || self.curve(SPEED).map(Curve::last);
        if self.is_alive() { self.status.speed } else { recorded().unwrap_or(self.status.speed) }
    }

    /// Reads new rows and the status from the monitor file. The inner result is an error of the monitor file, the outer
    /// result an error of `metrics.jsonl`.
    fn read_ring(&mut self, ring: &mut RingReader) -> Result<io::Result<()>, CliError> {
        let news = |monitor: &mut Self, ring: &mut RingReader| -> io::Result<(u64, u64, bool)> {
            if let Some(status) = ring.status()? {
                monitor.status = status;
            }
            let rows = ring.rows()?;
            let is_behind = monitor.next_row < rows && ring.row(monitor.next_row)?.is_none();
            Ok((ring.oldest()?, rows, is_behind))
        };
        let (oldest, rows, is_behind) = match news(self, ring) {
            Ok(news) => news,
            Err(error) => return Ok(Err(error)),
        };
        if is_behind {
            // Rows have been overwritten since the last read; read them from metrics.jsonl.
            self.read_lines()?;
        }
        for number in self.next_row.max(oldest)..rows {
            match ring.row(number) {
                Ok(Some(row)) => {
                    self.add(row.steps, row.values);
                    self.next_row = number + 1;
                }
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }

    /// Closes the monitor file after an error. Later rows are read from `metrics.jsonl`.
    fn leave_ring(&mut self, error: &io::Error) {
        let failure = CliError::file("watch", &self.folder.path().join(FILE), error);
        let why = failure.message().unwrap_or_default();
        self.status.notice = format!("{why}; metrics.jsonl is read instead");
    }

    /// Returns whether the run is in progress: it is not finished, and its last heartbeat is recent.
    pub fn is_alive(&self) -> bool {
        self.ring.is_some() && self.status.state == RunState::Running && self.silence() < SILENCE
    }

    /// Returns a short description of the run's state.
    pub fn state(&self) -> String {
        match self.status.state {
            _ if self.ring.is_none() => "status from metrics.jsonl".into(),
            RunState::Running if self.is_alive() => "training".into(),
            RunState::Running => format!("no heartbeat for {}", text::duration(self.silence())),
            RunState::Reached => "finished: goal reached".into(),
            RunState::Steps => format!("finished: all {} done", self.measures.count(self.status.steps)),
            RunState::Minutes => "time limit reached".into(),
            RunState::Interrupted => "interrupted; can be resumed".into(),
            RunState::Failed => "failed".into(),
        }
    }

    /// Returns label and formatted value of the counter `episodes` or `updates`; `None` if the experiment does not show
    /// it.
    pub fn count(&self, name: &str) -> Option<(String, String)> {
        let count = if name == "episodes" { self.status.episodes } else { self.status.updates };
        let figure = self.measures.readings.progress(name)?;
        (count > 0 || !figure.optional).then(|| (figure.label.to_lowercase(), text::whole(count)))
    }

    /// Returns the curve of a metric.
    pub fn curve(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|known| known.name == name).map(|known| &known.curve)
    }

    fn silence(&self) -> f64 {
        (now() - self.status.heartbeat).max(0.0)
    }

    /// Reopens the run folder if the run was resumed, that is, if the folder has a new monitor file.
    fn reopen(&mut self) -> Result<(), CliError> {
        self.reopened = now();
        let is_another = |ring: RingReader| ring.started().is_ok_and(|started| Some(started) != self.started);
        if RingReader::open(self.folder.path()).is_ok_and(is_another) {
            let (folder, metadata) = RunFolder::open(self.folder.path())?;
            *self = Self::new(folder, metadata)?;
        }
        Ok(())
    }

    fn read_lines(&mut self) -> Result<(), CliError> {
        let mut rows = Vec::new();
        let first = self.tail.rows();
        self.tail
            .read(|row| rows.push(row))
            .map_err(|error| CliError::file("read", &self.folder.metrics(), error))?;
        for (number, row) in (first..).zip(rows) {
            if number >= self.next_row {
                if self.ring.is_none() && row != RecordedRow::default() {
                    self.follow(&row);
                }
                self.add(row.steps, row.values);
                self.next_row = number + 1;
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

    fn add(&mut self, steps: u64, values: Vec<(String, f64)>) {
        for (name, value) in values {
            if !self.measures.is_shown(&name) {
                continue;
            }
            let index = self
                .curves
                .iter()
                .position(|known| known.name == name)
                .unwrap_or_else(|| self.insert_curve(name));
            self.curves[index].curve.push(steps, value);
        }
    }

    /// Inserts an empty curve in display order and returns its index. Display order: main metric, evaluations of the
    /// main metric, the experiment's metrics, all other curves.
    fn insert_curve(&mut self, name: String) -> usize {
        let known = self.metrics.iter().find(|metric| metric.name == name);
        let evaluated = self.measures.evaluated.iter().find(|evaluated| evaluated.name == name);
        let (label, unit) = match (known, evaluated) {
            (Some(metric), _) => (metric.label.clone(), metric.unit.clone()),
            (None, Some(evaluated)) => (evaluated.label.into(), evaluated.unit.into()),
            (None, None) if name == SPEED => ("Speed".into(), format!("{}/s", self.measures.readings.unit)),
            (None, None) if name == "memory" => ("Memory in use".into(), "bytes".into()),
            (None, None) => (name.clone(), String::new()),
        };
        let first = self.important.first().copied().unwrap_or_default();
        let shown = |evaluated: &&EvaluatedMeasure| self.measures.is_shown(evaluated.name);
        let second = self.measures.evaluated.iter().find(shown).map_or("", |evaluated| evaluated.name);
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

//! What a watcher knows of a run: read from its folder, never asked of the run itself.

use super::curve::Curve;
use crate::failure::Failure;
use crate::run::ring::{FILE, Reader, State, Status};
use crate::run::rows::Tail;
use crate::run::{About, RunFolder, now};
use crate::text;
use vivarium_lab::measures::Measures;
use vivarium_lab::protocol::MetricInfo;

/// Silence after which a run that says it is going on is taken for dead, in seconds.
const SILENCE: f64 = 10.0;

/// A named curve with the words for it.
#[derive(Clone, Debug)]
pub struct NamedCurve {
    /// As in the files.
    pub name: String,
    /// For a person.
    pub label: String,
    /// Empty for a pure number.
    pub unit: String,
    /// The curve.
    pub curve: Curve,
}

/// A run being watched.
pub struct Watch {
    folder: RunFolder,
    /// What does not change over the run.
    pub about: About,
    /// How the experiment is measured.
    pub measures: Measures,
    metrics: Vec<MetricInfo>,
    ring: Reader,
    tail: Tail,
    next_row: u64,
    /// How the run is doing.
    pub status: Status,
    /// In the order in which to show them.
    pub curves: Vec<NamedCurve>,
    reopened: f64,
}

impl Watch {
    /// Attaches to the run in `folder`.
    ///
    /// # Errors
    /// Where its ring is missing or not one.
    pub fn new(folder: RunFolder, about: About) -> Result<Self, Failure> {
        let ring = Reader::open(folder.path())
            .map_err(|error| Failure::file("watch", &folder.path().join(FILE), error))?;
        let info = vivarium_exhibits::info(&about.experiment).ok();
        let measures = vivarium_exhibits::measures(&about.experiment).unwrap_or_default();
        let metrics = info.map(|info| info.metrics).unwrap_or_default();
        let tail = Tail::new(folder.metrics());
        let status = Status::default();
        let mut watch = Self {
            folder,
            about,
            measures,
            metrics,
            ring,
            tail,
            next_row: 0,
            status,
            curves: Vec::new(),
            reopened: now(),
        };
        watch.read_lines()?;
        watch.poll()?;
        Ok(watch)
    }

    /// Takes in what has come since.
    ///
    /// # Errors
    /// What the file system says.
    pub fn poll(&mut self) -> Result<(), Failure> {
        let path = self.folder.path().join(FILE);
        let failed = |error| Failure::file("watch", &path, error);
        if let Some(status) = self.ring.status().map_err(failed)? {
            self.status = status;
        }
        let rows = self.ring.rows().map_err(failed)?;
        if self.next_row < rows && self.ring.row(self.next_row).map_err(failed)?.is_none() {
            // The ring has gone round since the last look; what is missing is in the file.
            self.read_lines()?;
        }
        for number in self.next_row.max(self.ring.oldest().map_err(failed)?)..rows {
            if let Some(row) = self.ring.row(number).map_err(failed)? {
                self.add(row.steps, row.values);
                self.next_row = number + 1;
            }
        }
        if !self.is_alive() && now() - self.reopened > 1.0 {
            self.reopen()?;
        }
        Ok(())
    }

    /// Whether the run is going on.
    pub fn is_alive(&self) -> bool {
        self.status.state == State::Running && self.silence() < SILENCE
    }

    /// How the run is doing, in words.
    pub fn state(&self) -> String {
        match self.status.state {
            State::Running if self.is_alive() => "training".into(),
            State::Running => format!("no sign of life for {}", text::duration(self.silence())),
            State::Finished => "finished".into(),
            State::Interrupted => "stopped; can be resumed".into(),
            State::Failed => "failed".into(),
        }
    }

    /// The curve of that name.
    pub fn curve(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|known| known.name == name).map(|known| &known.curve)
    }

    fn silence(&self) -> f64 {
        (now() - self.status.heartbeat).max(0.0)
    }

    /// Looks whether the folder has been taken over by a resumed run, which has a ring of its own.
    fn reopen(&mut self) -> Result<(), Failure> {
        self.reopened = now();
        let started = |ring: &Reader| ring.started().ok();
        if Reader::open(self.folder.path()).is_ok_and(|ring| started(&ring) != started(&self.ring)) {
            let (folder, about) = RunFolder::open(self.folder.path())?;
            *self = Self::new(folder, about)?;
        }
        Ok(())
    }

    fn read_lines(&mut self) -> Result<(), Failure> {
        let mut rows = Vec::new();
        let first = self.tail.rows();
        self.tail
            .read(|row| rows.push(row))
            .map_err(|error| Failure::file("read", &self.folder.metrics(), error))?;
        for (number, row) in (first..).zip(rows) {
            if number >= self.next_row {
                self.add(row.steps, row.values);
                self.next_row = number + 1;
            }
        }
        Ok(())
    }

    fn add(&mut self, steps: u64, values: Vec<(String, f64)>) {
        for (name, value) in values {
            let index =
                self.curves.iter().position(|known| known.name == name).unwrap_or_else(|| self.enter(name));
            self.curves[index].curve.push(steps, value);
        }
    }

    /// Makes a new curve in its place: what counts first, then as the experiment lists its metrics, then the others.
    fn enter(&mut self, name: String) -> usize {
        let known = self.metrics.iter().find(|metric| metric.name == name);
        let evaluated = self.measures.evaluated.iter().find(|evaluated| evaluated.name == name);
        let (label, unit) = match (known, evaluated) {
            (Some(metric), _) => (metric.label.clone(), metric.unit.clone()),
            (None, Some(evaluated)) => (evaluated.label.into(), evaluated.unit.into()),
            (None, None) if name == "steps_per_second" => {
                ("Throughput".into(), format!("{}/s", self.measures.unit))
            }
            (None, None) if name == "memory" => ("Memory in use".into(), "bytes".into()),
            (None, None) => (name.clone(), String::new()),
        };
        let (first, _) = self.measures.curves;
        let second = self.measures.quality();
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

//! What a watcher knows of a run: read from its folder, never asked of the run itself.

use super::curve::Curve;
use crate::failure::Failure;
use crate::run::ring::{FILE, Reader, State, Status};
use crate::run::rows::{Row, Tail};
use crate::run::{About, RunFolder, now};
use crate::text;
use std::io;
use vivarium_lab::measures::{Evaluated, Measures};
use vivarium_lab::protocol::MetricInfo;

/// Silence after which a run that says it is going on is taken for dead, in seconds.
const SILENCE: f64 = 10.0;

/// The curve of the speed: steps, epochs or tokens a second.
pub const SPEED: &str = "steps_per_second";

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
    /// Metrics that are worth a look whichever curve is chosen, the most important first.
    pub important: Vec<&'static str>,
    metrics: Vec<MetricInfo>,
    /// Nothing where it cannot be read: the file of metrics is then all that there is.
    ring: Option<Reader>,
    /// When the run started whose ring it is.
    started: Option<f64>,
    tail: Tail,
    next_row: u64,
    /// How the run is doing.
    pub status: Status,
    /// In the order in which to show them.
    pub curves: Vec<NamedCurve>,
    reopened: f64,
}

impl Watch {
    /// Attaches to the run in `folder`. Where its ring is missing or broken, the file of metrics is read alone.
    ///
    /// # Errors
    /// What the file system says of that file.
    pub fn new(folder: RunFolder, about: About) -> Result<Self, Failure> {
        let info = vivarium_exhibits::info(&about.experiment).ok();
        let measures = vivarium_exhibits::measures(&about.experiment).unwrap_or_default();
        let metrics = info.map(|info| info.metrics).unwrap_or_default();
        // Without a config that can be read there are the curves of most configs.
        let important = measures.readings.curves(&folder.config().unwrap_or_default());
        let tail = Tail::new(folder.metrics());
        let status = Status::default();
        let mut watch = Self {
            folder,
            about,
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
        match Reader::open(watch.folder.path()) {
            Ok(ring) => (watch.started, watch.ring) = (ring.started().ok(), Some(ring)),
            Err(error) => watch.leave_ring(&error),
        }
        watch.read_lines()?;
        watch.poll()?;
        Ok(watch)
    }

    /// Takes in what has come since.
    ///
    /// # Errors
    /// What the file system says.
    pub fn poll(&mut self) -> Result<(), Failure> {
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

    /// Steps a second: of the last seconds while the run goes on, of its newest row once it has ended.
    pub fn speed(&self) -> f64 {
        let recorded = || self.curve(SPEED).map(Curve::last);
        if self.is_alive() { self.status.speed } else { recorded().unwrap_or(self.status.speed) }
    }

    /// Takes in what has come since through the ring; the inner error is the ring's.
    fn read_ring(&mut self, ring: &mut Reader) -> Result<io::Result<()>, Failure> {
        let news = |watch: &mut Self, ring: &mut Reader| -> io::Result<(u64, u64, bool)> {
            if let Some(status) = ring.status()? {
                watch.status = status;
            }
            let rows = ring.rows()?;
            let is_behind = watch.next_row < rows && ring.row(watch.next_row)?.is_none();
            Ok((ring.oldest()?, rows, is_behind))
        };
        let (oldest, rows, is_behind) = match news(self, ring) {
            Ok(news) => news,
            Err(error) => return Ok(Err(error)),
        };
        if is_behind {
            // The ring has gone round since the last look; what is missing is in the file.
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

    /// Goes on without the ring.
    fn leave_ring(&mut self, error: &io::Error) {
        let failure = Failure::file("watch", &self.folder.path().join(FILE), error);
        let why = failure.message().unwrap_or_default();
        self.status.notice = format!("{why}; metrics.jsonl is read instead");
    }

    /// Whether the run is going on.
    pub fn is_alive(&self) -> bool {
        self.ring.is_some() && self.status.state == State::Running && self.silence() < SILENCE
    }

    /// How the run is doing, in words.
    pub fn state(&self) -> String {
        match self.status.state {
            _ if self.ring.is_none() => "as its metrics.jsonl says".into(),
            State::Running if self.is_alive() => "training".into(),
            State::Running => format!("no sign of life for {}", text::duration(self.silence())),
            State::Reached => "finished: its goal is reached".into(),
            State::Steps => format!("finished: all {} are done", self.measures.count(self.status.steps)),
            State::Minutes => "ended by --minutes".into(),
            State::Interrupted => "stopped; can be resumed".into(),
            State::Failed => "failed".into(),
        }
    }

    /// The label and the number of `episodes` or `updates` in words, where they are shown.
    pub fn count(&self, name: &str) -> Option<(String, String)> {
        let count = if name == "episodes" { self.status.episodes } else { self.status.updates };
        let figure = self.measures.readings.progress(name)?;
        (count > 0 || !figure.optional).then(|| (figure.label.to_lowercase(), text::whole(count)))
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
        let is_another = |ring: Reader| ring.started().is_ok_and(|started| Some(started) != self.started);
        if Reader::open(self.folder.path()).is_ok_and(is_another) {
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
                if self.ring.is_none() && row != Row::default() {
                    self.follow(&row);
                }
                self.add(row.steps, row.values);
                self.next_row = number + 1;
            }
        }
        Ok(())
    }

    /// Takes over what a row says of how the run is doing.
    fn follow(&mut self, row: &Row) {
        let speed = row.get(SPEED).unwrap_or(self.status.speed);
        self.status = Status {
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
            (None, None) if name == SPEED => ("Speed".into(), format!("{}/s", self.measures.readings.unit)),
            (None, None) if name == "memory" => ("Memory in use".into(), "bytes".into()),
            (None, None) => (name.clone(), String::new()),
        };
        let first = self.important.first().copied().unwrap_or_default();
        let shown = |evaluated: &&Evaluated| self.measures.is_shown(evaluated.name);
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

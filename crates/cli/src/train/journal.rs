//! What is written down of a run and shown while it goes on: its files, the ring for those who watch, and the bar.

use super::progress::{Display, Snapshot};
use super::schedule::Speed;
use crate::failure::Failure;
use crate::run::ring::{State, Status};
use crate::run::rows::Row;
use crate::run::{Recorder, RunFolder, now};
use std::time::Instant;
use vivarium_lab::protocol::{EngineInfo, Progress};

/// Those who watch and the bar are shown how the run goes this often, in seconds.
const SHOW_EVERY: f64 = 0.05;

/// Files are brought up to date this often, in seconds.
const FLUSH: f64 = 1.0;

/// A file that still cannot be written is reported this often, in seconds.
const COMPLAIN: f64 = 60.0;

/// The files of a run, its status and its bar.
pub struct Journal {
    pub folder: RunFolder,
    recorder: Recorder,
    display: Display,
    pub status: Status,
    start: Instant,
    /// Seconds of training before this session.
    elapsed_before: f64,
    pub speed: Speed,
    shown_at: f64,
    flushed: f64,
    /// When a file could not be written last that was reported.
    complained: f64,
}

impl Journal {
    /// One that goes on after so many seconds of training.
    pub fn new(folder: RunFolder, recorder: Recorder, elapsed_before: f64) -> Self {
        Self {
            folder,
            recorder,
            display: Display::new(),
            status: Status::default(),
            start: Instant::now(),
            elapsed_before,
            speed: Speed::default(),
            shown_at: f64::NEG_INFINITY,
            flushed: 0.0,
            complained: f64::NEG_INFINITY,
        }
    }

    /// Seconds since this session began.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether an earlier session trained it.
    pub fn is_resumed(&self) -> bool {
        self.elapsed_before > 0.0
    }

    /// Seconds of training in all sessions.
    pub fn elapsed(&self) -> f64 {
        self.elapsed_before + self.seconds()
    }

    /// Books the time since `before` to a phase.
    pub fn spent(&mut self, phase: &str, before: f64) {
        let seconds = self.seconds() - before;
        match self.status.phases.iter_mut().find(|(name, _)| name == phase) {
            Some((_, sum)) => *sum += seconds,
            None => self.status.phases.push((phase.to_owned(), seconds)),
        }
    }

    /// Writes a row of measurements.
    pub fn record(
        &mut self,
        progress: &Progress,
        steps: u64,
        values: Vec<(String, f64)>,
        notice: Option<String>,
    ) {
        let row = Row { steps, updates: progress.updates, elapsed: self.elapsed(), values, notice };
        let recorded = self.recorder.record(&row);
        self.report(recorded);
    }

    /// Says something to a person at the terminal.
    pub fn say(&self, notice: &str) {
        self.display.say(notice);
    }

    /// Notes in the folder what the run computes on, where that is another engine than before.
    ///
    /// # Errors
    /// What the file system says.
    pub fn note_engine(&self, engine: EngineInfo) -> Result<(), Failure> {
        let (_, about) = RunFolder::open(self.folder.path())?;
        let now = about.clone().on(engine);
        if now == about { Ok(()) } else { self.folder.write_about(&now) }
    }

    /// Whether it is time to show how the run goes.
    pub fn is_due(&self) -> bool {
        self.seconds() - self.shown_at >= SHOW_EVERY
    }

    /// Shows those who watch how the run goes: a few words into the ring, and the bar.
    pub fn show(&mut self, progress: &Progress, snapshot: &Snapshot) {
        self.shown_at = self.seconds();
        self.status = Status {
            heartbeat: now(),
            elapsed: self.elapsed(),
            steps: progress.steps,
            updates: progress.updates,
            episodes: progress.episodes,
            goal_steps: snapshot.goal_steps,
            speed: snapshot.speed,
            ..std::mem::take(&mut self.status)
        };
        self.recorder.set_status(&self.status);
        self.display.show(snapshot);
    }

    /// Shows those who watch that the run is alive, where it is time to.
    pub fn beat(&mut self) {
        if self.is_due() {
            self.shown_at = self.seconds();
            self.status.heartbeat = now();
            self.recorder.set_status(&self.status);
        }
    }

    /// Brings the files up to date, where it is time to.
    pub fn flush_when_due(&mut self) {
        let seconds = self.seconds();
        if seconds - self.flushed >= FLUSH {
            let flushed = self.recorder.flush();
            self.report(flushed);
            self.flushed = seconds;
        }
    }

    /// Ends the run as it ended.
    ///
    /// # Errors
    /// What the file system says.
    pub fn end(&mut self) -> Result<(), Failure> {
        let flushed = self.recorder.flush();
        self.display.end();
        flushed
    }

    /// Reports a file that could not be written; the run goes on and tries again. The same failure is reported once a minute.
    pub fn report(&mut self, outcome: Result<(), Failure>) {
        let Err(failure) = outcome else { return };
        let why = failure.message().unwrap_or_default();
        let notice = format!("{why}; training goes on, and it will be tried again");
        let seconds = self.seconds();
        if self.status.notice != notice || seconds - self.complained >= COMPLAIN {
            self.display.say(&notice);
            self.status.notice = notice;
            self.complained = seconds;
        }
    }
}

impl Drop for Journal {
    /// A run that ends in any other way than by itself or by Ctrl-C has failed: watchers should know.
    fn drop(&mut self) {
        self.display.end();
        if self.status.state == State::Running {
            self.status.state = State::Failed;
            self.status.heartbeat = now();
            self.recorder.set_status(&self.status);
        }
        // Dropping writes what is left of the files; an error here has been reported already.
        let _ = self.recorder.flush();
    }
}

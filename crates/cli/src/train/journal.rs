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

/// An evaluation that takes no longer is not shown, in seconds.
const SHORT: f64 = 1.0;

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
    complaints: Complaints,
    /// What was shown last.
    snapshot: Snapshot,
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
            complaints: Complaints::default(),
            snapshot: Snapshot::default(),
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

    /// Books the time since `before` to a phase beside training, which does not slow down the steps.
    pub fn beside(&mut self, phase: &str, before: f64) {
        self.speed.pause(self.seconds() - before);
        self.spent(phase, before);
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
        self.snapshot.clone_from(snapshot);
    }

    /// Shows those who watch that the run is alive, where it is time to: so much of the evaluation that goes on since `before`
    /// is done.
    pub fn show_evaluation(&mut self, share: f64, before: f64) {
        if self.is_due() {
            self.shown_at = self.seconds();
            self.status.heartbeat = now();
            self.recorder.set_status(&self.status);
            if self.shown_at - before >= SHORT {
                self.display.show(&self.snapshot.evaluating(share, self.elapsed()));
            }
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

    /// Reports a file that could not be written; the run goes on and tries again. Each failure is reported once a minute.
    pub fn report(&mut self, outcome: Result<(), Failure>) {
        let Err(failure) = outcome else { return };
        let why = failure.message().unwrap_or_default();
        let notice = format!("{why}; training goes on, and it will be tried again");
        if self.complaints.is_due(&notice, self.seconds()) {
            self.display.say(&notice);
        }
        self.status.notice = notice;
    }
}

/// Failures and when each was reported last, in seconds.
#[derive(Debug, Default)]
struct Complaints(Vec<(String, f64)>);

impl Complaints {
    /// Whether a failure is to be reported `now`; takes note that it is.
    fn is_due(&mut self, failure: &str, now: f64) -> bool {
        self.0.retain(|(_, reported)| now - reported < COMPLAIN);
        let is_new = self.0.iter().all(|(known, _)| known != failure);
        if is_new {
            self.0.push((failure.to_owned(), now));
        }
        is_new
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

#[cfg(test)]
mod tests {
    use super::Complaints;

    #[test]
    fn failures_that_take_turns_are_each_reported_once_a_minute() {
        let mut complaints = Complaints::default();
        let said = (0..=60u32).map(|second| {
            let now = f64::from(second);
            ["latest", "metrics"].into_iter().filter(|file| complaints.is_due(file, now)).count()
        });
        let said: Vec<usize> = said.collect();
        assert_eq!((said[0], said[60], said.iter().sum::<usize>()), (2, 2, 4));
    }
}

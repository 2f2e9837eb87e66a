//! Output of a run in progress: metrics files, monitor file and progress bar.

use super::args::TrainArgs;
use super::progress::{ProgressDisplay, ProgressSnapshot};
use crate::error::CliError;
use crate::run::monitor_file::{MonitorStatus, RunState};
use crate::run::{DEFAULT_ROWS, MetricsRecorder, RunFolder, now};
use crate::terminal;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use vivarium_lab::protocol::{EngineInfo, Progress};
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::speed_meter::SpeedMeter;

/// Minimum interval between two updates of the monitor file and the progress bar, in seconds.
const DISPLAY_INTERVAL: f64 = 0.05;

/// Minimum interval between two flushes of the metrics files, in seconds: maximum delay of the curves in `vivarium
/// monitor`.
const FLUSH_INTERVAL: f64 = 0.25;

/// Duration of an evaluation, in seconds, after which the progress bar shows the progress of the evaluation.
const EVALUATION_BAR_DELAY: f64 = 1.0;

/// Interval between two reports of the same write error, in seconds.
const ERROR_INTERVAL: f64 = 60.0;

/// Options of a run about evaluations, metrics and checkpoints.
#[derive(Clone, Copy, Debug)]
pub struct RecordingOptions {
    /// Whether standard output receives the recorded rows as JSON.
    pub json: bool,
    /// Maximum number of recorded rows per doubling of the gradient steps.
    pub metrics_rows: u32,
    /// Number of training steps between evaluations; `None` selects the schedule of the experiment.
    pub evaluate_every: Option<u64>,
    /// Number of numbered checkpoints to keep.
    pub numbered_checkpoints: usize,
}

impl From<&TrainArgs> for RecordingOptions {
    fn from(args: &TrainArgs) -> Self {
        Self {
            json: args.json,
            metrics_rows: args.metrics_rows.unwrap_or(DEFAULT_ROWS),
            evaluate_every: args.evaluate_every,
            numbered_checkpoints: args.keep_checkpoints.unwrap_or(0) as usize,
        }
    }
}

/// Output of a run in progress: metrics files, monitor file and progress bar.
pub struct Journal {
    pub folder: RunFolder,
    recorder: MetricsRecorder,
    /// Whether standard output receives the recorded rows as JSON.
    json: bool,
    display: ProgressDisplay,
    pub status: MonitorStatus,
    start: Instant,
    /// Training time of earlier sessions, in seconds.
    elapsed_before: f64,
    pub speed: SpeedMeter,
    shown_at: f64,
    flushed: f64,
    error_throttle: ErrorThrottle,
    /// Whether the last flush of the metrics files failed.
    flush_failed: bool,
    /// Checkpoint files whose last write failed.
    pub(super) unwritten: Vec<PathBuf>,
    /// Last displayed progress, which the display during an evaluation repeats.
    snapshot: ProgressSnapshot,
}

impl Journal {
    /// Creates the output of a training session. Earlier sessions have trained the run for `elapsed_before` seconds.
    /// `json` is whether standard output receives the recorded rows as JSON.
    pub fn new(folder: RunFolder, recorder: MetricsRecorder, elapsed_before: f64, json: bool) -> Self {
        Self {
            folder,
            recorder,
            json,
            display: ProgressDisplay::new(),
            status: MonitorStatus { started: now(), ..MonitorStatus::default() },
            start: Instant::now(),
            elapsed_before,
            speed: SpeedMeter::default(),
            shown_at: f64::NEG_INFINITY,
            flushed: 0.0,
            error_throttle: ErrorThrottle::default(),
            flush_failed: false,
            unwritten: Vec::new(),
            snapshot: ProgressSnapshot::default(),
        }
    }

    /// Returns the time in seconds since the start of this session.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns whether the run has been trained in an earlier session.
    pub fn is_resumed(&self) -> bool {
        self.elapsed_before > 0.0
    }

    /// Returns the training time of all sessions in seconds.
    pub fn elapsed(&self) -> f64 {
        self.elapsed_before + self.seconds()
    }

    /// Adds the time since `before` to the time profile as the phase `phase`, such as "evaluation". The training
    /// speed excludes this time. `before` is in seconds since the start of the session.
    pub fn add_pause(&mut self, phase: &str, before: f64) {
        self.speed.pause(self.seconds() - before);
        self.add_phase_time(phase, before);
    }

    /// Adds the time since `before` to the time profile as the phase `phase`, such as "rollout". `before` is in
    /// seconds since the start of the session.
    pub fn add_phase_time(&mut self, phase: &str, before: f64) {
        let seconds = self.seconds() - before;
        match self.status.phases.iter_mut().find(|(name, _)| name == phase) {
            Some((_, sum)) => *sum += seconds,
            None => self.status.phases.push((phase.to_owned(), seconds)),
        }
    }

    /// Writes a metric row to the files of the run, and to standard output with `--json`, if subsampling selects the
    /// row. If writing fails, prints the error; training continues.
    pub fn record(
        &mut self,
        progress: &Progress,
        steps: u64,
        values: Vec<(String, f64)>,
        notice: Option<String>,
    ) {
        let row = RecordedRow { steps, updates: progress.updates, elapsed: self.elapsed(), values, notice };
        if self.recorder.select(&row) {
            let line = row.to_line();
            if self.json {
                terminal::print_if_open(&metrics_event(&line));
            }
            let written = self.recorder.write(&row, &line);
            self.report(written);
        }
    }

    /// Prints a notice above the progress bar.
    pub fn print_notice(&self, notice: &str) {
        self.display.suspend(|| terminal::print_message(notice));
    }

    /// Updates engine and GPU adapter in `run.json` if the engine has changed.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be written.
    pub fn update_engine(&self, engine: EngineInfo) -> Result<(), CliError> {
        self.folder.update_metadata(|metadata| metadata.on(engine))
    }

    /// Returns whether an update of the monitor file and the progress bar is due.
    pub fn is_due(&self) -> bool {
        self.seconds() - self.shown_at >= DISPLAY_INTERVAL
    }

    /// Writes progress and speed to the monitor file and to the progress bar.
    pub fn show(&mut self, progress: &Progress, snapshot: &ProgressSnapshot) {
        self.shown_at = self.seconds();
        self.status = MonitorStatus {
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

    /// Updates the display during an evaluation, if an update is due: writes a heartbeat, and shows the completed
    /// share `share` (0 to 1). The evaluation started at `before`, in seconds since the start of the session.
    pub fn show_evaluation(&mut self, share: f64, before: f64) {
        if self.is_due() {
            self.shown_at = self.seconds();
            self.status.heartbeat = now();
            self.recorder.set_status(&self.status);
            if self.shown_at - before >= EVALUATION_BAR_DELAY {
                self.display.show(&self.snapshot.during_evaluation(share, self.elapsed()));
            }
        }
    }

    /// Flushes the metrics files if a flush is due.
    pub fn flush_when_due(&mut self) {
        let seconds = self.seconds();
        if seconds - self.flushed >= FLUSH_INTERVAL {
            let flushed = self.recorder.flush();
            if flushed.is_ok() && self.flush_failed {
                let message = self.recorder.recovery_message();
                self.print_message("recovered", &message);
                self.flush_failed = false;
                self.clear_notice_if_written();
            }
            self.flush_failed = flushed.is_err();
            self.report(flushed);
            self.flushed = seconds;
        }
    }

    /// Flushes the metrics files and removes the progress bar.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be written.
    pub fn end(&mut self) -> Result<(), CliError> {
        let flushed = self.recorder.flush();
        self.display.end();
        flushed
    }

    /// Prints the error of a failed write, each message at most once a minute. Training continues.
    pub fn report(&mut self, outcome: Result<(), CliError>) {
        let Err(failure) = outcome else { return };
        let why = failure.message().unwrap_or_default();
        let notice = format!("{why}; training continues, and the write will be retried");
        if self.error_throttle.is_due(&notice, self.seconds()) {
            self.print_message("warning", &notice);
        }
        self.status.notice = notice;
    }

    /// Prints the error of a failed write of the checkpoint `path`, as [`report`](Self::report), and the first successful write
    /// after a failed one.
    pub fn report_checkpoint(&mut self, path: &Path, outcome: Result<(), CliError>) {
        let known = self.unwritten.iter().position(|failed| failed == path);
        match (&outcome, known) {
            (Err(_), None) => self.unwritten.push(path.to_owned()),
            (Ok(()), Some(index)) => {
                self.unwritten.remove(index);
                self.print_message("recovered", &format!("{} was written again", path.display()));
                self.clear_notice_if_written();
            }
            _ => {}
        }
        self.report(outcome);
    }

    /// Removes the notice of a failed write from the monitor file if no write of a file has failed since its last success.
    fn clear_notice_if_written(&mut self) {
        if !self.flush_failed && self.unwritten.is_empty() {
            self.status.notice.clear();
        }
    }

    /// Prints a message about a write with the time, for the logs of unattended runs, and with `--json` as the event `name`.
    fn print_message(&self, name: &str, message: &str) {
        let time = now();
        self.display.suspend(|| terminal::print_at(time, message));
        if self.json {
            let event = json!({ "event": name, "message": message, "time": time });
            terminal::print_if_open(&event.to_string());
        }
    }
}

/// Formats a row of `metrics.jsonl`, given as its line, as the event `metrics` of `--json`.
fn metrics_event(line: &str) -> String {
    let fields = line.trim_end().strip_prefix('{').unwrap_or(line);
    format!("{{\"event\":\"metrics\",{fields}")
}

/// Rate limit of error messages: messages with the time of their last report, in seconds.
#[derive(Debug, Default)]
struct ErrorThrottle(Vec<(String, f64)>);

impl ErrorThrottle {
    /// Returns whether to report the error message `failure` at the time `now` (in seconds). If so, stores the
    /// message and the time.
    fn is_due(&mut self, failure: &str, now: f64) -> bool {
        self.0.retain(|(_, reported)| now - reported < ERROR_INTERVAL);
        let is_new = self.0.iter().all(|(known, _)| known != failure);
        if is_new {
            self.0.push((failure.to_owned(), now));
        }
        is_new
    }
}

impl Drop for Journal {
    /// Removes the progress bar and flushes the files. If no final state was set, the state of the run becomes
    /// "failed".
    fn drop(&mut self) {
        self.display.end();
        if self.status.state == RunState::Running {
            self.status.state = RunState::Failed;
            self.status.heartbeat = now();
            self.recorder.set_status(&self.status);
        }
        // Write errors have already been reported.
        let _ = self.recorder.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorThrottle;

    #[test]
    fn alternating_failures_are_each_reported_once_a_minute() {
        let mut error_throttle = ErrorThrottle::default();
        let said = (0..=60u32).map(|second| {
            let now = f64::from(second);
            ["latest", "metrics"].into_iter().filter(|file| error_throttle.is_due(file, now)).count()
        });
        let said: Vec<usize> = said.collect();
        assert_eq!((said[0], said[60], said.iter().sum::<usize>()), (2, 2, 4));
    }
}

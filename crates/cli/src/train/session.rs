//! Training session: the training loop, which evaluates, saves checkpoints, records metrics and shows the progress.

use super::evaluation::{EvaluationTask, EvaluationTracker};
use super::interrupt;
use super::journal::Journal;
use super::limits::{StopConditions, StopReason};
use super::progress::ProgressSnapshot;
use super::schedule::Throttle;
use crate::error::CliError;
use crate::goal::Goal;
use crate::run::monitor_file::RunState;
use crate::run::{self, BestCheckpoint, MetricsRecorder, RunFolder};
use crate::{machine, text};
use std::sync::OnceLock;
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::{Measures, RunStatus};
use vivarium_lab::protocol::{EngineInfo, MetricRow};

/// Returns the time in seconds since the first call of this function: the clock of the experiment.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Training session of a run: from the start or the resumption of the run to its stop.
pub struct TrainingSession {
    pub(super) experiment: Box<dyn Experiment>,
    cpu: Cpu,
    pub(super) journal: Journal,
    pub(super) info: ExperimentInfo,
    pub(super) measures: &'static dyn Measures,
    pub(super) limits: StopConditions,
    /// Path of the user's training corpus, for the commands in messages.
    pub(super) text: Option<String>,
    save: Throttle,
    /// Number of training steps at the start of this session.
    first_step: u64,
    /// Number of training steps in the latest checkpoint.
    pub(super) saved_steps: u64,
    /// Newest metrics as (name, value).
    newest: Vec<(String, f64)>,
    pub(super) evaluations: EvaluationTracker,
    best: Option<f64>,
}

impl TrainingSession {
    /// Creates a session: opens the files of the run folder and saves an initial checkpoint.
    ///
    /// # Errors
    /// File system errors.
    pub fn new(
        mut experiment: Box<dyn Experiment>,
        cpu: Cpu,
        folder: RunFolder,
        (info, measures): (ExperimentInfo, &'static dyn Measures),
        limits: StopConditions,
    ) -> Result<Self, CliError> {
        experiment.set_clock(clock);
        let progress = experiment.progress();
        let quality = measures.score().name;
        let (recorder, before) = MetricsRecorder::open(&folder, progress.steps, progress.updates, quality)?;
        let best = match folder.best_quality()? {
            BestCheckpoint::None => None,
            BestCheckpoint::Quality(quality) => Some(quality),
            BestCheckpoint::Unknown => before.best,
        };
        let text = experiment.config()["data"].as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        let mut session = Self {
            experiment,
            cpu,
            journal: Journal::new(folder, recorder, before.elapsed),
            info,
            measures,
            limits,
            text,
            save: Throttle::new(0.02, 10.0),
            first_step: progress.steps,
            saved_steps: progress.steps,
            newest: Vec::new(),
            evaluations: EvaluationTracker::new(before.evaluated_at),
            best,
        };
        session.save()?;
        Ok(session)
    }

    /// Trains until a stop condition holds. Failed writes during training are retried.
    ///
    /// # Errors
    /// [`CliError::Failed`] if training diverged or the final checkpoint could not be written.
    pub fn run(&mut self) -> Result<StopReason, CliError> {
        let mut end = self.train()?;
        let is_evaluated =
            self.evaluations.last.is_some() && self.evaluations.at == Some(self.experiment.progress().steps);
        if end != StopReason::Interrupted && !is_evaluated {
            let reached = if self.evaluate()? { self.reached() } else { None };
            end = match reached {
                _ if interrupt::is_stop_requested() => StopReason::Interrupted,
                Some(value) => StopReason::Reached(value),
                None => end,
            };
        }
        self.save().map_err(|failure| self.with_saved(&failure))?;
        self.journal.status.state = match end {
            StopReason::Interrupted => RunState::Interrupted,
            StopReason::Reached(_) => RunState::Reached,
            StopReason::Steps => RunState::Steps,
            StopReason::Minutes => RunState::Minutes,
        };
        self.show();
        self.journal.end()?;
        Ok(end)
    }

    pub(super) fn train(&mut self) -> Result<StopReason, CliError> {
        // Whether the last call of `advance` completed an iteration (rollout and update).
        let mut reported = true;
        self.speed();
        loop {
            if let Some(end) = self.reached_a_limit(reported)? {
                return Ok(end);
            }
            let phase = self.experiment.phase();
            let before = self.journal.seconds();
            let (cpu, experiment) = (&self.cpu, &mut self.experiment);
            cpu.install(|| experiment.advance(cpu)).map_err(|error| self.diverged(&error))?;
            self.journal.spent(phase, before);
            let mut end = None;
            let rows = self.experiment.take_metrics();
            reported = rows.iter().any(|row| !row.values.is_empty());
            for row in rows {
                end = end.or(self.take(row)?);
            }
            if let Some(end) = end {
                return Ok(end);
            }
            if self.journal.is_due() {
                self.show();
            }
            self.journal.flush_when_due();
            if self.save.is_due(self.journal.seconds()) {
                self.try_save();
            }
        }
    }

    /// Evaluates the experiment if an evaluation is due, and checks the stop conditions. The step limit is checked only
    /// at the end of an iteration (`reported`), because a checkpoint excludes the steps of an unfinished iteration.
    fn reached_a_limit(&mut self, reported: bool) -> Result<Option<StopReason>, CliError> {
        if interrupt::is_stop_requested() {
            return Ok(Some(StopReason::Interrupted));
        }
        let steps = self.experiment.progress().steps;
        if reported && self.evaluations.is_due(self.measures, steps) {
            if !self.evaluate()? {
                return Ok(Some(if interrupt::is_stop_requested() {
                    StopReason::Interrupted
                } else {
                    StopReason::Minutes
                }));
            }
            if let Some(value) = self.reached() {
                return Ok(Some(StopReason::Reached(value)));
            }
        }
        if reported && self.last_step().is_some_and(|last| steps >= last) {
            return Ok(Some(StopReason::Steps));
        }
        let is_over = |minutes: f64| {
            let seconds = self.journal.seconds() - minutes * 60.0;
            // At least one iteration is trained, unless the grace period is over.
            let trained = reported && steps > self.first_step;
            seconds >= self.limits.grace || (trained && seconds >= 0.0)
        };
        if self.limits.minutes.is_some_and(is_over) {
            return Ok(Some(StopReason::Minutes));
        }
        Ok(None)
    }

    /// Records a metric row. Returns the stop reason if the row reaches the goal.
    fn take(&mut self, row: MetricRow) -> Result<Option<StopReason>, CliError> {
        let value_of =
            |name: &str| row.values.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let goal = self.limits.until.as_ref();
        let reached = goal.and_then(|goal| value_of(goal.measure()).filter(|value| goal.is_met_by(*value)));
        if !row.values.is_empty() {
            self.newest.clone_from(&row.values);
        }
        if let Some(notice) = &row.notice {
            self.journal.say(notice);
            self.journal.status.notice.clone_from(notice);
            // The notice may be a device loss with fallback to the CPU.
            self.journal.note_engine(self.experiment.engine())?;
        }
        let mut values = row.values;
        values.push(("steps_per_second".into(), self.speed()));
        let memory = self.measures.reports_memory().then(machine::memory).flatten();
        values.extend(memory.map(|bytes| ("memory".into(), bytes as f64)));
        self.journal.record(&self.experiment.progress(), row.steps, values, row.notice);
        Ok(reached.map(StopReason::Reached))
    }

    /// Updates the speed meter, and returns the training speed in steps per second.
    fn speed(&mut self) -> f64 {
        self.journal.speed.note(self.journal.seconds(), self.experiment.progress().steps);
        self.journal.speed.per_second()
    }

    /// Updates the monitor file and the progress display.
    pub(super) fn show(&mut self) {
        let (progress, speed) = (self.experiment.progress(), self.speed());
        let (done, to_go) = self.done_and_to_go(progress.steps, speed);
        let snapshot = ProgressSnapshot {
            done,
            elapsed: self.journal.elapsed(),
            unit: self.info.readings.unit,
            steps: progress.steps,
            goal_steps: self.last_step(),
            speed,
            status: self
                .measures
                .status(&RunStatus { metrics: &self.newest, evaluation: self.evaluations.last.as_ref() }),
            to_go,
            adapter: match self.experiment.engine() {
                EngineInfo::Cpu => None,
                EngineInfo::Gpu { adapter, .. } => Some(adapter),
            },
        };
        self.journal.show(&progress, &snapshot);
    }

    /// Returns the completed share of the run and the remaining time in seconds, according to the step limit or the
    /// time limit, whichever ends the run first. If the run has only a goal, the share is the last evaluation score on
    /// a scale from the worst score (0) to the goal (1), and the remaining time is `None`.
    pub(super) fn done_and_to_go(&self, steps: u64, speed: f64) -> (Option<f64>, Option<f64>) {
        let seconds = self.journal.seconds();
        let by_steps = self.last_step().map(|last| {
            // The last iteration may exceed the step limit.
            let left = last.checked_sub(steps).filter(|left| *left > 0);
            (steps as f64 / last.max(1) as f64, left.map_or(f64::INFINITY, |left| left as f64 / speed))
        });
        let by_time = self.limits.minutes.map(|minutes| {
            let all = minutes * 60.0;
            (seconds / all, (all - seconds).max(0.0))
        });
        let soonest = [by_steps, by_time].into_iter().flatten().min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((done, to_go)) = soonest {
            return (Some(done), Some(to_go).filter(|seconds| seconds.is_finite()));
        }
        (self.share_of_return(), None)
    }

    /// Returns the last evaluation score on a scale from the worst score (0) to the goal (1).
    fn share_of_return(&self) -> Option<f64> {
        let is_score = |goal: &&Goal| goal.measure() == self.measures.score().measure;
        let goal = self.limits.until.as_ref().filter(is_score)?;
        let worst = self.measures.scale()?.worst;
        let value = self.evaluations.last.as_ref()?.quality()?;
        (goal.bound() > worst).then(|| (value - worst) / (goal.bound() - worst))
    }

    /// Returns the step limit of the command line, or else of the experiment's config.
    pub(super) fn last_step(&self) -> Option<u64> {
        self.limits.steps.or_else(|| self.experiment.progress().total_steps)
    }

    /// Returns the error of a failed save, extended by the steps of the checkpoint on disk, if that is intact.
    fn with_saved(&self, failure: &CliError) -> CliError {
        let bytes = run::read_checkpoint(&self.journal.folder.latest()).ok();
        let kept = match bytes.and_then(|bytes| checkpoint::read(&bytes).ok()) {
            Some((header, _)) => format!(
                "the previous checkpoint, after {}, is intact, and later training is lost",
                self.info.readings.count(header.steps)
            ),
            None => "there is no intact earlier checkpoint, and the training is lost".to_owned(),
        };
        CliError::failed(format!("{}; {kept}", failure.message().unwrap_or_default()))
    }

    /// Ends the session. The GPU device stays open until the program exits, because closing it would wait for submitted
    /// work.
    pub fn leave(self) {
        if self.experiment.engine() != EngineInfo::Cpu {
            std::mem::forget(self);
        }
    }

    fn diverged(&self, error: &LabError) -> CliError {
        let best = match self.best {
            Some(best) => format!(
                "; the best checkpoint ({} {}) is {}",
                self.measures.score().measure,
                text::number(best),
                self.journal.folder.best().display()
            ),
            None => String::new(),
        };
        CliError::failed(format!("{error}{best}"))
    }

    /// Returns the value of the goal's measure in the last evaluation; `None` if the goal is not reached.
    fn reached(&self) -> Option<f64> {
        self.evaluations.reached(self.limits.until.as_ref())
    }

    /// Evaluates the experiment, and saves the best checkpoint if the evaluation score is the best so far. Returns
    /// whether the evaluation was completed.
    fn evaluate(&mut self) -> Result<bool, CliError> {
        let Self { experiment, cpu, measures, limits, journal, .. } = self;
        let mut subject =
            EvaluationTask { experiment: experiment.as_mut(), cpu, measures: *measures, limits, journal };
        let Some(quality) = self.evaluations.evaluate(&mut subject)? else { return Ok(false) };
        // Among states with equal scores, the latest state becomes the best checkpoint.
        if larger(self.best, quality) == Some(quality) {
            self.keep_best(quality);
        }
        Ok(true)
    }

    /// Saves the current state as the latest checkpoint.
    fn save(&mut self) -> Result<(), CliError> {
        let before = self.journal.seconds();
        let bytes = self.experiment.save();
        let saved = self.journal.folder.save_latest(&bytes);
        if saved.is_ok() {
            // The checkpoint may hold the state at the start of the iteration.
            self.saved_steps = checkpoint::read_header(&bytes).map_err(CliError::failed_by)?.steps;
        }
        self.journal.spent_outside_training("checkpoint", before);
        self.save.done(before, self.journal.seconds());
        saved
    }

    /// Saves the current state as the latest checkpoint. If saving fails, reports the error; the previous checkpoint
    /// remains and training continues.
    pub(super) fn try_save(&mut self) {
        let saved = self.save();
        self.journal.report(saved);
    }

    /// Saves the current state as the best checkpoint, with its evaluation score `quality`.
    fn keep_best(&mut self, quality: f64) {
        let before = self.journal.seconds();
        let saved = self.journal.folder.save_best(self.experiment.save(), quality);
        if saved.is_ok() {
            self.best = Some(quality);
        }
        self.journal.report(saved);
        self.journal.spent_outside_training("checkpoint", before);
    }
}

/// Returns the larger of two evaluation scores; NaN is ignored.
fn larger(best: Option<f64>, value: f64) -> Option<f64> {
    match best {
        Some(best) if best >= value || value.is_nan() => Some(best),
        None if value.is_nan() => None,
        _ => Some(value),
    }
}

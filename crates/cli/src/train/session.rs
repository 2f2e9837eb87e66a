//! Training session: the training loop, which evaluates, saves checkpoints, records metrics and shows the progress.

use super::evaluation::{EvaluationTask, EvaluationTracker};
use super::interrupt;
use super::journal::{Journal, RecordingOptions};
use super::limits::{StopConditions, StopReason};
use super::progress::ProgressSnapshot;
use super::schedule::Throttle;
use crate::error::CliError;
use crate::machine;
use crate::run::monitor_file::RunState;
use crate::run::{self, BestCheckpoint, MetricsRecorder, RunFolder};
use crate::signals::Signal;
use serde_json::Value;
use std::sync::OnceLock;
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{self, evaluation};
use vivarium_lab::config::{get, used_fields};
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lab::goal::Goal;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::{Measures, RunStatus};
use vivarium_lab::protocol::{EngineInfo, MetricRow};

/// Returns the time in seconds since the first call of this function, as the clock of the experiment.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Training session: training of a run from its start or resumption until a stop condition holds.
pub struct TrainingSession {
    pub(super) experiment: Box<dyn Experiment>,
    cpu: Cpu,
    pub(super) journal: Journal,
    pub(super) info: ExperimentInfo,
    pub(super) measures: &'static dyn Measures,
    pub(super) limits: StopConditions,
    /// Path of the user's training corpus, for the commands in messages; `None` without a corpus.
    pub(super) text: Option<String>,
    save: Throttle,
    /// Number of training steps at the start of this session.
    first_step: u64,
    /// Number of training steps in the latest checkpoint.
    pub(super) saved_steps: u64,
    /// Newest metrics of the learner as (name, value).
    newest: Vec<(String, f64)>,
    pub(super) evaluations: EvaluationTracker,
    /// Score of the best checkpoint; `None` if there is none.
    pub(super) best: Option<f64>,
    /// Number of numbered checkpoints to keep: `--keep-checkpoints`.
    numbered: usize,
    /// Returns the signal that has requested that the run stops; `None` if there was none.
    pub(super) stop_request: fn() -> Option<Signal>,
}

impl TrainingSession {
    /// Creates the session: opens the files of the run folder and saves a first checkpoint.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be read or written.
    pub fn new(
        mut experiment: Box<dyn Experiment>,
        cpu: Cpu,
        folder: RunFolder,
        (info, measures): (ExperimentInfo, &'static dyn Measures),
        limits: StopConditions,
        recording: RecordingOptions,
    ) -> Result<Self, CliError> {
        experiment.set_clock(clock);
        let progress = experiment.progress();
        let quality = measures.score().name;
        let (mut recorder, before) = MetricsRecorder::open(
            &folder,
            progress.steps,
            progress.updates,
            quality,
            recording.metrics_rows,
        )?;
        recorder.record_hyperparameters(&hyperparameters(experiment.as_ref(), &info))?;
        let best = match folder.best_quality()? {
            BestCheckpoint::None => None,
            BestCheckpoint::Quality(quality) => Some(quality),
            BestCheckpoint::Unknown => before.best,
        };
        let best_evaluation = folder.best_evaluation(measures);
        let text = experiment.config()["data"].as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        let mut session = Self {
            experiment,
            cpu,
            journal: Journal::new(folder, recorder, before.elapsed, recording.json),
            info,
            measures,
            limits,
            text,
            save: Throttle::new(0.02, 10.0, 60.0),
            first_step: progress.steps,
            saved_steps: progress.steps,
            newest: Vec::new(),
            evaluations: EvaluationTracker::new(
                before.evaluated_at,
                best_evaluation,
                recording.evaluate_every,
            ),
            best,
            numbered: recording.numbered_checkpoints,
            stop_request: interrupt::stop_request,
        };
        session.save()?;
        Ok(session)
    }

    /// Trains until a stop condition holds, evaluates the final state and saves the final checkpoint. Failed writes
    /// during training are retried later.
    ///
    /// # Errors
    /// [`CliError::Failed`] if training diverged or the final checkpoint could not be written.
    pub fn run(&mut self) -> Result<StopReason, CliError> {
        let mut end = self.train()?;
        let is_evaluated =
            self.evaluations.last.is_some() && self.evaluations.at == Some(self.experiment.progress().steps);
        if !matches!(end, StopReason::Interrupted(_)) && !is_evaluated {
            let is_complete = self.evaluate()?;
            let reached = self.goal_value().filter(|_| is_complete);
            end = match (reached, (self.stop_request)()) {
                (Some(value), _) => StopReason::Reached(value),
                // A run with all steps is complete, also without an evaluation of the final state.
                (None, Some(signal)) if end == StopReason::Minutes && !is_complete => {
                    StopReason::Interrupted(signal)
                }
                (None, _) => end,
            };
        }
        self.save().map_err(|failure| self.final_save_error(&failure))?;
        self.journal.report_checkpoint(&self.journal.folder.latest(), Ok(()));
        self.journal.status.state = match end {
            StopReason::Interrupted(_) => RunState::Interrupted,
            StopReason::Reached(_) => RunState::Reached,
            StopReason::Steps => RunState::Steps,
            StopReason::Minutes => RunState::Minutes,
        };
        self.show();
        self.journal.end().map_err(|failure| self.final_rows_error(&failure))?;
        Ok(end)
    }

    pub(super) fn train(&mut self) -> Result<StopReason, CliError> {
        // Whether the last call of `advance` completed an iteration (rollout and update).
        let mut iteration_ended = true;
        self.measure_speed();
        loop {
            if let Some(end) = self.evaluate_and_check_limits(iteration_ended)? {
                return Ok(end);
            }
            let phase = self.experiment.phase();
            let before = self.journal.seconds();
            let (cpu, experiment) = (&self.cpu, &mut self.experiment);
            cpu.install(|| experiment.advance(cpu)).map_err(|error| self.training_error(&error))?;
            self.journal.add_phase_time(phase, before);
            let mut end = None;
            let rows = self.experiment.take_metrics();
            iteration_ended = rows.iter().any(|row| !row.values.is_empty());
            for row in rows {
                end = end.or(self.record_metrics(row)?);
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

    /// Evaluates the experiment if an evaluation is due, and checks the stop conditions. Returns the reason to stop,
    /// if any. `iteration_ended` is whether the learner has just completed an iteration. The step limit is checked
    /// only then, because a checkpoint excludes the steps of an unfinished iteration.
    fn evaluate_and_check_limits(&mut self, iteration_ended: bool) -> Result<Option<StopReason>, CliError> {
        let steps = self.experiment.progress().steps;
        // The final state is evaluated after the loop. A signal after the last step does not interrupt the run.
        if iteration_ended && self.last_step().is_some_and(|last| steps >= last) {
            return Ok(Some(StopReason::Steps));
        }
        if let Some(signal) = (self.stop_request)() {
            return Ok(Some(StopReason::Interrupted(signal)));
        }
        if iteration_ended && self.evaluations.is_due(self.measures, steps) {
            if !self.evaluate()? {
                let signal = (self.stop_request)();
                return Ok(Some(signal.map_or(StopReason::Minutes, StopReason::Interrupted)));
            }
            if let Some(value) = self.goal_value() {
                return Ok(Some(StopReason::Reached(value)));
            }
        }
        let is_over = |minutes: f64| {
            let seconds = self.journal.seconds() - minutes * 60.0;
            // At least one iteration is trained, unless the grace period is over.
            let trained = iteration_ended && steps > self.first_step;
            seconds >= self.limits.grace || (trained && seconds >= 0.0)
        };
        if self.limits.minutes.is_some_and(is_over) {
            return Ok(Some(StopReason::Minutes));
        }
        Ok(None)
    }

    /// Records a metric row of the learner. Returns the reason to stop if a metric of the row reaches the goal.
    fn record_metrics(&mut self, row: MetricRow) -> Result<Option<StopReason>, CliError> {
        let value_of =
            |name: &str| row.values.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let goal = self.limits.until.as_ref();
        let reached = goal.and_then(|goal| value_of(goal.measure()).filter(|value| goal.is_met_by(*value)));
        if !row.values.is_empty() {
            self.newest.clone_from(&row.values);
        }
        if let Some(notice) = &row.notice {
            self.journal.print_notice(notice);
            self.journal.status.notice.clone_from(notice);
            // The notice may be a device loss with fallback to the CPU.
            self.journal.update_engine(self.experiment.engine())?;
        }
        let mut values = row.values;
        values.push(("steps_per_second".into(), self.measure_speed()));
        let memory = self.measures.reports_memory().then(machine::memory).flatten();
        values.extend(memory.map(|bytes| ("memory".into(), bytes as f64)));
        self.journal.record(&self.experiment.progress(), row.steps, values, row.notice);
        Ok(reached.map(StopReason::Reached))
    }

    /// Records the number of training steps in the speed meter, and returns the training speed in steps per second.
    fn measure_speed(&mut self) -> f64 {
        self.journal.speed.record(self.journal.seconds(), self.experiment.progress().steps);
        self.journal.speed.per_second()
    }

    /// Writes the current progress to the monitor file and the progress bar.
    pub(super) fn show(&mut self) {
        let (progress, speed) = (self.experiment.progress(), self.measure_speed());
        let (done, to_go) = self.share_and_remaining_time(progress.steps, speed);
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

    /// Returns the completed share of the run (0 to 1) and the remaining time in seconds. If the run has a step limit
    /// and a time limit, the limit with less remaining time counts. If the run has only a goal, returns the share of
    /// the goal that the last evaluation reached, and no remaining time.
    pub(super) fn share_and_remaining_time(&self, steps: u64, speed: f64) -> (Option<f64>, Option<f64>) {
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
        (self.share_of_goal(), None)
    }

    /// Returns the last evaluation score on a linear scale from the worst possible score (0) to the goal (1); `None`
    /// if there is no such scale or evaluation.
    fn share_of_goal(&self) -> Option<f64> {
        let is_score = |goal: &&Goal| goal.measure() == self.measures.score().measure;
        let goal = self.limits.until.as_ref().filter(is_score)?;
        let worst = self.measures.scale()?.worst;
        let value = self.evaluations.last.as_ref()?.quality()?;
        (goal.bound() > worst).then(|| (value - worst) / (goal.bound() - worst))
    }

    /// Returns the step limit of the command line, or else of the experiment's config; `None` without a step limit.
    pub(super) fn last_step(&self) -> Option<u64> {
        self.limits.steps.or_else(|| self.experiment.progress().total_steps)
    }

    /// Returns the error `failure` of the final save, extended by the state of the previous checkpoint: its number of
    /// training steps, or that it is not intact.
    pub(super) fn final_save_error(&self, failure: &CliError) -> CliError {
        let bytes = run::read_checkpoint(&self.journal.folder.latest()).ok();
        let kept = match bytes.and_then(|bytes| checkpoint::read(&bytes).ok()) {
            Some((header, _)) => format!(
                "the previous checkpoint, after {}, is intact, and later training is lost",
                self.info.readings.count(header.steps)
            ),
            None if !self.journal.folder.path().is_dir() => {
                "the folder was moved or deleted during training; a moved folder has its last checkpoint, and later training is lost"
                    .to_owned()
            }
            None => "there is no intact earlier checkpoint, and the training is lost".to_owned(),
        };
        CliError::failed(format!("{}; {kept}", failure.message().unwrap_or_default()))
    }

    /// Returns the error `failure` of the last write of metrics, extended by the checkpoint, which has been saved.
    fn final_rows_error(&self, failure: &CliError) -> CliError {
        CliError::failed(format!(
            "{}; the checkpoint {}, after {}, is complete",
            failure.message().unwrap_or_default(),
            self.journal.folder.latest().display(),
            self.info.readings.count(self.saved_steps)
        ))
    }

    /// Ends the session. With the GPU engine, the device stays open until the program exits, because closing the
    /// device would wait for submitted work.
    pub fn finish(self) {
        if self.experiment.engine() != EngineInfo::Cpu {
            std::mem::forget(self);
        }
    }

    fn training_error(&self, error: &LabError) -> CliError {
        let best = match self.best {
            Some(best) => format!(
                "; the best checkpoint ({}) is {}",
                self.measures.score().format(best),
                self.journal.folder.best().display()
            ),
            None => String::new(),
        };
        CliError::failed(format!("{error}{best}"))
    }

    /// Returns the value of the goal's measure in the last evaluation; `None` if the goal is not reached.
    fn goal_value(&self) -> Option<f64> {
        self.evaluations.goal_value(self.limits.until.as_ref())
    }

    /// Evaluates the experiment, and saves the state as the best checkpoint if no earlier evaluation score is higher.
    /// Returns whether the evaluation was completed.
    fn evaluate(&mut self) -> Result<bool, CliError> {
        let Self { experiment, cpu, measures, limits, journal, stop_request, .. } = self;
        let (experiment, measures, stop_request) = (experiment.as_mut(), *measures, *stop_request);
        let mut subject = EvaluationTask { experiment, cpu, measures, limits, journal, stop_request };
        let Some(quality) = self.evaluations.evaluate(&mut subject)? else { return Ok(false) };
        // Among states with equal scores, the latest state becomes the best checkpoint.
        let is_best = best_score(self.best, quality) == Some(quality);
        if is_best || self.numbered > 0 {
            self.save_evaluated(quality, is_best);
        }
        Ok(true)
    }

    /// Saves the current state as the latest checkpoint.
    fn save(&mut self) -> Result<(), CliError> {
        let before = self.journal.seconds();
        let bytes = self.experiment.save();
        let saved = self.write_latest(&bytes);
        self.journal.add_pause("checkpoint", before);
        self.save.record(before, self.journal.seconds());
        saved
    }

    /// Replaces the latest checkpoint by `bytes`.
    fn write_latest(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.journal.folder.save_latest(bytes)?;
        // The checkpoint may hold the state at the start of the iteration.
        self.saved_steps = checkpoint::read_header(bytes).map_err(CliError::failed_by)?.steps;
        Ok(())
    }

    /// Saves the current state as the latest checkpoint. If saving fails, prints the error; the previous checkpoint
    /// remains and training continues.
    pub(super) fn try_save(&mut self) {
        let saved = self.save();
        self.journal.report_checkpoint(&self.journal.folder.latest(), saved);
    }

    /// Saves the state that has just been evaluated with the score `quality`: as the latest and the best checkpoint if `is_best`, and
    /// as a numbered checkpoint with `--keep-checkpoints`. The latest checkpoint, from which a killed run is resumed, is thus never
    /// older than the best one.
    fn save_evaluated(&mut self, quality: f64, is_best: bool) {
        let before = self.journal.seconds();
        let Some((steps, evaluated)) = self.evaluations.at.zip(self.evaluations.last.clone()) else { return };
        let mut checkpoint = self.experiment.save();
        if is_best {
            let saved = self.write_latest(&checkpoint);
            self.journal.report_checkpoint(&self.journal.folder.latest(), saved);
        }
        evaluation::add(&mut checkpoint, quality, steps, &evaluated);
        if is_best {
            let saved = self.journal.folder.save_best(&checkpoint);
            if saved.is_ok() {
                self.best = Some(quality);
                self.evaluations.best = Some((steps, evaluated));
            }
            self.journal.report_checkpoint(&self.journal.folder.best(), saved);
        }
        if self.numbered > 0 {
            let saved = self.journal.folder.save_numbered(&checkpoint, steps, self.numbered);
            // Every numbered checkpoint has the same name in messages.
            self.journal.report_checkpoint(&self.journal.folder.numbered_label(), saved);
        }
        self.journal.add_pause("checkpoint", before);
    }
}

/// Returns the seed and the config fields that the run uses, by their path.
fn hyperparameters(experiment: &dyn Experiment, info: &ExperimentInfo) -> Vec<(String, Value)> {
    let config = experiment.config();
    let fields = used_fields(&info.fields, &config).into_iter();
    let values = fields.filter_map(|field| Some((field.path.to_owned(), get(&config, field.path)?.clone())));
    std::iter::once(("seed".to_owned(), experiment.seed().into())).chain(values).collect()
}

/// Returns the larger of two evaluation scores; NaN is ignored.
fn best_score(best: Option<f64>, value: f64) -> Option<f64> {
    match best {
        Some(best) if best >= value || value.is_nan() => Some(best),
        None if value.is_nan() => None,
        _ => Some(value),
    }
}

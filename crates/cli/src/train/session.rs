//! One session of a run: the training loop and everything that happens between two slices of it.

use super::evaluation::{EvaluationContext, Evaluations};
use super::interrupt;
use super::journal::Journal;
use super::limits::{End, Limits};
use super::progress::Snapshot;
use super::schedule::Throttle;
use crate::failure::Failure;
use crate::run::ring::State;
use crate::run::{Best, Recorder, RunFolder};
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

/// Seconds since some moment.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A run in training.
pub struct Session {
    pub(super) experiment: Box<dyn Experiment>,
    cpu: Cpu,
    pub(super) journal: Journal,
    pub(super) info: ExperimentInfo,
    pub(super) measures: Measures,
    pub(super) limits: Limits,
    /// Where the text is that it learns from, if it is a person's.
    pub(super) text: Option<String>,
    save: Throttle,
    /// Steps before this session.
    first_step: u64,
    /// Steps of the newest checkpoint.
    pub(super) saved_steps: u64,
    /// The newest metrics.
    newest: Vec<(String, f64)>,
    pub(super) evaluations: Evaluations,
    best: Option<f64>,
}

impl Session {
    /// Opens the folder's files and saves a first checkpoint.
    ///
    /// # Errors
    /// What the file system says.
    pub fn new(
        mut experiment: Box<dyn Experiment>,
        cpu: Cpu,
        folder: RunFolder,
        info: ExperimentInfo,
        limits: Limits,
    ) -> Result<Self, Failure> {
        experiment.set_clock(clock);
        let progress = experiment.progress();
        let measures = vivarium_exhibits::measures(&info.name).unwrap_or_default();
        let quality = measures.quality();
        let (recorder, before) = Recorder::open(&folder, progress.steps, progress.updates, quality)?;
        let best = match folder.best_quality()? {
            Best::None => None,
            Best::Quality(quality) => Some(quality),
            Best::Unknown => before.best,
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
            evaluations: Evaluations::new(before.evaluated_at),
            best,
        };
        session.save()?;
        Ok(session)
    }

    /// Trains until something ends it. A file that cannot be written in the meantime is tried again.
    ///
    /// # Errors
    /// [`Failure::Failed`] where training diverged or a file could not be written.
    pub fn run(&mut self) -> Result<End, Failure> {
        let mut end = self.train()?;
        let is_evaluated =
            self.evaluations.last.is_some() && self.evaluations.at == Some(self.experiment.progress().steps);
        if end != End::Interrupted && !is_evaluated {
            let reached = if self.evaluate()? { self.reached() } else { None };
            end = match reached {
                _ if interrupt::asked() => End::Interrupted,
                Some(value) => End::Reached(value),
                None => end,
            };
        }
        self.save().map_err(|failure| self.with_saved(&failure))?;
        self.journal.status.state = match end {
            End::Interrupted => State::Interrupted,
            End::Reached(_) => State::Reached,
            End::Steps => State::Steps,
            End::Minutes => State::Minutes,
        };
        self.show();
        self.journal.end()?;
        Ok(end)
    }

    pub(super) fn train(&mut self) -> Result<End, Failure> {
        // Whether the learner has just reported what it did, and so learned from all of its steps.
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

    /// Checks what can end a run between two slices, evaluating where it is time to. Steps count once they were learned from,
    /// which is when the learner has just `reported` them: a checkpoint lacks them before.
    fn reached_a_limit(&mut self, reported: bool) -> Result<Option<End>, Failure> {
        if interrupt::asked() {
            return Ok(Some(End::Interrupted));
        }
        let steps = self.experiment.progress().steps;
        if reported && self.evaluations.is_due(&self.measures, steps) {
            if !self.evaluate()? {
                return Ok(Some(if interrupt::asked() { End::Interrupted } else { End::Minutes }));
            }
            if let Some(value) = self.reached() {
                return Ok(Some(End::Reached(value)));
            }
        }
        if reported && self.last_step().is_some_and(|last| steps >= last) {
            return Ok(Some(End::Steps));
        }
        let is_over = |minutes: f64| {
            let seconds = self.journal.seconds() - minutes * 60.0;
            // However short the time is, an iteration is trained for it.
            let trained = reported && steps > self.first_step;
            seconds >= self.limits.grace || (trained && seconds >= 0.0)
        };
        if self.limits.minutes.is_some_and(is_over) {
            return Ok(Some(End::Minutes));
        }
        Ok(None)
    }

    /// Records a row of the learner's; the end, where it reaches the goal.
    fn take(&mut self, row: MetricRow) -> Result<Option<End>, Failure> {
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
            // It may be that the GPU is gone and the run goes on without it.
            self.journal.note_engine(self.experiment.engine())?;
        }
        let mut values = row.values;
        values.push(("steps_per_second".into(), self.speed()));
        let memory = self.measures.reports_memory.then(machine::memory).flatten();
        values.extend(memory.map(|bytes| ("memory".into(), bytes as f64)));
        self.journal.record(&self.experiment.progress(), row.steps, values, row.notice);
        Ok(reached.map(End::Reached))
    }

    /// Steps a second, up to now.
    fn speed(&mut self) -> f64 {
        self.journal.speed.note(self.journal.seconds(), self.experiment.progress().steps);
        self.journal.speed.per_second()
    }

    /// Shows those who watch how the run goes.
    pub(super) fn show(&mut self) {
        let (progress, speed) = (self.experiment.progress(), self.speed());
        let (done, to_go) = self.done_and_to_go(progress.steps, speed);
        let snapshot = Snapshot {
            done,
            elapsed: self.journal.elapsed(),
            unit: self.measures.readings.unit,
            steps: progress.steps,
            goal_steps: self.last_step(),
            speed,
            status: (self.measures.status)(&RunStatus {
                metrics: &self.newest,
                evaluation: self.evaluations.last.as_ref(),
            }),
            to_go,
            adapter: match self.experiment.engine() {
                EngineInfo::Cpu => None,
                EngineInfo::Gpu { adapter, .. } => Some(adapter),
            },
        };
        self.journal.show(&progress, &snapshot);
    }

    /// Share of the run that is done, and seconds to go: by steps or by time, whichever ends first. A goal of the
    /// learner's has no known time; its share is how far the evaluated return has come from the worst.
    pub(super) fn done_and_to_go(&self, steps: u64, speed: f64) -> (Option<f64>, Option<f64>) {
        let seconds = self.journal.seconds();
        let by_steps = self.last_step().map(|last| {
            // An iteration is finished first, however many steps that takes beyond.
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

    /// How far the evaluated return has come from the worst to the one that is to be reached.
    fn share_of_return(&self) -> Option<f64> {
        let goal = self.limits.until.as_ref().filter(|goal| {
            goal.measure() == self.measures.evaluated.first().map_or("", |first| first.measure)
        })?;
        let worst = self.measures.worst?;
        let value = self.evaluations.last.as_ref()?.quality()?;
        (goal.bound() > worst).then(|| (value - worst) / (goal.bound() - worst))
    }

    /// Steps after which the run is over: those that were asked for, or those that the experiment takes.
    pub(super) fn last_step(&self) -> Option<u64> {
        self.limits.steps.or_else(|| self.experiment.progress().total_steps)
    }

    /// Adds to why the newest state could not be saved which one was.
    fn with_saved(&self, failure: &Failure) -> Failure {
        Failure::failed(format!(
            "{}; the checkpoint before it, after {}, is kept, and what was learned since is lost",
            failure.message().unwrap_or_default(),
            self.measures.count(self.saved_steps)
        ))
    }

    /// Ends the session. A device is left to the end of the program: closing it would wait for the work under way there, of
    /// which nothing is needed.
    pub fn leave(self) {
        if self.experiment.engine() != EngineInfo::Cpu {
            std::mem::forget(self);
        }
    }

    fn diverged(&self, error: &LabError) -> Failure {
        let best = match self.best {
            Some(best) => format!(
                "; the best state so far ({} {}) is in {}",
                self.measures.evaluated.first().map_or("", |first| first.measure),
                text::number(best),
                self.journal.folder.best().display()
            ),
            None => String::new(),
        };
        Failure::failed(format!("{error}{best}"))
    }

    /// The value of the last evaluation that is to be reached, where it is.
    fn reached(&self) -> Option<f64> {
        self.evaluations.reached(self.limits.until.as_ref())
    }

    /// Evaluates, and keeps the state if it is the best so far. Returns whether the evaluation came to its end.
    fn evaluate(&mut self) -> Result<bool, Failure> {
        let Self { experiment, cpu, measures, limits, journal, .. } = self;
        let mut subject =
            EvaluationContext { experiment: experiment.as_mut(), cpu, measures, limits, journal };
        let Some(quality) = self.evaluations.evaluate(&mut subject)? else { return Ok(false) };
        // Of states that are equally good the latest, which has learned the most.
        if larger(self.best, quality) == Some(quality) {
            self.keep_best(quality);
        }
        Ok(true)
    }

    /// Saves the newest state.
    fn save(&mut self) -> Result<(), Failure> {
        let before = self.journal.seconds();
        let bytes = self.experiment.save();
        let saved = self.journal.folder.save_latest(&bytes);
        if saved.is_ok() {
            // A checkpoint may be of an iteration's start: the run goes on from there.
            self.saved_steps = checkpoint::read_header(&bytes).map_err(Failure::failed_by)?.steps;
        }
        self.journal.beside("checkpoint", before);
        self.save.done(before, self.journal.seconds());
        saved
    }

    /// Saves; where that fails, the last checkpoint is still there, and the run goes on.
    pub(super) fn try_save(&mut self) {
        let saved = self.save();
        self.journal.report(saved);
    }

    /// Keeps the present state as the best one, which evaluated like this.
    fn keep_best(&mut self, quality: f64) {
        let before = self.journal.seconds();
        let saved = self.journal.folder.save_best(self.experiment.save(), quality);
        if saved.is_ok() {
            self.best = Some(quality);
        }
        self.journal.report(saved);
        self.journal.beside("checkpoint", before);
    }
}

/// The larger of the two; NaN is ignored.
fn larger(best: Option<f64>, value: f64) -> Option<f64> {
    match best {
        Some(best) if best >= value || value.is_nan() => Some(best),
        None if value.is_nan() => None,
        _ => Some(value),
    }
}

//! One sitting of a run: the training loop and everything that happens between two slices of it.

use super::goal::Goal;
use super::progress::{Display, Snapshot};
use super::schedule::{Seldom, Speed};
use super::{interrupt, summary};
use crate::command_line::TrainArgs;
use crate::failure::Failure;
use crate::run::ring::{State, Status};
use crate::run::rows::Row;
use crate::run::{Best, Recorder, RunFolder, now};
use crate::{machine, terminal, text};
use std::sync::OnceLock;
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_lab::experiment::Experiment;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::{Measures, Standing};
use vivarium_lab::protocol::{EngineInfo, Evaluation, MetricRow};

/// Watchers and the bar are told this often, in seconds.
pub(super) const TELL: f64 = 0.05;

/// Files are brought up to date this often, in seconds.
const FLUSH: f64 = 1.0;

/// When the time of a run is over, an iteration or an evaluation may go on for so many seconds, or for this share of the time.
const GRACE: f64 = 5.0;
const GRACE_SHARE: f64 = 0.1;

/// Seconds since some moment.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// What ends a run.
#[derive(Debug)]
pub struct Limits {
    /// What it is to reach.
    pub until: Option<Goal>,
    /// Steps in all; `None`: as many as the experiment takes.
    pub steps: Option<u64>,
    /// Minutes of this sitting.
    pub minutes: Option<f64>,
    /// Seconds for which an iteration or an evaluation may go on after that.
    pub grace: f64,
}

impl Limits {
    /// What the command line asks for; where it asks for nothing and the experiment does not end by itself, the run
    /// ends once the experiment counts as solved.
    pub fn new(args: &TrainArgs, measures: &Measures, total_steps: Option<u64>) -> Self {
        let endless = args.steps.is_none() && total_steps.is_none();
        let unlimited = args.until.is_none() && endless && args.minutes.is_none();
        let solved =
            measures.solved.filter(|_| unlimited).and_then(|solved| Goal::quality_at_least(measures, solved));
        let until = args.until.clone().or(solved);
        let grace = args.minutes.map_or(0.0, |minutes| GRACE.max(GRACE_SHARE * minutes * 60.0));
        Self { until, steps: args.steps, minutes: args.minutes, grace }
    }

    /// Seconds after which an evaluation is left.
    pub(super) fn latest_evaluation(&self) -> Option<f64> {
        self.minutes.map(|minutes| minutes * 60.0 + self.grace)
    }
}

/// Why the loop came to its end.
#[derive(Debug, PartialEq)]
pub enum End {
    /// The goal is reached; this is the value measured.
    Reached(f64),
    /// All steps are done.
    Steps,
    /// The time is over.
    Minutes,
    /// Ctrl-C.
    Interrupted,
}

/// A run in training.
pub struct Session {
    pub(super) experiment: Box<dyn Experiment>,
    pub(super) cpu: Cpu,
    pub(super) folder: RunFolder,
    pub(super) recorder: Recorder,
    pub(super) info: ExperimentInfo,
    pub(super) measures: Measures,
    pub(super) limits: Limits,
    /// Where the text is that it learns from, if it is a person's.
    pub(super) text: Option<String>,
    pub(super) display: Display,
    pub(super) status: Status,
    pub(super) start: Instant,
    /// Seconds of training before this sitting.
    elapsed_before: f64,
    pub(super) speed: Speed,
    pub(super) save: Seldom,
    /// Steps before this session.
    first_step: u64,
    /// Steps of the newest checkpoint.
    pub(super) saved_steps: u64,
    told: f64,
    flushed: f64,
    /// When a file could not be written last that was told of.
    pub(super) complained: f64,
    /// What the learner told last.
    newest: Vec<(String, f64)>,
    pub(super) evaluation: Option<Evaluation>,
    /// Whether a later evaluation was begun and left.
    pub(super) left_evaluation: bool,
    /// Steps at which the last evaluation was made, in this sitting or an earlier one.
    pub(super) evaluated_at: Option<u64>,
    pub(super) best: Option<f64>,
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
            folder,
            recorder,
            info,
            measures,
            limits,
            text,
            display: Display::new(),
            status: Status::default(),
            start: Instant::now(),
            elapsed_before: before.elapsed,
            speed: Speed::default(),
            save: Seldom::new(0.02, 10.0),
            first_step: progress.steps,
            saved_steps: progress.steps,
            told: f64::NEG_INFINITY,
            flushed: 0.0,
            complained: f64::NEG_INFINITY,
            newest: Vec::new(),
            evaluation: None,
            left_evaluation: false,
            evaluated_at: before.evaluated_at,
            best,
        };
        session.save()?;
        Ok(session)
    }

    /// Trains until something ends it, and says how that went. A file that cannot be written in the meantime is tried again.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] after Ctrl-C; [`Failure::Failed`] where training diverged or a file could not be
    /// written.
    pub fn run(mut self, args: &TrainArgs) -> Result<(), Failure> {
        terminal::aside(&summary::opening(&self));
        let mut end = self.train()?;
        let is_evaluated =
            self.evaluation.is_some() && self.evaluated_at == Some(self.experiment.progress().steps);
        if end != End::Interrupted && !is_evaluated {
            let reached = self.evaluate()?.and_then(|_| self.reached());
            end = match reached {
                _ if interrupt::asked() => End::Interrupted,
                Some(value) => End::Reached(value),
                None => end,
            };
        }
        self.save()?;
        self.status.state = match end {
            End::Interrupted => State::Interrupted,
            End::Reached(_) => State::Reached,
            End::Steps => State::Steps,
            End::Minutes => State::Minutes,
        };
        self.tell();
        self.recorder.flush()?;
        self.display.end();
        if end == End::Interrupted {
            terminal::aside(&summary::interrupted(&self, args));
            return Err(Failure::Interrupted);
        }
        terminal::out(&summary::finished(&self, &end, args));
        Ok(())
    }

    pub(super) fn train(&mut self) -> Result<End, Failure> {
        // Whether the learner has just told of what it did, and so learnt from all of its steps.
        let mut told = true;
        loop {
            if let Some(end) = self.reached_a_limit(told)? {
                return Ok(end);
            }
            let phase = self.experiment.phase();
            let before = self.seconds();
            let (cpu, experiment) = (&self.cpu, &mut self.experiment);
            cpu.install(|| experiment.advance(cpu)).map_err(|error| self.diverged(&error))?;
            self.spent(phase, before);
            let mut end = None;
            let rows = self.experiment.take_metrics();
            told = rows.iter().any(|row| !row.values.is_empty());
            for row in rows {
                end = end.or(self.take(row)?);
            }
            if let Some(end) = end {
                return Ok(end);
            }
            let seconds = self.seconds();
            if seconds - self.told >= TELL {
                self.tell();
            }
            if seconds - self.flushed >= FLUSH {
                let flushed = self.recorder.flush();
                self.report(flushed);
                self.flushed = seconds;
            }
            if self.save.is_due(seconds) {
                self.try_save();
            }
        }
    }

    /// Checks what can end a run between two slices, evaluating where it is time to. Steps count once they were learnt from,
    /// which is when the learner has just `told` of them: a checkpoint lacks them before.
    fn reached_a_limit(&mut self, told: bool) -> Result<Option<End>, Failure> {
        if interrupt::asked() {
            return Ok(Some(End::Interrupted));
        }
        if told && self.evaluation_is_due() {
            if self.evaluate()?.is_none() {
                return Ok(Some(if interrupt::asked() { End::Interrupted } else { End::Minutes }));
            }
            if let Some(value) = self.reached() {
                return Ok(Some(End::Reached(value)));
            }
        }
        if told && self.last_step().is_some_and(|steps| self.experiment.progress().steps >= steps) {
            return Ok(Some(End::Steps));
        }
        let is_over = |minutes: f64| {
            let seconds = self.seconds() - minutes * 60.0;
            // However short the time is, an iteration is trained for it.
            let trained = told && self.experiment.progress().steps > self.first_step;
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
            self.display.say(notice);
            self.status.notice.clone_from(notice);
            // It may be that the GPU is gone and the run goes on without it.
            self.note_engine()?;
        }
        let mut values = row.values;
        values.push(("steps_per_second".into(), self.speed.per_second()));
        let memory = self.measures.reports_memory.then(machine::memory).flatten();
        values.extend(memory.map(|bytes| ("memory".into(), bytes as f64)));
        self.record(row.steps, values, row.notice);
        Ok(reached.map(End::Reached))
    }

    /// Notes in the folder what the run computes on, where that is another engine than before.
    fn note_engine(&self) -> Result<(), Failure> {
        let (_, about) = RunFolder::open(self.folder.path())?;
        let now = about.clone().on(self.experiment.engine());
        if now == about { Ok(()) } else { self.folder.write_about(&now) }
    }

    pub(super) fn record(&mut self, steps: u64, values: Vec<(String, f64)>, notice: Option<String>) {
        let updates = self.experiment.progress().updates;
        let recorded = self.recorder.record(&Row { steps, updates, elapsed: self.elapsed(), values, notice });
        self.report(recorded);
    }

    /// Tells whoever watches: a few words into the ring, and the bar.
    pub(super) fn tell(&mut self) {
        let seconds = self.seconds();
        let progress = self.experiment.progress();
        self.told = seconds;
        self.speed.note(seconds, progress.steps);
        self.status = Status {
            heartbeat: now(),
            elapsed: self.elapsed(),
            steps: progress.steps,
            updates: progress.updates,
            episodes: progress.episodes,
            goal_steps: self.last_step(),
            speed: self.speed.per_second(),
            ..std::mem::take(&mut self.status)
        };
        self.recorder.set_status(&self.status);
        let (done, to_go) = self.done_and_to_go();
        self.display.show(&Snapshot {
            done,
            elapsed: self.elapsed(),
            unit: self.measures.unit,
            steps: progress.steps,
            goal_steps: self.last_step(),
            speed: self.status.speed,
            standing: (self.measures.standing)(&Standing {
                metrics: &self.newest,
                evaluation: self.evaluation.as_ref(),
            }),
            to_go,
            adapter: match self.experiment.engine() {
                EngineInfo::Cpu => None,
                EngineInfo::Gpu { adapter, .. } => Some(adapter),
            },
        });
    }

    /// Share of the run that is done, and seconds to go: by steps or by time, whichever ends first. A goal of the
    /// learner's has no known time; its share is how far the evaluated return has come from the worst.
    fn done_and_to_go(&self) -> (Option<f64>, Option<f64>) {
        let seconds = self.seconds();
        let by_steps = self.last_step().map(|steps| {
            let left = steps.saturating_sub(self.status.steps) as f64;
            (self.status.steps as f64 / steps.max(1) as f64, left / self.status.speed)
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
        let value = self.evaluation.as_ref()?.quality()?;
        (goal.bound() > worst).then(|| (value - worst) / (goal.bound() - worst))
    }

    /// Steps after which the run is over: those that were asked for, or those that the experiment takes.
    pub(super) fn last_step(&self) -> Option<u64> {
        self.limits.steps.or_else(|| self.experiment.progress().total_steps)
    }

    /// Seconds since this sitting began.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether an earlier session trained it.
    pub(super) fn is_resumed(&self) -> bool {
        self.elapsed_before > 0.0
    }

    /// Seconds of training in all sittings.
    pub(super) fn elapsed(&self) -> f64 {
        self.elapsed_before + self.seconds()
    }

    /// Books the time since `before` to a phase.
    pub(super) fn spent(&mut self, phase: &str, before: f64) {
        let seconds = self.seconds() - before;
        match self.status.phases.iter_mut().find(|(name, _)| name == phase) {
            Some((_, sum)) => *sum += seconds,
            None => self.status.phases.push((phase.to_owned(), seconds)),
        }
    }

    fn diverged(&self, error: &vivarium_lab::error::LabError) -> Failure {
        let best = match self.best {
            Some(best) => format!(
                "; the best state so far ({} {}) is in {}",
                self.measures.evaluated.first().map_or("", |first| first.measure),
                text::number(best),
                self.folder.best().display()
            ),
            None => String::new(),
        };
        Failure::failed(format!("{error}{best}"))
    }
}

impl Drop for Session {
    /// A run that ends in any other way than by [`run`](Session::run) has failed: watchers should know.
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

/// The larger of the two; NaN is ignored.
pub(super) fn larger(best: Option<f64>, value: f64) -> Option<f64> {
    match best {
        Some(best) if best >= value || value.is_nan() => Some(best),
        None if value.is_nan() => None,
        _ => Some(value),
    }
}

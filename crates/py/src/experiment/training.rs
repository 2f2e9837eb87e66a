//! Training until a goal, a number of steps or a time limit, with evaluations in between.

use super::files::write_file;
use super::session::Session;
use super::shared_run::{SIGNAL_INTERVAL, SharedRun};
use crate::error::{detached, invalid, lab_exception};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use vivarium_exhibits::{info, measures};
use vivarium_lab::goal::{ConfirmedEvaluation, Goal, evaluate_with_confirmation};
use vivarium_lab::measures::{Measures, RunStatus};
use vivarium_lab::protocol::{Evaluation, MetricRow};
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::{Experiment, checkpoint};

/// Interval between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Maximum time limit in minutes: about 190 years.
const MAX_MINUTES: f64 = 1e8;

/// Limits at which training stops: goal, number of steps and time.
pub(super) struct Limits {
    until: Option<Goal>,
    /// Number of training steps, counted since the run was created.
    steps: Option<u64>,
    minutes: Option<f64>,
}

/// Reason why training stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Reached,
    Steps,
    Minutes,
}

impl Limits {
    /// Creates the limits. Without any limit, the run stops when the experiment is solved.
    ///
    /// # Errors
    /// `ValueError` for an invalid limit, or if the experiment trains without end and there is no limit.
    pub(super) fn new(
        experiment: &dyn Experiment,
        until: Option<&str>,
        steps: Option<u64>,
        minutes: Option<f64>,
    ) -> PyResult<Self> {
        let name = experiment.name();
        let (info, measures) = (info(name).map_err(lab_exception)?, measures(name).map_err(lab_exception)?);
        if let Some(minutes) = minutes.filter(|minutes| !(0.0..=MAX_MINUTES).contains(minutes)) {
            return Err(invalid("minutes", minutes, &format!("allowed is 0 to {MAX_MINUTES}")));
        }
        let parsed = until.map(|text| text.parse::<Goal>().map_err(|why| invalid("until", text, &why)));
        let mut until = parsed.transpose()?;
        if let Some(goal) = &until {
            goal.check(&info, measures).map_err(lab_exception)?;
        }
        let steps = steps.or(experiment.progress().total_steps);
        if until.is_none() && steps.is_none() && minutes.is_none() {
            until = Goal::solved(measures);
            if until.is_none() {
                let allowed = format!("{name} trains without end; give minutes, steps or until");
                return Err(invalid("until", "None", &allowed));
            }
        }
        Ok(Self { until, steps, minutes })
    }

    /// Returns whether a metric of `row` reaches the goal.
    fn is_reached_by(&self, row: &RecordedRow) -> bool {
        let goal = self.until.as_ref();
        goal.is_some_and(|goal| row.get(goal.measure()).is_some_and(|value| goal.is_met_by(value)))
    }

    /// Returns the completed fraction of the training, from 0 to 1, relative to the limit (steps or time) that will be
    /// reached first; `None` without such a limit.
    fn share(&self, steps: u64, seconds: f64) -> Option<f64> {
        let by_steps = self.steps.map(|last| steps as f64 / last.max(1) as f64);
        let by_time = self.minutes.map(|minutes| seconds / (60.0 * minutes).max(f64::MIN_POSITIVE));
        by_steps.into_iter().chain(by_time).reduce(f64::max).map(|share| share.min(1.0))
    }
}

/// A call of `train` in progress, with its limits and its start time.
struct LimitedTraining<'a> {
    run: &'a SharedRun,
    limits: &'a Limits,
    measures: &'static dyn Measures,
    start: Instant,
    last: Option<Evaluation>,
    /// File of the checkpoint with the best evaluation; `None` if it is not saved.
    best: Option<PathBuf>,
    /// Score of the best evaluation; `None` before the first evaluation.
    best_score: Option<f64>,
}

/// Trains `run` until a limit is reached. Calls `report(steps, share, text)` about ten times per second. Writes the checkpoint with
/// the best evaluation to the file `best`. Returns the reason for the stop.
///
/// # Errors
/// Exceptions of the run, of `report`, and of signal handlers. The run remains usable.
pub(super) fn train(
    run: &SharedRun,
    py: Python<'_>,
    limits: &Limits,
    report: Option<&Bound<'_, PyAny>>,
    best: Option<PathBuf>,
) -> PyResult<&'static str> {
    let measures = measures(run.lock()?.experiment.name()).map_err(lab_exception)?;
    let mut training =
        LimitedTraining { run, limits, measures, start: Instant::now(), last: None, best, best_score: None };
    let end = training.run(py, report)?;
    Ok(match end {
        End::Reached => "reached",
        End::Steps => "steps",
        End::Minutes => "minutes",
    })
}

impl LimitedTraining<'_> {
    fn run(&mut self, py: Python<'_>, report: Option<&Bound<'_, PyAny>>) -> PyResult<End> {
        let (mut iteration_ended, mut reported) = (true, Instant::now());
        let end = loop {
            if iteration_ended && let Some(end) = self.evaluate_and_check_limits(py)? {
                break end;
            }
            let limits = self.limits;
            let first = self.run.lock()?.rows.len();
            iteration_ended = self.run.work(py, |session, cpu| {
                let begun = Instant::now();
                while !session.advance(cpu)? {
                    if begun.elapsed() >= SIGNAL_INTERVAL {
                        return Ok(false);
                    }
                }
                Ok(true)
            })?;
            py.check_signals()?;
            if self.run.lock()?.rows[first..].iter().any(|row| limits.is_reached_by(row)) {
                break End::Reached;
            }
            if let Some(report) = report.filter(|_| reported.elapsed() >= REPORT_INTERVAL) {
                reported = Instant::now();
                self.report(report)?;
            }
        };
        let steps = self.steps()?;
        let is_evaluated = self.last.is_some() && self.run.lock()?.evaluated_at == Some(steps);
        if !is_evaluated && self.evaluate(py)? {
            return Ok(End::Reached);
        }
        if let Some(report) = report {
            self.report(report)?;
        }
        Ok(end)
    }

    fn steps(&self) -> PyResult<u64> {
        Ok(self.run.lock()?.experiment.progress().steps)
    }

    /// Evaluates the run if an evaluation is due. Checks the limits at the end of an iteration, and returns the limit
    /// that is reached.
    fn evaluate_and_check_limits(&mut self, py: Python<'_>) -> PyResult<Option<End>> {
        let steps = self.steps()?;
        let evaluated_at = self.run.lock()?.evaluated_at.unwrap_or(0);
        if steps >= self.measures.schedule().next_after(evaluated_at) && self.evaluate(py)? {
            return Ok(Some(End::Reached));
        }
        if self.limits.steps.is_some_and(|last| steps >= last) {
            return Ok(Some(End::Steps));
        }
        let seconds = self.start.elapsed().as_secs_f64();
        // The time limit does not end the training before the first iteration is complete.
        let is_over = self.limits.minutes.is_some_and(|minutes| seconds >= 60.0 * minutes) && steps > 0;
        Ok(is_over.then_some(End::Minutes))
    }

    /// Evaluates the run and stores the result as a metric row. Returns whether the goal is reached.
    fn evaluate(&mut self, py: Python<'_>) -> PyResult<bool> {
        let (config, seed) = {
            let session = self.run.lock()?;
            // The seed depends on the number of steps: evaluations use different episodes, and are reproducible.
            let seed = session.experiment.seed().wrapping_add(session.experiment.progress().steps);
            (session.experiment.config(), seed)
        };
        let (goal, start) = (self.limits.until.as_ref(), Instant::now());
        let evaluate = |trials, seed| self.run.evaluation(py, trials, seed);
        let ConfirmedEvaluation { evaluation, notice } =
            evaluate_with_confirmation(self.measures, goal, &config, seed, evaluate)?;
        let mut session = self.run.lock()?;
        if let Some(notice) = notice {
            let steps = session.experiment.progress().steps;
            session.record(MetricRow { steps, values: Vec::new(), notice: Some(notice) });
        }
        let Some(evaluation) = evaluation else { return Ok(false) };
        session.record_evaluation(self.measures, &evaluation, start.elapsed());
        drop(session);
        self.save_best(py, &evaluation)?;
        let is_reached = goal.is_some_and(|goal| goal.reached_in(&evaluation).is_some());
        self.last = Some(evaluation);
        Ok(is_reached)
    }

    /// Writes the evaluated state as the best checkpoint if no earlier evaluation of this training has a higher score.
    fn save_best(&mut self, py: Python<'_>, evaluation: &Evaluation) -> PyResult<()> {
        let Some((path, score)) = self.best.as_ref().zip(evaluation.quality()) else { return Ok(()) };
        if self.best_score.is_some_and(|best| best > score) {
            return Ok(());
        }
        let (mut checkpoint, steps) = {
            let session = self.run.lock()?;
            (session.experiment.save(), session.experiment.progress().steps)
        };
        checkpoint::evaluation::add(&mut checkpoint, score, steps, evaluation);
        detached(py, || write_file(path, &checkpoint))?;
        self.best_score = Some(score);
        Ok(())
    }

    fn report(&self, report: &Bound<'_, PyAny>) -> PyResult<()> {
        let (steps, text) = {
            let Session { experiment, rows, .. } = &*self.run.lock()?;
            let newest = rows.iter().rev().find(|row| !row.values.is_empty());
            let metrics = newest.map_or(&[][..], |row| &row.values);
            let status = RunStatus { metrics, evaluation: self.last.as_ref() };
            (experiment.progress().steps, self.measures.status(&status).join(", "))
        };
        let share = self.limits.share(steps, self.start.elapsed().as_secs_f64());
        report.call1((steps, share, text)).map(drop)
    }
}

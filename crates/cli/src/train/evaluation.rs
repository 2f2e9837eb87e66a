//! Evaluations during training: schedule, confirmation of reached goals, and recording of results.

use super::journal::Journal;
use super::limits::StopConditions;
use crate::error::CliError;
use crate::signals::Signal;
use std::cell::RefCell;
use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::goal::{ConfirmedEvaluation, Goal, evaluate_with_confirmation};
use vivarium_lab::measures::Measures;
use vivarium_lab::protocol::Evaluation;

/// Schedule of the evaluations during a run, and the last result.
pub struct EvaluationTracker {
    /// Last complete evaluation of this session; `None` if there was none.
    pub last: Option<Evaluation>,
    /// Number of training steps and evaluation of the best checkpoint; `None` if there is none, or if an earlier version
    /// of the program saved it.
    pub best: Option<(u64, Evaluation)>,
    /// Whether an evaluation was started after the last complete evaluation and then aborted.
    pub aborted: bool,
    /// Number of training steps at the last complete evaluation, in this or an earlier session; `None` if there was
    /// none.
    pub at: Option<u64>,
    /// Number of training steps between evaluations; `None` selects the schedule of the experiment.
    every: Option<u64>,
}

/// Inputs of an evaluation: experiment, CPU engine, evaluation measures, stop conditions, and the output of the run.
pub struct EvaluationTask<'a> {
    pub experiment: &'a mut dyn Experiment,
    pub cpu: &'a Cpu,
    pub measures: &'a dyn Measures,
    pub limits: &'a StopConditions,
    pub journal: &'a mut Journal,
    /// Returns the signal that has requested that the run stops.
    pub stop_request: fn() -> Option<Signal>,
}

impl EvaluationTracker {
    /// Creates the tracker of a run whose last evaluation was at `at` training steps; `at` is `None` if there was no
    /// evaluation. `best` is the evaluation of the best checkpoint so far. `every` is the number of training steps between
    /// evaluations; `None` selects the schedule of the experiment.
    pub fn new(at: Option<u64>, best: Option<(u64, Evaluation)>, every: Option<u64>) -> Self {
        Self { last: None, best, aborted: false, at, every }
    }

    /// Returns whether an evaluation is due at `steps` training steps.
    pub fn is_due(&self, measures: &dyn Measures, steps: u64) -> bool {
        let at = self.at.unwrap_or(0);
        match self.every {
            Some(every) => steps / every > at / every,
            None => steps >= measures.schedule().next_after(at),
        }
    }

    /// Returns the value of the goal's measure in the last evaluation; `None` if the goal is not reached.
    pub fn goal_value(&self, goal: Option<&Goal>) -> Option<f64> {
        goal?.reached_in(self.last.as_ref()?)
    }

    /// Evaluates the experiment and records the result. A reached goal must be confirmed by a second evaluation with
    /// more trials and another seed, because a few trials may reach a goal by chance. Returns the evaluation score;
    /// `None` if Ctrl-C or the time limit aborted the evaluation.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the evaluation fails.
    pub fn evaluate(&mut self, subject: &mut EvaluationTask<'_>) -> Result<Option<f64>, CliError> {
        let (measures, goal) = (subject.measures, subject.limits.until.as_ref());
        let (config, progress) = (subject.experiment.config(), subject.experiment.progress());
        // The seed differs between evaluations and is reproducible.
        let seed = subject.experiment.seed().wrapping_add(progress.steps);
        let before = subject.journal.seconds();
        let evaluate = |trials, seed| subject.evaluate(trials, seed);
        let ConfirmedEvaluation { evaluation, notice } =
            evaluate_with_confirmation(measures, goal, &config, seed, evaluate)?;
        if let Some(notice) = notice {
            subject.journal.print_notice(&notice);
            subject.journal.record(&progress, progress.steps, Vec::new(), Some(notice));
        }
        let journal = &mut *subject.journal;
        journal.add_pause("evaluation", before);
        self.aborted = evaluation.is_none();
        if let Some(evaluation) = &evaluation {
            let values = measures.evaluated().iter();
            let values = values
                .filter_map(|each| Some((each.name.to_owned(), evaluation.measure(each.measure)?)))
                .collect();
            journal.record(&progress, progress.steps, values, None);
            (self.last, self.at) = (Some(evaluation.clone()), Some(progress.steps));
        }
        Ok(evaluation.map(|evaluation| evaluation.quality().unwrap_or(f64::NAN)))
    }
}

impl EvaluationTask<'_> {
    /// Evaluates the experiment's current state in `trials` trials, such as episodes, with the random seed `seed`.
    /// Returns `None` if Ctrl-C or the time limit aborted the evaluation.
    fn evaluate(&mut self, trials: u32, seed: u64) -> Result<Option<Evaluation>, CliError> {
        let (latest, before) = (self.limits.evaluation_deadline(), self.journal.seconds());
        let stop_request = self.stop_request;
        // Update the heartbeat during the evaluation, which may take minutes.
        let journal = RefCell::new(&mut *self.journal);
        let stop = |share| {
            let mut journal = journal.borrow_mut();
            journal.show_evaluation(share, before);
            stop_request().is_some() || latest.is_some_and(|latest| journal.seconds() >= latest)
        };
        let episodes = Episodes { count: trials, seed, stop: &stop };
        self.experiment.evaluate_interruptible(self.cpu, episodes).map_err(CliError::failed_by)
    }
}

//! Evaluations during training: schedule, confirmation of goals, and recording.

use super::interrupt;
use super::journal::Journal;
use super::limits::StopConditions;
use super::schedule::Milestones;
use crate::error::CliError;
use crate::goal::Goal;
use crate::text;
use std::cell::RefCell;
use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::measures::Measures;
use vivarium_lab::protocol::Evaluation;

/// Schedule and results of the evaluations during a run.
pub struct EvaluationTracker {
    /// Last complete evaluation of this session.
    pub last: Option<Evaluation>,
    /// Whether the evaluation after `last` was aborted.
    pub aborted: bool,
    /// Number of training steps at the last evaluation, in this or an earlier session.
    pub at: Option<u64>,
}

/// Arguments of an evaluation: experiment, CPU engine, measures and stop conditions.
pub struct EvaluationTask<'a> {
    pub experiment: &'a mut dyn Experiment,
    pub cpu: &'a Cpu,
    pub measures: &'a dyn Measures,
    pub limits: &'a StopConditions,
    pub journal: &'a mut Journal,
}

impl EvaluationTracker {
    /// Creates the tracker of a run that was last evaluated at `at` training steps; `None` if the run was never
    /// evaluated.
    pub fn new(at: Option<u64>) -> Self {
        Self { last: None, aborted: false, at }
    }

    /// Returns whether an evaluation is due at `steps` training steps.
    pub fn is_due(&self, measures: &dyn Measures, steps: u64) -> bool {
        steps >= Milestones { gap: measures.schedule().interval }.after(self.at.unwrap_or(0))
    }

    /// Returns the value of the goal's measure in the last evaluation; `None` if the goal is not reached.
    pub fn reached(&self, goal: Option<&Goal>) -> Option<f64> {
        reaches(goal?, self.last.as_ref()?)
    }

    /// Evaluates the experiment and records the result. If the goal is reached, a second evaluation with more and
    /// different trials must confirm the result, because a small evaluation may reach a goal by chance. Returns the
    /// evaluation score; `None` if Ctrl-C or the time limit aborted the evaluation.
    ///
    /// # Errors
    /// Errors of the experiment.
    pub fn evaluate(&mut self, subject: &mut EvaluationTask<'_>) -> Result<Option<f64>, CliError> {
        let (measures, goal) = (subject.measures, subject.limits.until.as_ref());
        let (config, progress) = (subject.experiment.config(), subject.experiment.progress());
        // The seed differs between evaluations and is reproducible.
        let seed = subject.experiment.seed().wrapping_add(progress.steps);
        let before = subject.journal.seconds();
        let mut evaluation = subject.evaluate(measures.trials(&config), seed)?;
        if let Some((goal, few)) = goal.zip(evaluation.as_ref())
            && let Some(value) = reaches(goal, few)
            && let Some(trials) = measures.confirming_trials(&config)
        {
            evaluation = subject.evaluate(trials, fresh(seed))?;
            if let Some(many) = evaluation.as_ref().filter(|many| reaches(goal, many).is_none()) {
                let found = many.measure(goal.measure());
                let notice = format!(
                    "Goal {goal} not confirmed: {} in {}, but {} in {trials} other trials.",
                    text::number(value),
                    measures.schedule().trials_label,
                    found.map_or_else(|| "unknown".into(), text::number)
                );
                subject.journal.say(&notice);
                subject.journal.record(&progress, progress.steps, Vec::new(), Some(notice));
            }
        }
        let journal = &mut *subject.journal;
        journal.spent_outside_training("evaluation", before);
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
    /// Evaluates the experiment's current state in `trials` trials, such as episodes. Returns `None` if the evaluation
    /// was aborted.
    fn evaluate(&mut self, trials: u32, seed: u64) -> Result<Option<Evaluation>, CliError> {
        let (latest, before) = (self.limits.latest_evaluation(), self.journal.seconds());
        // Update the heartbeat during the evaluation, which may take minutes.
        let journal = RefCell::new(&mut *self.journal);
        let stop = |share| {
            let mut journal = journal.borrow_mut();
            journal.show_evaluation(share, before);
            interrupt::is_stop_requested() || latest.is_some_and(|latest| journal.seconds() >= latest)
        };
        let episodes = Episodes { count: trials, seed, stop: &stop };
        self.experiment.evaluate_interruptible(self.cpu, episodes).map_err(CliError::failed_by)
    }
}

/// Returns the value of the goal's measure in `evaluation`; `None` if the goal is not reached.
fn reaches(goal: &Goal, evaluation: &Evaluation) -> Option<f64> {
    evaluation.measure(goal.measure()).filter(|&value| goal.is_met_by(value))
}

/// Returns the seed of a confirming evaluation, derived from the seed of the evaluation that it confirms.
fn fresh(seed: u64) -> u64 {
    // Fibonacci hashing: 2⁶⁴ over the golden ratio.
    !seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

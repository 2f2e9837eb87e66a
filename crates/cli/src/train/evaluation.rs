//! When a run is evaluated, and what follows from how it did.

use super::interrupt;
use super::journal::Journal;
use super::limits::Limits;
use super::schedule::Milestones;
use crate::failure::Failure;
use crate::goal::Goal;
use crate::text;
use std::cell::RefCell;
use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::measures::Measures;
use vivarium_lab::protocol::Evaluation;

/// The evaluations of a run.
pub struct Evaluations {
    /// The last one of this session.
    pub last: Option<Evaluation>,
    /// Whether a later one was begun and left.
    pub left: bool,
    /// Steps at which the last one was made, in this session or an earlier one.
    pub at: Option<u64>,
}

/// What is evaluated, and by what.
pub struct EvaluationContext<'a> {
    pub experiment: &'a mut dyn Experiment,
    pub cpu: &'a Cpu,
    pub measures: &'a Measures,
    pub limits: &'a Limits,
    pub journal: &'a mut Journal,
}

impl Evaluations {
    /// Those of a run that was last evaluated at so many steps.
    pub fn new(at: Option<u64>) -> Self {
        Self { last: None, left: false, at }
    }

    /// Whether the steps have come to where an evaluation belongs.
    pub fn is_due(&self, measures: &Measures, steps: u64) -> bool {
        steps >= Milestones { gap: measures.evaluation_interval }.after(self.at.unwrap_or(0))
    }

    /// The value of the last evaluation that is to be reached, where it is.
    pub fn reached(&self, goal: Option<&Goal>) -> Option<f64> {
        reaches(goal?, self.last.as_ref()?)
    }

    /// Evaluates and records the outcome. What reaches the goal is evaluated once more, in many other trials, and those count:
    /// among many small evaluations some are lucky. Returns how good the present state is, or `None` where the evaluation was
    /// left: at Ctrl-C, or when the run's time had been over for a while.
    ///
    /// # Errors
    /// What the experiment says.
    pub fn evaluate(&mut self, subject: &mut EvaluationContext<'_>) -> Result<Option<f64>, Failure> {
        let (measures, goal) = (subject.measures, subject.limits.until.as_ref());
        let (config, progress) = (subject.experiment.config(), subject.experiment.progress());
        // Other trials each time, so that a run cannot profit from one lucky set; the same ones if it is run again.
        let seed = subject.experiment.seed().wrapping_add(progress.steps);
        let before = subject.journal.seconds();
        let mut evaluation = subject.evaluate((measures.trials)(&config), seed)?;
        if let Some((goal, few)) = goal.zip(evaluation.as_ref())
            && let Some(value) = reaches(goal, few)
            && let Some(trials) = measures.confirming_trials(&config)
        {
            evaluation = subject.evaluate(trials, fresh(seed))?;
            if let Some(many) = evaluation.as_ref().filter(|many| reaches(goal, many).is_none()) {
                let found = many.measure(goal.measure());
                let notice = format!(
                    "Not yet {goal}: {} in {}, and {} in {trials} others.",
                    text::number(value),
                    measures.trials_label,
                    found.map_or_else(|| "unknown".into(), text::number)
                );
                subject.journal.say(&notice);
                subject.journal.record(&progress, progress.steps, Vec::new(), Some(notice));
            }
        }
        let journal = &mut *subject.journal;
        journal.beside("evaluation", before);
        self.left = evaluation.is_none();
        if let Some(evaluation) = &evaluation {
            let values = measures.evaluated.iter();
            let values = values
                .filter_map(|each| Some((each.name.to_owned(), evaluation.measure(each.measure)?)))
                .collect();
            journal.record(&progress, progress.steps, values, None);
            (self.last, self.at) = (Some(evaluation.clone()), Some(progress.steps));
        }
        Ok(evaluation.map(|evaluation| evaluation.quality().unwrap_or(f64::NAN)))
    }
}

impl EvaluationContext<'_> {
    /// How the present state does in so many trials; `None` where they were left.
    fn evaluate(&mut self, trials: u32, seed: u64) -> Result<Option<Evaluation>, Failure> {
        let (latest, before) = (self.limits.latest_evaluation(), self.journal.seconds());
        // An evaluation may take minutes, and watchers take a run that is silent for dead.
        let journal = RefCell::new(&mut *self.journal);
        let stop = |share| {
            let mut journal = journal.borrow_mut();
            journal.show_evaluation(share, before);
            interrupt::asked() || latest.is_some_and(|latest| journal.seconds() >= latest)
        };
        let episodes = Episodes { count: trials, seed, stop: &stop };
        self.experiment.evaluate_interruptible(self.cpu, episodes).map_err(Failure::failed_by)
    }
}

/// The value that is to be reached, where it is.
fn reaches(goal: &Goal, evaluation: &Evaluation) -> Option<f64> {
    evaluation.measure(goal.measure()).filter(|&value| goal.is_met_by(value))
}

/// A seed that has nothing to do with those of other evaluations, in any of its bits.
fn fresh(seed: u64) -> u64 {
    // Fibonacci hashing: 2⁶⁴ over the golden ratio.
    !seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

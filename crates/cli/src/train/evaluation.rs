//! When a run is evaluated, and what follows from how it did.

use super::interrupt;
use super::schedule::Milestones;
use super::session::{Session, TELL, larger};
use crate::failure::Failure;
use crate::run::now;
use crate::text;
use std::cell::RefCell;
use vivarium_lab::protocol::Evaluation;

impl Session {
    /// Whether the steps have come to where an evaluation belongs.
    pub(super) fn evaluation_is_due(&self) -> bool {
        let next = Milestones { gap: self.measures.evaluation_gap }.after(self.evaluated_at.unwrap_or(0));
        self.experiment.progress().steps >= next
    }

    /// The value of the last evaluation that is to be reached, where it is.
    pub(super) fn reached(&self) -> Option<f64> {
        self.reaches(self.evaluation.as_ref()?)
    }

    fn reaches(&self, evaluation: &Evaluation) -> Option<f64> {
        let goal = self.limits.until.as_ref()?;
        let value = evaluation.measure(goal.measure())?;
        goal.is_met_by(value).then_some(value)
    }

    /// Evaluates, records the outcome, and keeps the state if it is the best so far. What reaches the goal is evaluated once
    /// more, in many other trials, and those count: among many small evaluations some are lucky. `None` where the
    /// evaluation was left: at Ctrl-C, or when the run's time had been over for a while.
    pub(super) fn evaluate(&mut self) -> Result<Option<Evaluation>, Failure> {
        let config = self.experiment.config();
        let steps = self.experiment.progress().steps;
        // Other trials each time, so that a run cannot profit from one lucky set; the same ones if it is run again.
        let seed = self.experiment.seed().wrapping_add(steps);
        let before = self.seconds();
        let mut evaluation = self.trials((self.measures.trials)(&config), seed)?;
        if let Some(value) = evaluation.as_ref().and_then(|evaluation| self.reaches(evaluation))
            && let Some(trials) = self.measures.confirming_trials(&config)
        {
            evaluation = self.trials(trials, fresh(seed))?;
            if let Some(evaluation) = &evaluation {
                self.compare(value, trials, evaluation);
            }
        }
        self.speed.pause(self.seconds() - before);
        self.left_evaluation = evaluation.is_none();
        let Some(evaluation) = evaluation else {
            self.spent("evaluation", before);
            return Ok(None);
        };
        let values = self.measures.evaluated.iter();
        let values = values
            .filter_map(|each| Some((each.name.to_owned(), evaluation.measure(each.measure)?)))
            .collect();
        self.record(steps, values, None);
        self.evaluation = Some(evaluation.clone());
        self.evaluated_at = Some(steps);
        self.spent("evaluation", before);
        let quality = evaluation.quality().unwrap_or(f64::NAN);
        // Of states that are equally good the latest, which has learnt the most.
        if larger(self.best, quality) == Some(quality) {
            self.keep_best(quality);
        }
        Ok(Some(evaluation))
    }

    /// How the present state does in so many trials; `None` where they were left.
    fn trials(&mut self, trials: u32, seed: u64) -> Result<Option<Evaluation>, Failure> {
        let (start, latest) = (self.start, self.limits.latest_evaluation());
        // An evaluation may take minutes, and watchers take a run that is silent for dead.
        let watched = RefCell::new((&mut self.recorder, &mut self.status, f64::NEG_INFINITY));
        let stop = |_| {
            let seconds = start.elapsed().as_secs_f64();
            let (recorder, status, told) = &mut *watched.borrow_mut();
            if seconds - *told >= TELL {
                *told = seconds;
                status.heartbeat = now();
                recorder.set_status(status);
            }
            interrupt::asked() || latest.is_some_and(|latest| seconds >= latest)
        };
        self.experiment.evaluate_unless(&stop, &self.cpu, trials, seed).map_err(Failure::failed_by)
    }

    /// Says so where a goal that was reached in a few trials is not reached in many.
    fn compare(&mut self, value: f64, trials: u32, many: &Evaluation) {
        let Some(goal) = self.limits.until.as_ref().filter(|_| self.reaches(many).is_none()) else { return };
        let found = many.measure(goal.measure());
        let notice = format!(
            "Not yet {goal}: {} in {}, and {} in {trials} others.",
            text::number(value),
            self.measures.trials_in_words,
            found.map_or_else(|| "unknown".into(), text::number)
        );
        self.display.say(&notice);
        self.record(self.experiment.progress().steps, Vec::new(), Some(notice));
    }
}

/// A seed that has nothing to do with those of other evaluations, in any of its bits.
fn fresh(seed: u64) -> u64 {
    // Fibonacci hashing: 2⁶⁴ over the golden ratio.
    !seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

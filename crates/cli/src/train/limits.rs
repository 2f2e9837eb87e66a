//! Stop conditions of a run.

use crate::command_line::TrainArgs;
use crate::goal::Goal;
use vivarium_lab::measures::Measures;

/// Grace period after `--minutes` for the current iteration or evaluation: seconds, and share of the time. The larger
/// applies.
const GRACE: f64 = 5.0;
const GRACE_SHARE: f64 = 0.1;

/// Stop conditions of a run.
#[derive(Debug)]
pub struct StopConditions {
    /// Goal.
    pub until: Option<Goal>,
    /// Total number of steps; `None` stands for the experiment's own number.
    pub steps: Option<u64>,
    /// Duration of this session in minutes.
    pub minutes: Option<f64>,
    /// Grace period for the current iteration or evaluation, in seconds.
    pub grace: f64,
}

impl StopConditions {
    /// Takes the conditions from the command line. Without any, a run without a fixed number of steps stops when
    /// solved.
    pub fn new(args: &TrainArgs, measures: &Measures, total_steps: Option<u64>) -> Self {
        let endless = args.steps.is_none() && total_steps.is_none();
        let unlimited = args.until.is_none() && endless && args.minutes.is_none();
        let solved =
            measures.solved.filter(|_| unlimited).and_then(|solved| Goal::quality_at_least(measures, solved));
        let until = args.until.clone().or(solved);
        let grace = args.minutes.map_or(0.0, |minutes| GRACE.max(GRACE_SHARE * minutes * 60.0));
        Self { until, steps: args.steps, minutes: args.minutes, grace }
    }

    /// Returns the time in seconds after which an evaluation is aborted.
    pub(super) fn latest_evaluation(&self) -> Option<f64> {
        self.minutes.map(|minutes| minutes * 60.0 + self.grace)
    }
}

/// Reason why training stopped.
#[derive(Debug, PartialEq)]
pub enum StopReason {
    /// The goal was reached, with this value.
    Reached(f64),
    /// All steps are done.
    Steps,
    /// The time limit was reached.
    Minutes,
    /// Ctrl-C.
    Interrupted,
}

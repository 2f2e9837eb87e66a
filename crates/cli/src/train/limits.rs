//! Stop conditions of a run.

use super::args::TrainArgs;
use crate::goal::Goal;
use vivarium_lab::measures::Measures;

/// Minimum grace period after `--minutes` for the current iteration or evaluation, in seconds.
const GRACE: f64 = 5.0;
/// Grace period as a share of `--minutes`. The larger of the two grace periods applies.
const GRACE_SHARE: f64 = 0.1;

/// Stop conditions of a run.
#[derive(Debug)]
pub struct StopConditions {
    /// Goal at which the run stops: the goal of `--until`, or else the goal at which the experiment counts as solved.
    pub until: Option<Goal>,
    /// Total number of steps; with `None`, the number of steps in the experiment's config applies.
    pub steps: Option<u64>,
    /// Maximum duration of this session in minutes.
    pub minutes: Option<f64>,
    /// Grace period for the current iteration or evaluation, in seconds.
    pub grace: f64,
}

impl StopConditions {
    /// Creates the stop conditions of the command line. If no condition is given and the experiment has no fixed number
    /// of steps, the run stops when the experiment is solved.
    pub fn new(args: &TrainArgs, measures: &dyn Measures, total_steps: Option<u64>) -> Self {
        let endless = args.steps.is_none() && total_steps.is_none();
        let unlimited = args.until.is_none() && endless && args.minutes.is_none();
        let solved = || Goal::solved(measures).filter(|_| unlimited);
        let until = args.until.clone().or_else(solved);
        let grace = args.minutes.map_or(0.0, |minutes| GRACE.max(GRACE_SHARE * minutes * 60.0));
        Self { until, steps: args.steps, minutes: args.minutes, grace }
    }

    /// Returns the time in seconds since the start of the session at which an evaluation is aborted; `None` without a
    /// time limit.
    pub(super) fn latest_evaluation(&self) -> Option<f64> {
        self.minutes.map(|minutes| minutes * 60.0 + self.grace)
    }
}

/// Reason why training stopped.
#[derive(Debug, PartialEq)]
pub enum StopReason {
    /// The goal was reached; contains the value of the goal's measure.
    Reached(f64),
    /// The step limit was reached.
    Steps,
    /// The time limit was reached.
    Minutes,
    /// The run was stopped by a signal, such as Ctrl-C.
    Interrupted,
}

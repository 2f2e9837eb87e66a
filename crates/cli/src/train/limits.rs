//! Stop conditions of a run.

use super::args::TrainArgs;
use crate::signals::Signal;
use vivarium_lab::goal::Goal;
use vivarium_lab::measures::Measures;

/// Minimum grace period in seconds: time that the current iteration or evaluation may take beyond the time limit
/// `--minutes`.
const GRACE: f64 = 5.0;
/// Grace period after the time limit as a share of the time limit, 0 to 1. If [`GRACE`] is longer, `GRACE` applies.
const GRACE_SHARE: f64 = 0.1;

/// Stop conditions of a run: goal, step limit and time limit.
#[derive(Debug)]
pub struct StopConditions {
    /// Goal at which the run stops: the goal of `--until`, or else the goal at which the experiment counts as solved;
    /// `None` without a goal.
    pub until: Option<Goal>,
    /// Step limit of `--steps`, over all sessions; with `None`, the step limit in the experiment's config applies, if
    /// any.
    pub steps: Option<u64>,
    /// Time limit of this session in minutes; `None` without a time limit.
    pub minutes: Option<f64>,
    /// Grace period after the time limit for the current iteration or evaluation, in seconds.
    pub grace: f64,
}

impl StopConditions {
    /// Creates the stop conditions of the command line `args`. `total_steps` is the step limit in the experiment's
    /// config. Without any limit, the run stops when the experiment is solved.
    pub fn new(args: &TrainArgs, measures: &dyn Measures, total_steps: Option<u64>) -> Self {
        let endless = args.steps.is_none() && total_steps.is_none();
        let unlimited = args.until.is_none() && endless && args.minutes.is_none();
        let solved = || Goal::solved(measures).filter(|_| unlimited);
        let until = args.until.clone().or_else(solved);
        let grace = args.minutes.map_or(0.0, |minutes| GRACE.max(GRACE_SHARE * minutes * 60.0));
        Self { until, steps: args.steps, minutes: args.minutes, grace }
    }

    /// Returns the time at which an evaluation is aborted, in seconds since the start of the session; `None` without
    /// a time limit.
    pub(super) fn evaluation_deadline(&self) -> Option<f64> {
        self.minutes.map(|minutes| minutes * 60.0 + self.grace)
    }
}

/// Reason why training stopped.
#[derive(Debug, PartialEq)]
pub enum StopReason {
    /// The goal was reached. Contains the value of the goal's measure.
    Reached(f64),
    /// The step limit was reached.
    Steps,
    /// The time limit was reached.
    Minutes,
    /// A signal, such as Ctrl-C, stopped the run.
    Interrupted(Signal),
}

impl StopReason {
    /// Returns the name of the reason for other programs: `goal`, `steps`, `minutes`, or the name of the signal.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reached(_) => "goal",
            Self::Steps => "steps",
            Self::Minutes => "minutes",
            Self::Interrupted(signal) => signal.name(),
        }
    }
}

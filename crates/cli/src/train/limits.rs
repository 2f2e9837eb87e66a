//! What ends a run.

use crate::command_line::TrainArgs;
use crate::goal::Goal;
use vivarium_lab::measures::Measures;

/// When the time of a run is over, an iteration or an evaluation may go on for so many seconds, or for this share of the time.
const GRACE: f64 = 5.0;
const GRACE_SHARE: f64 = 0.1;

/// What ends a run.
#[derive(Debug)]
pub struct Limits {
    /// What it is to reach.
    pub until: Option<Goal>,
    /// Steps in all; `None`: as many as the experiment takes.
    pub steps: Option<u64>,
    /// Minutes of this session.
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

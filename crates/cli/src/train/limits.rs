//! Stop conditions of a run.

use super::args::TrainArgs;
use crate::run::RunFolder;
use crate::signals::Signal;
use crate::terminal;
use crate::text::shell_quoted;
use std::borrow::Cow;
use vivarium_lab::goal::Goal;
use vivarium_lab::measures::Measures;
use vivarium_lab::run_metadata::SessionLimits;

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

/// Returns goal and limits of the command line.
pub fn given(args: &TrainArgs) -> SessionLimits {
    SessionLimits {
        until: args.until.as_ref().map(ToString::to_string),
        steps: args.steps,
        minutes: args.minutes,
    }
}

/// Formats goal and limits as options of the command line, such as `--until 'return>=475'` and `--steps 1024`.
pub fn options(limits: &SessionLimits) -> Vec<String> {
    let until = limits.until.iter().map(|goal| format!("--until {}", shell_quoted(goal)));
    let steps = limits.steps.iter().map(|steps| format!("--steps {steps}"));
    let minutes = limits.minutes.iter().map(|minutes| format!("--minutes {}", format_minutes(*minutes)));
    until.chain(steps).chain(minutes).collect()
}

/// Returns `args` with goal and limits of the latest session of the run of `--resume` if the command line has none, and prints
/// these. Returns `args` unchanged if the run cannot be read, since its resumption reports the error.
pub fn with_limits_of_run(args: &TrainArgs) -> Cow<'_, TrainArgs> {
    let kept = (given(args) == SessionLimits::default()).then(|| limits_of_run(args)).flatten();
    let Some((until, limits)) = kept else { return Cow::Borrowed(args) };
    terminal::print_message(&format!(
        "Goal and limits of the previous session: {}. --until, --steps or --minutes replace them.",
        options(&limits).join(" ")
    ));
    Cow::Owned(TrainArgs { until, steps: limits.steps, minutes: limits.minutes, ..args.clone() })
}

/// Returns goal and limits of the latest session of the run of `--resume`; `None` if it has none.
fn limits_of_run(args: &TrainArgs) -> Option<(Option<Goal>, SessionLimits)> {
    let (_, metadata) = RunFolder::open(args.resume.as_ref()?).ok()?;
    let limits = metadata.sessions.last()?.limits.clone();
    let until = limits.until.as_ref().map(|goal| goal.parse()).transpose().ok()?;
    (limits != SessionLimits::default()).then_some((until, limits))
}

/// Formats a number of minutes with two decimals; with all decimals if the rounded number would be 0.
fn format_minutes(minutes: f64) -> String {
    let rounded = (minutes * 100.0).round() / 100.0;
    if rounded > 0.0 { rounded.to_string() } else { minutes.to_string() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_formatted_as_options_without_zero_minutes() {
        let limits =
            SessionLimits { until: Some("return>=475".into()), steps: Some(1024), minutes: Some(1.0 / 3.0) };
        assert_eq!(options(&limits), ["--until 'return>=475'", "--steps 1024", "--minutes 0.33"]);
        assert!(options(&SessionLimits::default()).is_empty());
        assert_eq!([2.0, 0.001].map(format_minutes), ["2", "0.001"]);
    }
}

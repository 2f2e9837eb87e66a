//! Doubling decision of a rollout of a position before the roll.

use super::statistics::{CandidateEstimate, Estimate};
use super::trial::TrialResult;
use crate::advice::DecidedDoubling;
use vivarium_envs::backgammon::Position;
use vivarium_envs::backgammon::doubling::{DoublingContext, DoublingDecision, DoublingMethod};

/// Doubling decision of the player on roll, from the trials without a double and those after double and take.
pub struct RolloutDoubling {
    /// The decision.
    pub decided: DecidedDoubling,
    /// Standard errors of the equities.
    pub errors: DoublingErrors,
}

/// Standard errors of a doubling decision. `None` in bear-offs, whose equities do not depend on the trials, and with fewer than two
/// trials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoublingErrors {
    /// Error of the equity without a double.
    pub no_double: Option<f64>,
    /// Error of the equity of a double that the opponent takes.
    pub double_take: Option<f64>,
    /// Error of the equity of a double, with the best reply, minus the equity of no double. The losses of the player on roll have
    /// this standard error.
    pub doubling: Option<f64>,
}

impl RolloutDoubling {
    /// Returns the decision in `position` from trials with equal dice: without a double, and after double and take. Bear-offs do not
    /// depend on the trials.
    pub fn new(
        position: &Position,
        [no_double, double_take]: [&[TrialResult]; 2],
        context: &DoublingContext,
    ) -> Self {
        let [without, taken] = [no_double, double_take].map(CandidateEstimate::of);
        let probabilities = without.probabilities.map(|estimate| estimate.mean as f32);
        let decided = DecidedDoubling::new(position, probabilities, context);
        if decided.method != DoublingMethod::Janowski {
            return Self { decided, errors: DoublingErrors::default() };
        }
        let decision = DoublingDecision {
            no_double: without.equity.mean,
            double_take: taken.equity.mean,
            double_pass: 1.0,
        };
        let doubled =
            |trial: &TrialResult| if decision.is_take() { trial.equity } else { decision.double_pass };
        let pairs = no_double.iter().zip(double_take);
        let doubling = Estimate::of(pairs.map(|(without, taken)| doubled(taken) - without.equity));
        Self {
            decided: DecidedDoubling { decision, method: DoublingMethod::Rollout, ..decided },
            errors: DoublingErrors {
                no_double: without.equity.error,
                double_take: taken.equity.error,
                doubling: doubling.error,
            },
        }
    }
}

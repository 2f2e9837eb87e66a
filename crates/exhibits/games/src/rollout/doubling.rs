//! Doubling decision of a rollout of a position before the roll.

use super::statistics::{Estimate, equities, mean_probabilities};
use super::trial::TrialResult;
use crate::advice::DecidedDoubling;
use vivarium_envs::backgammon::Position;
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, DoublingContext, DoublingDecision, DoublingMethod};

/// Doubling decision of the player on roll, from the mean probabilities of the trials.
pub struct RolloutDoubling {
    /// The decision.
    pub decided: DecidedDoubling,
    /// Standard errors of the equities. `None` in bear-offs, whose equities do not depend on the trials, and with fewer than two
    /// trials.
    pub errors: DoublingEstimates<Option<f64>>,
}

/// Estimates of a doubling decision, or their standard errors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoublingEstimates<T> {
    /// Equity without a double.
    pub no_double: T,
    /// Equity of a double that the opponent takes.
    pub double_take: T,
    /// Equity of a double, with the best reply, minus the equity of no double. The losses of the player on roll have the standard
    /// error of this difference.
    pub doubling: T,
}

impl RolloutDoubling {
    /// Computes the decision in `position`, of which `trials` holds the results.
    pub fn new(position: &Position, trials: &[TrialResult], context: &DoublingContext) -> Self {
        let probabilities = mean_probabilities(trials).map(|probability| probability as f32);
        let decided = DecidedDoubling::new(position, probabilities, context);
        let errors = match decided.method {
            DoublingMethod::Janowski => {
                let DoublingEstimates { no_double, double_take, doubling } = janowski(trials, context);
                DoublingEstimates {
                    no_double: no_double.error,
                    double_take: double_take.error,
                    doubling: doubling.error,
                }
            }
            DoublingMethod::Exact | DoublingMethod::BearOff => DoublingEstimates::default(),
        };
        Self { decided, errors }
    }
}

/// Returns the equities by Janowski's formula from the mean probabilities of the trials.
pub fn janowski(trials: &[TrialResult], context: &DoublingContext) -> DoublingEstimates<Estimate> {
    let estimate = |equity: fn(DoublingDecision) -> f64| {
        let of_trial = |probabilities: [f64; 5]| {
            let probabilities = probabilities.map(|probability| probability as f32);
            equity(DoublingDecision::new(probabilities, context, CUBE_LIFE))
        };
        Estimate::of(equities(trials, of_trial).into_iter())
    };
    DoublingEstimates {
        no_double: estimate(|decision| decision.no_double),
        double_take: estimate(|decision| decision.double_take),
        doubling: estimate(|decision| decision.double() - decision.no_double),
    }
}

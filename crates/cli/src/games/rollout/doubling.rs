//! Doubling decision of a rollout of a position before the roll.

use super::statistics::{Estimate, equities, mean_probabilities};
use super::trial::TrialResult;
use vivarium_envs::backgammon::Position;
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, DoublingContext, DoublingDecision, DoublingMethod};
use vivarium_exhibit_games::advice::DecidedDoubling;

/// Doubling decision of the player on roll, from the mean probabilities of the trials.
pub struct RolloutDoubling {
    pub decided: DecidedDoubling,
    /// Standard errors of the equities of no double, and of double and take. `None` in bear-offs, whose equities do not depend on
    /// the trials, and with fewer than two trials.
    pub errors: [Option<f64>; 2],
}

impl RolloutDoubling {
    /// Computes the decision in `position`, of which `trials` holds the results.
    pub fn new(position: &Position, trials: &[TrialResult], context: &DoublingContext) -> Self {
        let probabilities = mean_probabilities(trials).map(|probability| probability as f32);
        let decided = DecidedDoubling::new(position, probabilities, context);
        let errors = match decided.method {
            DoublingMethod::Janowski => janowski(trials, context).map(|equity| equity.error),
            DoublingMethod::Exact | DoublingMethod::BearOff => [None; 2],
        };
        Self { decided, errors }
    }
}

/// Returns the equities of no double, and of double and take, by Janowski's formula from the mean probabilities of the trials.
pub fn janowski(trials: &[TrialResult], context: &DoublingContext) -> [Estimate; 2] {
    let actions: [fn(DoublingDecision) -> f64; 2] =
        [|decision| decision.no_double, |decision| decision.double_take];
    actions.map(|action| {
        let equity = |probabilities: [f64; 5]| {
            let probabilities = probabilities.map(|probability| probability as f32);
            action(DoublingDecision::new(probabilities, context, CUBE_LIFE))
        };
        Estimate::of(equities(trials, equity).into_iter())
    })
}

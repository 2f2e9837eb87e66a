//! Means and standard errors of the trials of a rollout.

use super::trial::TrialResult;

/// Mean of independent numbers, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean of the numbers.
    pub mean: f64,
    /// Standard error of the mean: standard deviation divided by the square root of the number of trials. `None` with fewer
    /// than two trials.
    pub error: Option<f64>,
}

impl Estimate {
    /// Returns mean and standard error of `numbers`.
    pub fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let count = numbers.clone().count() as f64;
        let mean = numbers.clone().sum::<f64>() / count;
        let squares: f64 = numbers.map(|number| (number - mean).powi(2)).sum();
        Self { mean, error: (count >= 2.0).then(|| (squares / (count - 1.0) / count).sqrt()) }
    }
}

/// Estimates of a candidate.
#[derive(Clone, Copy, Debug)]
pub struct CandidateEstimate {
    /// Equity at the score, with doubles in the trials.
    pub equity: Estimate,
    /// Cubeless equity in points.
    pub cubeless: Estimate,
    /// Outcome probabilities, in the order of [`Outcome::probabilities`](vivarium_envs::backgammon::Outcome::probabilities).
    pub probabilities: [Estimate; 5],
    /// Variance of the cubeless equity of a trial without luck adjustment, divided by the variance with luck adjustment. `None` if
    /// one of them is 0 or unknown.
    pub variance_ratio: Option<f64>,
}

impl CandidateEstimate {
    /// Returns the estimates of the trials of one candidate.
    pub fn of(trials: &[TrialResult]) -> Self {
        let cubeless = Estimate::of(trials.iter().map(|trial| cubeless_equity(trial.adjusted)));
        let without = Estimate::of(trials.iter().map(|trial| cubeless_equity(trial.outcome)));
        let probability = |at: usize| Estimate::of(trials.iter().map(|trial| trial.adjusted[at]));
        let ratio = without.error.zip(cubeless.error).map(|(without, with)| (without / with).powi(2));
        Self {
            equity: Estimate::of(trials.iter().map(|trial| trial.equity)),
            cubeless,
            probabilities: std::array::from_fn(probability),
            variance_ratio: ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0),
        }
    }
}

/// Returns the estimate of the equity of the first candidate minus that of the second one, trial by trial: equal dice cancel.
pub fn difference(first: &[TrialResult], second: &[TrialResult]) -> Estimate {
    Estimate::of(first.iter().zip(second).map(|(first, second)| first.equity - second.equity))
}

/// Returns the cubeless equity in points, as [`Outcome::equity`](vivarium_envs::backgammon::Outcome::equity) does.
fn cubeless_equity([win, gammon, backgammon, lost_gammon, lost_backgammon]: [f64; 5]) -> f64 {
    2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_the_standard_error_of_the_mean() {
        let estimate = Estimate::of([1.0, 2.0, 3.0, 4.0].into_iter());
        assert_eq!(estimate.mean, 2.5);
        // Standard deviation √(5/3), divided by √4.
        assert!((estimate.error.unwrap() - (5.0_f64 / 3.0).sqrt() / 2.0).abs() < 1e-12);
        assert_eq!(Estimate::of([7.0].into_iter()), Estimate { mean: 7.0, error: None });
    }
}

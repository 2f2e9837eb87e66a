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
    /// Equity at the score and with the doubling cube, from the mean probabilities.
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
    /// Returns the estimates of the trials of one candidate. `equities` holds the equity of each trial.
    pub fn of(trials: &[TrialResult], equities: &[f64]) -> Self {
        let cubeless = Estimate::of(trials.iter().map(|trial| cubeless_equity(trial.adjusted)));
        let without = Estimate::of(trials.iter().map(|trial| cubeless_equity(trial.outcome)));
        let probability = |at: usize| Estimate::of(trials.iter().map(|trial| trial.adjusted[at]));
        let ratio = without.error.zip(cubeless.error).map(|(without, with)| (without / with).powi(2));
        Self {
            equity: Estimate::of(equities.iter().copied()),
            cubeless,
            probabilities: std::array::from_fn(probability),
            variance_ratio: ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0),
        }
    }
}

/// Returns the mean probabilities of the trials.
pub fn mean_probabilities(trials: &[TrialResult]) -> [f64; 5] {
    std::array::from_fn(|at| trials.iter().map(|trial| trial.adjusted[at]).sum::<f64>() / trials.len() as f64)
}

/// Returns the equity of each trial, linear in its probabilities: their mean is the `equity` of the mean probabilities, and
/// their deviations give its standard error (delta method). The probabilities of a single trial have no equity at the score:
/// with luck adjustment they are below 0 or above 1.
pub fn equities(trials: &[TrialResult], equity: impl Fn([f64; 5]) -> f64) -> Vec<f64> {
    /// Half the distance of the probabilities from which a derivative is computed.
    const STEP: f64 = 0.005;
    let mean = mean_probabilities(trials);
    let equity_of_mean = equity(mean);
    let slopes: [f64; 5] = std::array::from_fn(|at| {
        let moved = |step: f64| {
            equity(std::array::from_fn(|other| mean[other] + if other == at { step } else { 0.0 }))
        };
        (moved(STEP) - moved(-STEP)) / (2.0 * STEP)
    });
    let linear = |trial: &TrialResult| {
        let deviations = trial.adjusted.iter().zip(mean).map(|(probability, mean)| probability - mean);
        equity_of_mean + deviations.zip(slopes).map(|(deviation, slope)| deviation * slope).sum::<f64>()
    };
    trials.iter().map(linear).collect()
}

/// Returns the estimate of the equity of the first candidate minus that of the second one, trial by trial: equal dice cancel.
pub fn difference(first: &[f64], second: &[f64]) -> Estimate {
    Estimate::of(first.iter().zip(second).map(|(first, second)| first - second))
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

    #[test]
    fn the_error_of_an_equity_is_that_of_its_linear_part() {
        // Luck adjustment leads to probabilities above 1.
        let trial = |win: f64| TrialResult {
            outcome: [1.0, 0.0, 0.0, 0.0, 0.0],
            adjusted: [win, 0.2, 0.0, 0.1, 0.0],
        };
        let trials = [0.4, 0.6, 1.2, 0.2].map(trial);
        let squared = equities(&trials, |[win, gammon, ..]| win * win + gammon);
        let Estimate { mean, error } = Estimate::of(squared.iter().copied());
        assert!((mean - (0.6_f64.powi(2) + 0.2)).abs() < 1e-12, "{mean}");
        let win = Estimate::of(trials.iter().map(|trial| trial.adjusted[0]));
        assert!((error.unwrap() - 2.0 * 0.6 * win.error.unwrap()).abs() < 1e-9, "{error:?}");
        // A linear equity is that of each trial.
        let linear = equities(&trials, cubeless_equity);
        assert!(
            linear
                .iter()
                .zip(&trials)
                .all(|(equity, trial)| (equity - cubeless_equity(trial.adjusted)).abs() < 1e-9)
        );
    }
}

//! Mean of a result over the runs of a study of seeds.

use crate::text;
use serde_json::{Value, json};
use vivarium_kernels::statistics::student_t_975;
use vivarium_lab::interval;

/// Mean of a result over several runs, or difference of two such means, with its 95 % confidence interval.
pub struct SeedMean {
    pub mean: f64,
    /// Lower end of the interval; infinite for a single run.
    pub low: f64,
    /// Upper end of the interval; infinite for a single run.
    pub high: f64,
}

/// Bound of the rounding error of the degrees of freedom, which may be slightly below a whole number.
const ROUNDING: f64 = 1e-9;

/// Returns the finite values and their mean.
fn finite_mean(values: &[f64]) -> (Vec<f64>, f64) {
    let values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values, mean)
}

impl SeedMean {
    /// Returns the mean of the finite `values`, one per run; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let (values, mean) = finite_mean(values);
        let count = values.len() as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        // The interval divides the population's standard deviation by √(n - 1).
        let (low, high) = interval::of_mean(mean, variance.sqrt(), values.len() as u32);
        (!values.is_empty()).then_some(Self { mean, low, high })
    }

    /// Returns the difference of the means of `values` and `baseline`; `None` if one of them has no finite value. The interval is
    /// that of Welch's t-test (Welch, 1947, <https://doi.org/10.1093/biomet/34.1-2.28>) with its degrees of freedom rounded
    /// down: the variances may differ. It is infinite if `values` or `baseline` has a single value.
    pub fn difference(values: &[f64], baseline: &[f64]) -> Option<Self> {
        let [of, baseline] = [values, baseline].map(|values| {
            let (values, mean) = finite_mean(values);
            let n = values.len() as f64;
            // Squared standard error of the mean; NaN for a single value.
            let error = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0) / n;
            (!values.is_empty()).then_some((n, mean, error))
        });
        let ((n, mean, error), (baseline_n, baseline_mean, baseline_error)) = (of?, baseline?);
        let sum = error + baseline_error;
        let freedom = sum.powi(2) / (error.powi(2) / (n - 1.0) + baseline_error.powi(2) / (baseline_n - 1.0));
        let half = match sum {
            0.0 => 0.0,
            sum if sum.is_nan() => f64::INFINITY,
            sum => student_t_975((freedom + ROUNDING).floor()) * sum.sqrt(),
        };
        let mean = mean - baseline_mean;
        Some(Self { mean, low: mean - half, high: mean + half })
    }

    /// Formats the mean of `label` over `seeds` seeds as a sentence without a period, such as "mean return 475, 95 % interval 460
    /// to 490, over 3 seeds". A single run has no interval.
    pub fn sentence(&self, label: &str, seeds: usize) -> String {
        let interval = match self.low.is_finite() {
            true => format!(", 95 % interval {} to {}", text::number(self.low), text::number(self.high)),
            false => String::new(),
        };
        let seeds = text::count(seeds as u64, "seed");
        format!("mean {label} {}{interval}, over {seeds}", text::number(self.mean))
    }

    /// Converts the mean to JSON: `mean`, `low` and `high`, of which the last two are `null` for a single run.
    pub fn to_json(&self) -> Value {
        let finite = |value: f64| value.is_finite().then_some(value);
        json!({ "mean": self.mean, "low": finite(self.low), "high": finite(self.high) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_without_variance_leaves_the_degrees_of_freedom_of_the_other_side() {
        for values in [[471.3, 480.9, 463.2, 476.7], [499.1, 488.8, 470.4, 500.0]] {
            let difference = SeedMean::difference(&values, &[500.0; 4]).unwrap();
            let of = SeedMean::of(&values).unwrap();
            assert!((difference.high - difference.mean - (of.high - of.mean)).abs() < 1e-6);
        }
        assert!(SeedMean::difference(&[1.0, f64::NAN], &[1.0, 2.0]).unwrap().high.is_infinite());
        assert!(SeedMean::difference(&[f64::NAN], &[1.0]).is_none());
    }
}

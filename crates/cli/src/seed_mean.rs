//! Mean of a result over the runs of a study of seeds.

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

impl SeedMean {
    /// Returns the mean of the finite `values`, one per run; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
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
            let values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
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
            sum => student_t_975(freedom.floor()) * sum.sqrt(),
        };
        let mean = mean - baseline_mean;
        Some(Self { mean, low: mean - half, high: mean + half })
    }

    /// Converts the mean to JSON: `mean`, `low` and `high`, of which the last two are `null` for a single run.
    pub fn to_json(&self) -> Value {
        let finite = |value: f64| value.is_finite().then_some(value);
        json!({ "mean": self.mean, "low": finite(self.low), "high": finite(self.high) })
    }
}

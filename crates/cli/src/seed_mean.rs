//! Mean of a result over the runs of a study of seeds.

use serde_json::{Value, json};
use vivarium_lab::interval;

/// Mean of a result over several runs, with its 95 % confidence interval.
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

    /// Converts the mean to JSON: `mean`, `low` and `high`, of which the last two are `null` for a single run.
    pub fn to_json(&self) -> Value {
        let finite = |value: f64| value.is_finite().then_some(value);
        json!({ "mean": self.mean, "low": finite(self.low), "high": finite(self.high) })
    }
}

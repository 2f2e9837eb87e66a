//! Confidence intervals of evaluation results.

use vivarium_kernels::statistics::student_t_975;

/// Returns the 95 % confidence interval of a mean, by Student's t distribution. `mean` and `std` are the mean and the
/// standard deviation of `trials` samples. The interval is infinite for a single sample.
pub fn of_mean(mean: f64, std: f64, trials: u32) -> (f64, f64) {
    if trials < 2 {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let n = f64::from(trials);
    // `std` may be normalized by n or n - 1. Division by n - 1 gives the wider, conservative interval.
    let half = student_t_975(n - 1.0) * std / (n - 1.0).sqrt();
    (mean - half, mean + half)
}

#[cfg(test)]
mod tests {
    use super::of_mean;

    #[test]
    fn an_interval_narrows_with_more_trials() {
        let (low, high) = of_mean(480.0, 20.0, 101);
        assert!(
            (480.0 - low - 2.0 * 1.984).abs() < 0.02 && (high - 480.0 - 2.0 * 1.984).abs() < 0.02,
            "{low} {high}"
        );
        assert_eq!(of_mean(480.0, 20.0, 1), (f64::NEG_INFINITY, f64::INFINITY));
    }
}

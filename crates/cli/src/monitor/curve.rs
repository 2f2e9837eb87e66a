//! Curves of bounded size. When a curve has too many points, each pair of adjacent points is replaced by its mean.

/// Maximum number of stored points of a curve.
const MAX_POINTS: usize = 2048;

/// Curve of a metric over training steps, with at most [`MAX_POINTS`] points.
#[derive(Clone, Debug)]
pub struct Curve {
    points: Vec<(f64, f64)>,
    /// Number of consecutive metric values whose mean is one stored point.
    stride: usize,
    /// Sum and number of the values since the last stored point.
    pending: (f64, usize),
    last: f64,
}

impl Default for Curve {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1, pending: (0.0, 0), last: f64::NAN }
    }
}

impl Curve {
    /// Appends the metric value at the training step `steps`. A value that is not finite becomes the newest value,
    /// but is not drawn.
    pub fn push(&mut self, steps: u64, value: f64) {
        self.last = value;
        if !value.is_finite() {
            return;
        }
        self.pending = (self.pending.0 + value, self.pending.1 + 1);
        if self.pending.1 < self.stride {
            return;
        }
        self.points.push((steps as f64, self.pending.0 / self.pending.1 as f64));
        self.pending = (0.0, 0);
        if self.points.len() >= MAX_POINTS {
            self.points =
                self.points.chunks_exact(2).map(|pair| (pair[1].0, (pair[0].1 + pair[1].1) / 2.0)).collect();
            self.stride *= 2;
        }
    }

    /// Sets the newest value of the metric without adding a point to the curve.
    pub fn set_last(&mut self, value: f64) {
        self.last = value;
    }

    /// Returns the stored points as (training steps, mean metric value).
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Returns the newest value of the metric; NaN if there is none.
    pub fn last(&self) -> f64 {
        self.last
    }

    /// Divides the range of steps into `bins` equal intervals and returns the mean value in each interval. An
    /// interval without points gets the value of the previous interval.
    pub fn binned(&self, bins: usize) -> Vec<f64> {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return Vec::new() };
        let range = (last.0 - first.0).max(1.0);
        let mut sums = vec![(0.0, 0usize); bins];
        for (steps, value) in &self.points {
            let bin = ((steps - first.0) / range * bins as f64) as usize;
            if let Some(sum) = sums.get_mut(bin.min(bins.saturating_sub(1))) {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
        let mut previous = first.1;
        let mean = |(sum, count): (f64, usize)| {
            previous = if count > 0 { sum / count as f64 } else { previous };
            previous
        };
        sums.into_iter().map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_stays_small_and_keeps_its_shape() {
        let mut curve = Curve::default();
        for step in 0..100_000u64 {
            curve.push(step, step as f64);
        }
        assert!((MAX_POINTS / 2..MAX_POINTS).contains(&curve.points().len()), "{}", curve.points().len());
        // The metric value equals the step, so the curve must stay linear. The mean of a stored point lags behind the
        // last step by half the number of averaged values.
        assert!(curve.points().iter().all(|(steps, value)| (0.0..=64.0).contains(&(steps - value))));
        assert!(curve.points().is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(curve.last(), 99_999.0);
        let binned = curve.binned(10);
        assert!(binned.len() == 10 && binned.is_sorted() && binned[9] > 90_000.0, "{binned:?}");
    }

    #[test]
    fn non_finite_values_are_reported_but_not_drawn() {
        let mut curve = Curve::default();
        assert!(curve.binned(4).is_empty());
        curve.push(1, 2.0);
        curve.push(2, f64::NAN);
        assert_eq!(curve.points(), [(1.0, 2.0)]);
        assert!(curve.last().is_nan());
        assert_eq!(curve.binned(2), [2.0, 2.0]);
    }
}

//! Running mean and variance, with which observations and rewards are normalized.
//!
//! The moments of blocks of environments are merged in a fixed order (Chan, Golub and LeVeque 1979); the result does
//! not depend on the number or timing of threads.

/// Moments of a stream of numbers: count, mean and sum of squared deviations from the mean (Welford 1962).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of numbers in the stream.
    pub count: f64,
    /// Mean of the numbers in the stream; 0 if the stream is empty.
    pub mean: f64,
    /// Sum of the squared deviations of all numbers from `mean`.
    pub deviations: f64,
}

impl Moments {
    /// Computes the moments of `numbers` in `f64`: first the mean, then the squared deviations from the mean.
    #[must_use]
    pub fn of(numbers: &[f32]) -> Self {
        let count = numbers.len() as f64;
        let mean = sum(numbers, f64::from) / count.max(1.0);
        let deviations = sum(numbers, |number| (f64::from(number) - mean).powi(2));
        Self { count, mean, deviations }
    }

    /// Adds the numbers of another stream, of which only the moments `other` are given (Chan, Golub and LeVeque
    /// 1979).
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0.0 {
            return;
        }
        let count = self.count + other.count;
        let distance = other.mean - self.mean;
        self.mean += distance * other.count / count;
        self.deviations += other.deviations + distance * distance * self.count * other.count / count;
        self.count = count;
    }

    /// Returns the population variance of the stream. Returns 1 if the stream is empty, so that normalization changes
    /// nothing.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.count > 0.0 { self.deviations / self.count } else { 1.0 }
    }
}

/// Returns the sum of term(x) over all x in `numbers`, computed as eight interleaved partial sums.
fn sum(numbers: &[f32], term: impl Fn(f32) -> f64) -> f64 {
    let mut sums = [0.0; 8];
    let mut groups = numbers.chunks_exact(8);
    for group in &mut groups {
        sums.iter_mut().zip(group).for_each(|(sum, &number)| *sum += term(number));
    }
    sums.iter_mut().zip(groups.remainder()).for_each(|(sum, &number)| *sum += term(number));
    sums.iter().sum()
}

/// Merges the moments of each column of the matrix `rows` into the element of `totals` for that column. `rows` is
/// row-major, such as one row per observation.
pub(crate) fn merge_columns(rows: &[f32], totals: &mut [Moments]) {
    /// Maximum number of matrix columns that are summed at a time.
    const COLUMNS: usize = 8;
    let width = totals.len();
    let count = (rows.len() / width) as f64;
    for (part, totals) in totals.chunks_mut(COLUMNS).enumerate() {
        let first = part * COLUMNS;
        let columns = |row: &[f32]| {
            let mut values = [0.0; COLUMNS];
            let row = &row[first..first + totals.len()];
            values.iter_mut().zip(row).for_each(|(value, &x)| *value = f64::from(x));
            values
        };
        let mut means = [0.0; COLUMNS];
        for row in rows.chunks_exact(width) {
            means.iter_mut().zip(columns(row)).for_each(|(sum, x)| *sum += x);
        }
        means.iter_mut().for_each(|sum| *sum /= count.max(1.0));
        let mut deviations = [0.0; COLUMNS];
        for row in rows.chunks_exact(width) {
            let deviation = columns(row).into_iter().zip(means).map(|(x, mean)| (x - mean).powi(2));
            deviations.iter_mut().zip(deviation).for_each(|(sum, square)| *sum += square);
        }
        for ((total, mean), deviations) in totals.iter_mut().zip(means).zip(deviations) {
            total.merge(&Moments { count, mean, deviations });
        }
    }
}

/// Bound of normalized observations, which are clipped to ±`OBSERVATION_LIMIT`.
pub const OBSERVATION_LIMIT: f32 = 10.0;
/// Constant ε of normalizers, which divide by √(variance + ε).
pub(crate) const EPSILON: f64 = 1e-8;

/// Normalizer of observations: replaces each dimension x by `(x − shift) · scale`, clipped to ±[`OBSERVATION_LIMIT`].
#[derive(Clone, Debug, PartialEq)]
pub struct ObservationNormalizer {
    shift: Vec<f32>,
    scale: Vec<f32>,
    active: bool,
}

impl ObservationNormalizer {
    /// Returns a normalizer that leaves observations of `dimensions` dimensions unchanged.
    #[must_use]
    pub fn identity(dimensions: usize) -> Self {
        Self { shift: vec![0.0; dimensions], scale: vec![1.0; dimensions], active: false }
    }

    /// Returns a normalizer that maps each observation dimension to mean 0 and variance 1. `moments` holds the
    /// moments of each dimension.
    #[must_use]
    pub fn from_moments(moments: &[Moments]) -> Self {
        Self {
            shift: moments.iter().map(|m| m.mean as f32).collect(),
            scale: moments.iter().map(|m| (1.0 / (m.variance() + EPSILON).sqrt()) as f32).collect(),
            active: true,
        }
    }

    /// Returns whether the normalizer changes observations.
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// Returns the number that is subtracted from each observation dimension, `[dimensions]`.
    pub(crate) fn shift(&self) -> &[f32] {
        &self.shift
    }

    /// Returns the factor by which each observation dimension is multiplied after the subtraction, `[dimensions]`.
    pub(crate) fn scale(&self) -> &[f32] {
        &self.scale
    }

    /// Normalizes `observations`, a row-major array `[rows, dimensions]`, in place.
    pub fn apply(&self, observations: &mut [f32]) {
        if !self.active {
            return;
        }
        for row in observations.chunks_exact_mut(self.shift.len()) {
            for ((x, shift), scale) in row.iter_mut().zip(&self.shift).zip(&self.scale) {
                *x = ((*x - shift) * scale).clamp(-OBSERVATION_LIMIT, OBSERVATION_LIMIT);
            }
        }
    }
}

/// Returns the factor for rewards with which discounted returns get variance 1. `returns` holds the moments of the
/// discounted returns of unscaled rewards.
#[must_use]
pub fn reward_scale(returns: &Moments) -> f32 {
    (1.0 / (returns.variance() + EPSILON).sqrt()) as f32
}

/// Accumulator of the explained variance: the fraction of the variance of the returns that the value estimates
/// explain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExplainedVariance {
    returns: Moments,
    errors: Moments,
}

impl ExplainedVariance {
    /// Creates the accumulator of the samples with the value estimates `values` and the returns `returns`.
    #[must_use]
    pub fn of(values: &[f32], returns: &[f32]) -> Self {
        let errors: Vec<f32> = returns.iter().zip(values).map(|(returned, value)| returned - value).collect();
        Self { returns: Moments::of(returns), errors: Moments::of(&errors) }
    }

    /// Adds all samples of the accumulator `other` to this accumulator.
    pub fn merge(&mut self, other: &Self) {
        self.returns.merge(&other.returns);
        self.errors.merge(&other.errors);
    }

    /// Returns the explained variance, 1 − Var(returns − values) / Var(returns). 1 is a perfect prediction; 0 is as
    /// good as predicting the mean. Returns 0 if the returns are constant.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.returns.deviations > 0.0 {
            1.0 - self.errors.deviations / self.returns.deviations
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(n: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 7919 + 13) % 1009) as f32 * 0.01 - 3.0 + 1000.0).collect()
    }

    fn reference(numbers: &[f32]) -> (f64, f64) {
        let mean = numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / numbers.len() as f64;
        let variance =
            numbers.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / numbers.len() as f64;
        (mean, variance)
    }

    #[test]
    fn merged_parts_agree_with_the_whole() {
        let all = numbers(1000);
        let (mean, variance) = reference(&all);
        let mut merged = Moments::default();
        for part in [&all[..1], &all[1..1], &all[1..300], &all[300..]] {
            merged.merge(&Moments::of(part));
        }
        for moments in [merged, Moments::of(&all)] {
            assert_eq!(moments.count, 1000.0);
            assert!((moments.mean - mean).abs() < 1e-9, "{} {mean}", moments.mean);
            assert!(
                (moments.variance() - variance).abs() < 1e-9 * variance,
                "{} {variance}",
                moments.variance()
            );
        }
    }

    #[test]
    fn columns_are_merged_one_by_one() {
        // More columns than are summed at a time; the last column is nearly constant.
        const WIDTH: usize = 11;
        let mut columns: Vec<Vec<f32>> =
            (0..WIDTH).map(|column| numbers(101 + column)[column..].to_vec()).collect();
        columns[WIDTH - 1] = [vec![5.0; 100], vec![7.0]].concat();
        let rows: Vec<f32> = (0..101).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        let mut totals = [Moments::default(); WIDTH];
        merge_columns(&rows[..30 * WIDTH], &mut totals);
        merge_columns(&rows[30 * WIDTH..], &mut totals);
        for (total, column) in totals.iter().zip(&columns) {
            let (mean, variance) = reference(column);
            assert_eq!(total.count, 101.0);
            assert!((total.mean - mean).abs() < 1e-9 && (total.variance() - variance).abs() < 1e-9);
        }
    }

    #[test]
    fn empty_moments_do_not_change_observations() {
        let mut observations = [3.0, -40.0];
        ObservationNormalizer::identity(2).apply(&mut observations);
        assert_eq!(observations, [3.0, -40.0]);
        assert!((reward_scale(&Moments::default()) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn normalization_gives_mean_zero_variance_one_and_clips() {
        let first = numbers(500);
        let second: Vec<f32> = first.iter().map(|x| (x - 1000.0) * 1e-3).collect();
        let moments = [Moments::of(&first), Moments::of(&second)];
        let mut rows: Vec<f32> = first.iter().zip(&second).flat_map(|(&a, &b)| [a, b]).collect();
        let scaling = ObservationNormalizer::from_moments(&moments);
        scaling.apply(&mut rows);
        for dimension in 0..2 {
            let column: Vec<f32> = rows.iter().skip(dimension).step_by(2).copied().collect();
            let (mean, variance) = reference(&column);
            assert!(mean.abs() < 1e-4 && (variance - 1.0).abs() < 1e-2, "{mean} {variance}");
        }
        let mut far = [1e9, -1e9];
        scaling.apply(&mut far);
        assert_eq!(far, [OBSERVATION_LIMIT, -OBSERVATION_LIMIT]);
    }

    #[test]
    fn explained_variance_of_perfect_mean_and_wrong_guesses() {
        let returns = [1.0, 2.0, 3.0, 4.0];
        let of = |values: &[f32; 4]| {
            let mut explained = ExplainedVariance::of(&values[..2], &returns[..2]);
            explained.merge(&ExplainedVariance::of(&values[2..], &returns[2..]));
            explained.share()
        };
        assert!((of(&returns) - 1.0).abs() < 1e-9);
        assert!(of(&[2.5; 4]).abs() < 1e-9);
        assert!(of(&[4.0, 3.0, 2.0, 1.0]) < -1.0);
        assert_eq!(ExplainedVariance::of(&[1.0, 2.0], &[5.0, 5.0]).share(), 0.0);
    }
}

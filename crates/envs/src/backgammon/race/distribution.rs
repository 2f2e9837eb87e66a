//! Distribution of a number of rolls.

/// Probabilities of 0, 1, 2, … rolls. All further probabilities are 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollDistribution {
    probabilities: Vec<f64>,
}

impl RollDistribution {
    /// Returns the distribution of no roll.
    pub fn zero() -> Self {
        Self { probabilities: vec![1.0] }
    }

    /// Adds `weight` times a distribution with the probabilities of `first`, `first` + 1, … rolls.
    pub fn add(&mut self, first: usize, probabilities: &[f32], weight: f64) {
        let len = self.probabilities.len().max(first + probabilities.len());
        self.probabilities.resize(len, 0.0);
        for (sum, &probability) in self.probabilities[first..].iter_mut().zip(probabilities) {
            *sum += weight * f64::from(probability);
        }
    }

    /// Returns the mean number of rolls.
    pub fn mean(&self) -> f64 {
        self.probabilities.iter().enumerate().map(|(rolls, probability)| rolls as f64 * probability).sum()
    }

    /// Returns the probability that this number of rolls is at most `other` minus `margin`; both numbers are independent.
    pub fn at_most(&self, other: &Self, margin: usize) -> f64 {
        // Summed from the end, so that no probability is negative.
        let (mut least, mut at_least) = (other.probabilities.len(), 0.0);
        let longest = self.probabilities.iter().enumerate().rev();
        longest
            .map(|(rolls, probability)| {
                let needed = (rolls + margin).min(least);
                at_least += other.probabilities[needed..least].iter().sum::<f64>();
                least = needed;
                probability * at_least
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(first: usize, probabilities: &[f32]) -> RollDistribution {
        let mut sum = RollDistribution::default();
        sum.add(first, probabilities, 1.0);
        sum
    }

    #[test]
    fn comparisons_sum_the_pairs() {
        let (mine, theirs) = (distribution(1, &[0.25, 0.75]), distribution(2, &[0.5, 0.25, 0.25]));
        assert_eq!((mine.mean(), theirs.mean()), (1.75, 2.75));
        assert_eq!(mine.at_most(&theirs, 0), 1.0);
        // 1 roll: always; 2 rolls: not against 2.
        assert_eq!(mine.at_most(&theirs, 1), 0.25 + 0.75 * 0.5);
        assert_eq!(theirs.at_most(&mine, 0), 0.5 * 0.75);
        assert_eq!(theirs.at_most(&mine, 1), 0.0);
        assert_eq!(RollDistribution::zero().at_most(&mine, 1), 1.0);
        assert_eq!(mine.at_most(&RollDistribution::zero(), 0), 0.0);
    }
}

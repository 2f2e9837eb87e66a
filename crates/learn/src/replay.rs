//! Prioritized experience replay (Schaul et al. 2016, <https://arxiv.org/abs/1511.05952>), proportional variant: sample
//! i is drawn with probability pᵢ / Σ p, where pᵢ = (|δᵢ| + ε)^α and δᵢ is the TD error.

use crate::sum_tree::SumTree;
use vivarium_kernels::rng::Stream;

/// Constant ε that is added to the magnitude |δ| of a TD error in the priorities, so that every sample has a
/// probability above 0.
const PRIORITY_EPSILON: f32 = 1e-3;

/// Prioritized replay buffer: a ring buffer of samples with their priorities.
#[derive(Clone, Debug)]
pub struct PrioritizedReplay<T> {
    samples: Vec<T>,
    priorities: SumTree,
    next: usize,
    largest: f32,
    capacity: usize,
}

impl<T> PrioritizedReplay<T> {
    /// Creates an empty buffer for up to `capacity` samples.
    pub fn new(capacity: usize) -> Self {
        Self {
            samples: Vec::with_capacity(capacity),
            priorities: SumTree::new(capacity),
            next: 0,
            largest: 1.0,
            capacity,
        }
    }

    /// Returns the number of samples in the buffer.
    #[allow(clippy::len_without_is_empty)] // No caller needs `is_empty`.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns the samples in buffer order. [`draw`](Self::draw) returns indices into this slice.
    pub fn samples(&self) -> &[T] {
        &self.samples
    }

    /// Returns the write position. If the buffer is full, this is the index of the oldest sample.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Returns the priority that new samples get: the maximum of all priorities so far.
    pub fn largest_priority(&self) -> f32 {
        self.largest
    }

    /// Iterates over the priorities of all samples.
    pub fn priorities(&self) -> impl Iterator<Item = f32> {
        (0..self.len()).map(|index| self.priorities.get(index))
    }

    /// Adds a sample with maximum priority. Returns the oldest sample if the buffer was full.
    pub fn push(&mut self, sample: T) -> Option<T> {
        let index = self.next;
        self.next = (self.next + 1) % self.capacity;
        self.priorities.set(index, self.largest);
        if self.samples.len() < self.capacity {
            self.samples.push(sample);
            return None;
        }
        Some(std::mem::replace(&mut self.samples[index], sample))
    }

    /// Draws `picks.len()` indices by stratified sampling: divides the priority sum into `picks.len()` equal segments,
    /// and draws one index from each segment.
    ///
    /// `weights` receives the importance-sampling weights (N·P(i))^−β, divided by the maximum of the minibatch.
    pub fn draw(&self, random: &mut Stream, beta: f32, picks: &mut [u32], weights: &mut [f32]) {
        let total = self.priorities.total();
        let part = total / picks.len() as f64;
        for (index, pick) in picks.iter_mut().enumerate() {
            *pick = self.priorities.find((index as f64 + f64::from(random.uniform())) * part) as u32;
        }
        if beta == 0.0 {
            return weights.fill(1.0);
        }
        let mean = (total / self.len() as f64) as f32;
        let mut largest = 0.0f32;
        for (weight, &pick) in weights.iter_mut().zip(&*picks) {
            *weight = (self.priorities.get(pick as usize) / mean).powf(-beta);
            largest = largest.max(*weight);
        }
        weights.iter_mut().for_each(|weight| *weight /= largest);
    }

    /// Sets the priorities of the samples with the indices `picks` from their TD errors δ: (|δ| + ε)^α with ε = 0.001.
    /// A sample whose error is infinite or NaN gets the maximum priority so far, as a new sample does.
    pub fn update_priorities(&mut self, picks: &[u32], errors: &[f32], alpha: f32) {
        for (&pick, error) in picks.iter().zip(errors) {
            let priority = (error.abs() + PRIORITY_EPSILON).powf(alpha);
            let priority = if priority.is_finite() { priority } else { self.largest };
            self.largest = self.largest.max(priority);
            self.priorities.set(pick as usize, priority);
        }
    }

    /// Restores saved priorities (one for each sample), the [write position](Self::next) and the
    /// [maximum priority](Self::largest_priority).
    pub fn restore(&mut self, priorities: &[f32], next: usize, largest: f32) {
        priorities.iter().enumerate().for_each(|(index, &priority)| self.priorities.set(index, priority));
        (self.next, self.largest) = (next, largest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_newest_and_returns_the_oldest() {
        let mut replay = PrioritizedReplay::new(10);
        let replaced: Vec<_> = (0..25).filter_map(|mark| replay.push(mark)).collect();
        assert_eq!(replaced, (0..15).collect::<Vec<_>>());
        let mut kept = replay.samples().to_vec();
        kept.sort_unstable();
        assert_eq!(kept, (15..25).collect::<Vec<_>>());
        assert_eq!(replay.priorities.total(), 10.0);
    }

    #[test]
    fn draws_by_priority_with_importance_weights() {
        let mut replay = PrioritizedReplay::new(4);
        (0..4).for_each(|mark| assert!(replay.push(mark).is_none()));
        replay.update_priorities(&[0, 1, 2, 3], &[1.0, -4.0, 9.0, 16.0], 0.5);
        let (mut picks, mut weights) = (vec![0; 1000], vec![0.0; 1000]);
        replay.draw(&mut Stream::new(1, 2), 1.0, &mut picks, &mut weights);
        for (index, share) in [0.1, 0.2, 0.3, 0.4].into_iter().enumerate() {
            let count = picks.iter().filter(|&&pick| pick as usize == index).count() as f32;
            // One draw from each segment, so counts deviate only at segment borders.
            assert!((count - 1000.0 * share).abs() <= 2.0, "{index}: {count}");
        }
        for (&pick, &weight) in picks.iter().zip(&weights) {
            assert!((weight - 1.0 / (pick as f32 + 1.0)).abs() < 1e-3, "{pick}: {weight}");
        }
        // A new sample has the maximum priority.
        replay.push(9);
        assert_eq!(replay.priorities.get(0), replay.priorities.get(3));
    }

    /// A sample whose TD error is infinite or NaN gets the maximum priority so far. A diverged network must not make
    /// the buffer unusable, because the run resumes from an earlier state.
    #[test]
    fn errors_that_are_not_finite_count_as_the_largest_priority() {
        let mut replay = PrioritizedReplay::new(4);
        (0..4).for_each(|mark| assert!(replay.push(mark).is_none()));
        replay.update_priorities(&[0, 1, 2, 3], &[f32::NAN, 4.0, f32::INFINITY, f32::NEG_INFINITY], 1.0);
        let found: Vec<f32> = replay.priorities().collect();
        assert_eq!(found, [1.0, 4.001, 4.001, 4.001]);
        let (mut picks, mut weights) = (vec![0; 100], vec![0.0; 100]);
        replay.draw(&mut Stream::new(1, 2), 0.5, &mut picks, &mut weights);
        assert!(weights.iter().all(|weight| weight.is_finite()));
        assert!((0..4).all(|index| picks.contains(&index)), "{picks:?}");
    }

    #[test]
    fn zero_exponents_give_uniform_replay() {
        let mut replay = PrioritizedReplay::new(4);
        (0..4).for_each(|mark| assert!(replay.push(mark).is_none()));
        replay.update_priorities(&[0, 1, 2, 3], &[1.0, -4.0, 9.0, 16.0], 0.0);
        let (mut picks, mut weights) = (vec![0; 400], vec![0.0; 400]);
        replay.draw(&mut Stream::new(1, 2), 0.0, &mut picks, &mut weights);
        assert_eq!(
            (0..4).map(|i| picks.iter().filter(|&&pick| pick == i).count()).collect::<Vec<_>>(),
            [100; 4]
        );
        assert!(weights.iter().all(|&weight| weight == 1.0));
    }
}

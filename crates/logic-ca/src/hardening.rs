//! What is hard already while the soft automaton runs.
//!
//! A soft automaton can be right where the hard one is wrong: a gate weighs two functions against each other, or cells hand
//! on shades of grey that carry more than a bit. So some of its parts act hard, others in every epoch and ever more of them: a
//! gate as the function that it weighs most, a step by rounding the cells to bits before the next one reads them. Solutions
//! that need shades lose by it, and those remain that are right when everything is hard; a few hard parts early on are enough
//! to lead there. The gradient goes past it all as if nothing were hard: a straight-through estimator (Bengio, Léonard,
//! Courville, "Estimating or Propagating Gradients Through Stochastic Neurons", 2013), for a random part as in "Training with
//! Quantization Noise for Extreme Model Compression" (Fan et al., 2021). Were it all hard from the start, there would be too
//! little of a slope to learn from.

use crate::circuit::purpose;
use vivarium_kernels::{Level, rng};

/// What is hard in one epoch.
#[derive(Clone, Debug)]
pub(crate) struct Hardening {
    share: f32,
    gates: usize,
    /// Uniform numbers, one for every gate and then one for every step.
    numbers: Vec<f32>,
}

impl Hardening {
    /// Nothing is hard yet.
    pub fn new(gates: usize, steps: usize) -> Self {
        Self { share: 0.0, gates, numbers: vec![0.0; gates + steps] }
    }

    /// Draws what is hard in a run's epoch after `epoch` others: gate i if uniform number i of the epoch's stream is below
    /// the share, step s if number gates + s is.
    pub fn draw(&mut self, level: Level, share: f32, seed: u64, epoch: u64) {
        rng::fill_uniform(level, Self::seed(seed, epoch), epoch as u32, 0, &mut self.numbers);
        self.share = share;
    }

    /// Share of gates and steps that are hard.
    pub fn share(&self) -> f32 {
        self.share
    }

    /// The seed of an epoch's numbers; their stream is the epoch.
    pub fn seed(seed: u64, epoch: u64) -> u64 {
        rng::derive(rng::derive(seed, purpose::HARDENING), (epoch >> 32) as u32)
    }

    /// For every gate whether it acts hard.
    pub fn gates(&self) -> impl Iterator<Item = bool> {
        self.numbers[..self.gates].iter().map(|&number| number < self.share)
    }

    /// Whether cells are rounded after step `step`.
    pub fn step(&self, step: usize) -> bool {
        self.numbers[self.gates + step] < self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::simd;

    #[test]
    fn a_share_is_hard_and_others_in_every_epoch() {
        for level in simd::levels() {
            let drawn = |share, seed, epoch| {
                let mut hardening = Hardening::new(500, 300);
                hardening.draw(level, share, seed, epoch);
                let steps = (0..300).map(|step| hardening.step(step));
                (hardening.gates().collect::<Vec<_>>(), steps.collect::<Vec<_>>())
            };
            let count = |hard: &[bool]| hard.iter().filter(|&&hard| hard).count();
            let (gates, steps) = drawn(0.3, 1, 5);
            assert!((110..190).contains(&count(&gates)), "{} of 500 gates", count(&gates));
            assert!((60..120).contains(&count(&steps)), "{} of 300 steps", count(&steps));
            assert_eq!((gates.clone(), steps), drawn(0.3, 1, 5));
            for (seed, epoch) in [(1, 6), (1, 5 + (1 << 32)), (2, 5)] {
                assert_ne!(gates, drawn(0.3, seed, epoch).0);
            }
            assert_eq!(count(&drawn(0.0, 1, 5).0), 0);
            // What is hard stays so while the share grows.
            let more = drawn(0.6, 1, 5).0;
            assert!(gates.iter().zip(&more).all(|(&before, &after)| !before || after));
            assert!(count(&more) > count(&gates));
        }
    }
}

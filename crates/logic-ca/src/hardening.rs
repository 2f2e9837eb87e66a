//! Stochastic hardening: discretization of a random subset of gates and automaton steps during training.
//!
//! A soft circuit can be correct although its hard counterpart is not: gates may mix several functions, and cells may
//! exchange values between 0 and 1. Hardening closes this gap. In each epoch a random subset of the gates uses its
//! argmax function alone, and after a random subset of the steps the cells are rounded to bits. The fraction rises
//! linearly over training ([`LogicConfig::hard_share_at`](crate::LogicConfig::hard_share_at)). With everything hard
//! from the start there would be too little gradient signal.
//!
//! A hardened gate has the coefficients of its argmax function, and the gradients of its inputs use these coefficients.
//! A straight-through estimator (Bengio, Léonard, Courville, "Estimating or Propagating Gradients Through Stochastic
//! Neurons for Conditional Computation", 2013, <https://arxiv.org/abs/1308.3432>) ignores the discretization in the
//! logit gradient, which uses the softmax probabilities, and in the rounding of cells. Hardening of a random subset
//! follows Fan et al., "Training with Quantization Noise for Extreme Model Compression", 2021,
//! <https://arxiv.org/abs/2004.07320>.

use crate::circuit::rng_stream;
use vivarium_kernels::{Level, rng};

/// Random mask of the gates and automaton steps that are hardened (discretized) in one epoch.
#[derive(Clone, Debug)]
pub(crate) struct HardeningMask {
    share: f32,
    gates: usize,
    /// Uniform random numbers in [0, 1): one per gate, then one per automaton step. A gate or step is hardened
    /// (discretized) if the number of the gate or step is below `share`.
    numbers: Vec<f32>,
}

impl HardeningMask {
    /// Creates a mask that hardens none of `gates` gates and none of `steps` automaton steps.
    pub fn new(gates: usize, steps: usize) -> Self {
        Self { share: 0.0, gates, numbers: vec![0.0; gates + steps] }
    }

    /// Samples the gates and automaton steps that are hardened (discretized) in epoch `epoch`, each with probability
    /// `share`. Gate i is hardened if uniform number i is below `share`, step s if uniform number (number of gates + s)
    /// is below `share`.
    pub fn draw(&mut self, level: Level, share: f32, seed: u64, epoch: u64) {
        rng::fill_uniform(level, Self::seed(seed, epoch), epoch as u32, 0, &mut self.numbers);
        self.share = share;
    }

    /// Returns the probability with which each gate, and each automaton step, is hardened (discretized).
    pub fn share(&self) -> f32 {
        self.share
    }

    /// Returns the seed of the mask's random numbers in epoch `epoch`, derived from the seed of the run.
    pub fn seed(seed: u64, epoch: u64) -> u64 {
        rng::derive(rng::derive(seed, rng_stream::HARDENING), (epoch >> 32) as u32)
    }

    /// Returns, for each gate in [gate order](crate::circuit), whether the gate is hardened (discretized).
    pub fn gates(&self) -> impl Iterator<Item = bool> {
        self.numbers[..self.gates].iter().map(|&number| number < self.share)
    }

    /// Returns whether the cells are rounded to 0 or 1 after the automaton step with index `step`, counted from 0.
    pub fn step(&self, step: usize) -> bool {
        self.numbers[self.gates + step] < self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::simd;

    #[test]
    fn mask_has_the_requested_share_and_differs_between_epochs() {
        for level in simd::levels() {
            let drawn = |share, seed, epoch| {
                let mut hardening = HardeningMask::new(500, 300);
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
            // With the same random numbers, every gate that a smaller share hardens is also hardened by a larger share.
            let more = drawn(0.6, 1, 5).0;
            assert!(gates.iter().zip(&more).all(|(&before, &after)| !before || after));
            assert!(count(&more) > count(&gates));
        }
    }
}

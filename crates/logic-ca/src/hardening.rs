//! What is hard already while the soft automaton runs.
//!
//! A soft automaton can be right where the hard one is wrong: a gate weighs two functions against each other, or cells hand
//! on shades of grey that carry more than a bit. So once it is nearly right, or as time goes by where the config says so, some
//! of its parts act hard, others in every epoch and ever more of them: a gate as the function that it weighs most, a step by
//! rounding the cells to bits before the next one reads them. Solutions that need shades lose by it; those remain that are
//! right when everything is hard. The gradient goes past it all as if nothing were hard: a straight-through estimator (Bengio,
//! Léonard, Courville, "Estimating or Propagating Gradients Through Stochastic Neurons", 2013), for a random part as in
//! "Training with Quantization Noise for Extreme Model Compression" (Fan et al., 2021). Were it hard from the start, there
//! would be too little of a slope to learn from.

use crate::circuit::purpose;
use vivarium_kernels::{Level, rng};

/// What is hard in one epoch.
#[derive(Clone, Debug)]
pub(crate) struct Hardening {
    /// How far it has come, 0 to 1.
    pub progress: f32,
    share: f32,
    gates: usize,
    /// Uniform numbers, one for every gate and then one for every step.
    numbers: Vec<f32>,
}

impl Hardening {
    /// Nothing is hard yet.
    pub fn new(gates: usize, steps: usize) -> Self {
        Self { progress: 0.0, share: 0.0, gates, numbers: vec![0.0; gates + steps] }
    }

    /// Draws what is hard in a run's epoch after `epoch` others: gate i if uniform number i of the epoch's stream is below
    /// the share, step s if number gates + s is. The share is `most` times the progress.
    pub fn draw(&mut self, level: Level, most: f32, seed: u64, epoch: u64) {
        rng::fill_uniform(level, Self::seed(seed, epoch), epoch as u32, 0, &mut self.numbers);
        self.share = most * self.progress;
    }

    /// Goes on by one of `epochs` steps where the mean squared error of a bit was below `nearly_right` in this epoch, and
    /// back where it was not: what has been hardened too fast, or is to become something else, is soft enough to learn
    /// again.
    pub fn follow(&mut self, error: f32, nearly_right: f32, epochs: u32) {
        let step = 1.0 / epochs as f32;
        let step = if error < nearly_right { step } else { -step };
        self.progress = (self.progress + step).clamp(0.0, 1.0);
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
            let drawn = |progress, seed, epoch| {
                let mut hardening = Hardening::new(500, 300);
                hardening.progress = progress;
                hardening.draw(level, 0.6, seed, epoch);
                let steps = (0..300).map(|step| hardening.step(step));
                (hardening.gates().collect::<Vec<_>>(), steps.collect::<Vec<_>>())
            };
            let count = |hard: &[bool]| hard.iter().filter(|&&hard| hard).count();
            let (gates, steps) = drawn(0.5, 1, 5);
            assert!((110..190).contains(&count(&gates)), "{} of 500 gates", count(&gates));
            assert!((60..120).contains(&count(&steps)), "{} of 300 steps", count(&steps));
            assert_eq!((gates.clone(), steps), drawn(0.5, 1, 5));
            for (seed, epoch) in [(1, 6), (1, 5 + (1 << 32)), (2, 5)] {
                assert_ne!(gates, drawn(0.5, seed, epoch).0);
            }
            assert_eq!(count(&drawn(0.0, 1, 5).0), 0);
            // What is hard stays so while the share grows.
            let more = drawn(1.0, 1, 5).0;
            assert!(gates.iter().zip(&more).all(|(&before, &after)| !before || after));
            assert!(count(&more) > count(&gates));
        }
    }

    #[test]
    fn it_rises_while_nearly_right_and_falls_else() {
        let mut hardening = Hardening::new(1, 0);
        hardening.follow(0.2, 0.01, 200);
        assert_eq!(hardening.progress, 0.0);
        for _ in 0..100 {
            hardening.follow(0.001, 0.01, 200);
        }
        assert!((hardening.progress - 0.5).abs() < 1e-4);
        hardening.follow(0.25, 0.01, 200);
        assert!((hardening.progress - 0.495).abs() < 1e-4);
        for _ in 0..300 {
            hardening.follow(0.0, 0.01, 200);
        }
        assert_eq!(hardening.progress, 1.0);
    }
}

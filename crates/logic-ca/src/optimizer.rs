//! Gate parameters: softmax of the logits, stochastic hardening with straight-through gradients, and AdamW.
//!
//! *Hardening* is the discretization of a random subset of gates and automaton steps during training.
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
use crate::config::LogicConfig;
use crate::gate::{self, Coefficients, FUNCTIONS};
use vivarium_graph::Cpu;
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{AlignedVec, Level, rng, softmax};

/// Logits of all gates, `[gate][16]`, with their AdamW moments, softmax probabilities and gradients.
#[derive(Clone, Debug)]
pub(crate) struct GateOptimizer {
    pub logits: AlignedVec<f32>,
    pub first_moment: AlignedVec<f32>,
    pub second_moment: AlignedVec<f32>,
    probabilities: AlignedVec<f32>,
    gradient: AlignedVec<f32>,
}

/// Statistics over all gates of the probabilities of their sixteen functions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GateStatistics {
    /// Number of gates whose argmax function (the function with the largest probability) has each function number,
    /// `[function]`.
    pub functions: [u32; FUNCTIONS],
    /// Mean over the gates of the largest function probability: 1/16 (uniform) to 1 (one function).
    pub confidence: f64,
}

/// Returns the settings (learning rate, decays) of an AdamW step that follows `steps` earlier AdamW steps. `since` is
/// the number of epochs since the learning-rate schedule began. Steps and epochs differ, because an epoch without a
/// wrong bit takes no step; AdamW's bias correction counts the steps (Kingma and Ba 2015).
pub(crate) fn adam_step(config: &LogicConfig, steps: u64, since: u64) -> AdamStep {
    AdamStep {
        learning_rate: config.learning_rate_at(since),
        beta1: config.beta1,
        beta2: config.beta2,
        epsilon: 1e-8,
        weight_decay: config.weight_decay,
        step: steps + 1,
    }
}

impl GateOptimizer {
    pub fn new(logits: &[f32]) -> Self {
        let zeros = || AlignedVec::zeros(logits.len());
        Self {
            logits: AlignedVec::from_slice(logits),
            first_moment: zeros(),
            second_moment: zeros(),
            probabilities: zeros(),
            gradient: zeros(),
        }
    }

    /// Computes the coefficients c₀, c₁, c₂, c₃ of all gates from their logits, and stores the softmax probabilities
    /// for the backward pass. Hardened gates get the coefficients of their argmax function, through which the gradients of
    /// their inputs flow. Their logit gradient is computed with the softmax probabilities (straight-through estimator).
    pub fn collapse(
        &mut self,
        level: Level,
        hardening: &HardeningMask,
        coefficients: &mut [Coefficients],
    ) -> GateStatistics {
        softmax::softmax(level, coefficients.len(), FUNCTIONS, &self.logits, &mut self.probabilities);
        let mut statistics = GateStatistics::default();
        let mut largest = 0.0;
        let gates = self.probabilities.as_chunks().0.iter().zip(hardening.gates());
        for (c, (p, hard)) in coefficients.iter_mut().zip(gates) {
            let function = gate::argmax_function(p);
            *c = if hard { gate::coefficients(function) } else { gate::mixture(p) };
            statistics.functions[usize::from(function)] += 1;
            largest += f64::from(p[usize::from(function)]);
        }
        statistics.confidence = largest / coefficients.len() as f64;
        statistics
    }

    /// Returns the number of the argmax function of every gate, in [gate order](crate::circuit).
    pub fn hard_functions(&self) -> impl Iterator<Item = u8> {
        self.logits.as_chunks().0.iter().map(gate::argmax_function)
    }

    /// Resets a gate to `function`: sets its logit to [`INITIAL_LOGIT`](gate::INITIAL_LOGIT), and all other logits and
    /// the AdamW moments of the gate to 0.
    pub fn set_function(&mut self, gate: usize, function: u8) {
        let of_gate = gate * FUNCTIONS..(gate + 1) * FUNCTIONS;
        self.logits[of_gate.clone()].fill(0.0);
        self.logits[of_gate.start + usize::from(function)] = gate::INITIAL_LOGIT;
        self.first_moment[of_gate.clone()].fill(0.0);
        self.second_moment[of_gate].fill(0.0);
    }

    /// Updates the logits by an AdamW step. `sums` holds Σg, Σg·a, Σg·b, Σg·a·b of every gate, where a and b are the
    /// gate's inputs and g is the gradient of its output.
    pub fn step(&mut self, cpu: &Cpu, sums: &[Coefficients], config: &LogicConfig, settings: &AdamStep) {
        let gates = self.gradient.as_chunks_mut().0.iter_mut().zip(self.probabilities.as_chunks().0);
        let clip = config.gradient_clip;
        for ((gradient, probabilities), sums) in gates.zip(sums) {
            gate::logit_gradient(probabilities, sums, gradient);
            for g in gradient {
                *g = g.clamp(-clip, clip);
            }
        }
        let (first, second) = (&mut self.first_moment, &mut self.second_moment);
        cpu.adam(&mut self.logits, &self.gradient, first, second, settings);
    }
}

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
    use vivarium_kernels::rng::Stream;
    use vivarium_kernels::{reference, simd};

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

    #[test]
    fn hardened_gates_use_their_argmax_function() {
        let mut stream = Stream::new(2, 0);
        let logits: Vec<f32> = (0..60 * FUNCTIONS).map(|_| stream.normal()).collect();
        let level = simd::level();
        let mut hardening = HardeningMask::new(60, 0);
        hardening.draw(level, 0.4, 1, 0);
        let mut coefficients = [[0.0; 4]; 60];
        let mut optimizer = GateOptimizer::new(&logits);
        optimizer.collapse(level, &hardening, &mut coefficients);
        let probabilities = optimizer.probabilities.as_chunks().0.iter();
        for ((c, p), hard) in coefficients.iter().zip(probabilities).zip(hardening.gates()) {
            let expected = if hard { gate::coefficients(gate::argmax_function(p)) } else { gate::mixture(p) };
            assert_eq!(*c, expected);
        }
    }

    #[test]
    fn step_matches_the_reference_gradient_clipping_and_adam() {
        let mut stream = Stream::new(1, 0);
        let logits: Vec<f32> = (0..5 * FUNCTIONS).map(|_| stream.normal()).collect();
        let sums: Vec<Coefficients> = (0..5).map(|_| [(); 4].map(|()| 20.0 * stream.normal())).collect();
        let config = LogicConfig { gradient_clip: 0.5, learning_rate: 0.05, ..LogicConfig::default() };
        for level in simd::levels() {
            let mut optimizer = GateOptimizer::new(&logits);
            let mut coefficients = [[0.0; 4]; 5];
            let statistics = optimizer.collapse(level, &HardeningMask::new(5, 0), &mut coefficients);
            assert_eq!(statistics.functions.iter().sum::<u32>(), 5);
            optimizer.step(&Cpu::new(1), &sums, &config, &adam_step(&config, 0, 0));

            let mut expected = logits.clone();
            let mut gradient = vec![0.0; logits.len()];
            for (gate, sums) in sums.iter().enumerate() {
                let of_gate = gate * FUNCTIONS..(gate + 1) * FUNCTIONS;
                let mut p = [0.0; FUNCTIONS];
                reference::softmax_row(&logits[of_gate.clone()], &mut p);
                let mut g = [0.0; FUNCTIONS];
                gate::logit_gradient(&p, sums, &mut g);
                gradient[of_gate].copy_from_slice(&g.map(|g| g.clamp(-0.5, 0.5)));
            }
            assert!(gradient.contains(&0.5) || gradient.contains(&-0.5), "nothing was clipped");
            let (mut m, mut v) = (vec![0.0; logits.len()], vec![0.0; logits.len()]);
            let settings = AdamStep {
                learning_rate: 0.05,
                beta1: 0.9,
                beta2: 0.99,
                epsilon: 1e-8,
                weight_decay: 0.01,
                step: 1,
            };
            reference::adam(&mut expected, &gradient, &mut m, &mut v, &settings);
            for (got, expected) in optimizer.logits.iter().zip(&expected) {
                assert!((got - expected).abs() < 1e-5, "{got} {expected}");
            }
        }
    }
}

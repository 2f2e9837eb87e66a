//! Samples of a rollout gathered in random order, as the loss reads them.

use super::network::{INPUTS, SETTINGS};
use super::rollout::{Block, RECORD};
use std::ops::Range;
use vivarium_envs::World;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Permutation;
use vivarium_kernels::{AlignedVec, Level, reduce};

/// Added to the deviation of advantages before dividing by it.
pub(crate) const EPSILON: f32 = 1e-8;

/// The rows of one gradient step.
#[derive(Clone, Debug)]
pub(crate) struct Minibatch {
    observation_len: usize,
    pub rows: usize,
    observations: AlignedVec<f32>,
    actions: AlignedVec<f32>,
    log_probabilities: AlignedVec<f32>,
    advantages: AlignedVec<f32>,
    returns: AlignedVec<f32>,
    values: AlignedVec<f32>,
}

/// Rows that a worker gathers at a time.
const PIECE: usize = 1024;

/// Some rows of a minibatch, to be filled.
struct Piece<'a> {
    /// Its first row's place in the order of the epoch.
    first: usize,
    observations: &'a mut [f32],
    actions: &'a mut [f32],
    log_probabilities: &'a mut [f32],
    advantages: &'a mut [f32],
    returns: &'a mut [f32],
    values: &'a mut [f32],
}

impl Piece<'_> {
    fn gather<W: World>(
        &mut self,
        level: Level,
        blocks: &[Block<W>],
        block_samples: usize,
        order: &Permutation,
    ) {
        let mut samples = [0; PIECE];
        let samples = &mut samples[..self.actions.len()];
        order.fill(level, self.first as u32, samples);
        // A length known to the compiler: no call for so short a copy.
        let width = W::OBSERVATION_LEN;
        let observations = self.observations.chunks_exact_mut(width);
        for ((row, &sample), observation) in samples.iter().enumerate().zip(observations) {
            let (block, i) = (&blocks[sample as usize / block_samples], sample as usize % block_samples);
            let record = &block.records[i * (RECORD + width)..][..RECORD + width];
            self.actions[row] = record[0];
            self.log_probabilities[row] = record[1];
            self.advantages[row] = record[2];
            self.returns[row] = record[3];
            self.values[row] = record[4];
            observation.iter_mut().zip(&record[RECORD..]).for_each(|(to, &from)| *to = from);
        }
    }
}

impl Minibatch {
    /// Room for this many rows.
    pub fn new(rows: usize, observation_len: usize) -> Self {
        let column = || AlignedVec::zeros(rows);
        Self {
            observation_len,
            rows: 0,
            observations: AlignedVec::zeros(rows * observation_len),
            actions: column(),
            log_probabilities: column(),
            advantages: column(),
            returns: column(),
            values: column(),
        }
    }

    /// Takes the samples at these places of the epoch's order. Samples are numbered block by block; all blocks but the
    /// last hold `block_samples`.
    pub fn gather<W: World>(
        &mut self,
        cpu: &Cpu,
        blocks: &[Block<W>],
        block_samples: usize,
        order: &Permutation,
        places: Range<usize>,
    ) {
        self.rows = places.len();
        let (rows, width) = (self.rows, self.observation_len);
        let [mut actions, mut log_probabilities, mut advantages, mut returns, mut values] = [
            &mut self.actions,
            &mut self.log_probabilities,
            &mut self.advantages,
            &mut self.returns,
            &mut self.values,
        ]
        .map(|column| column[..rows].chunks_mut(PIECE));
        let mut pieces: Vec<Piece> = places
            .step_by(PIECE)
            .zip(self.observations[..rows * width].chunks_mut(PIECE * width))
            .filter_map(|(first, observations)| {
                Some(Piece {
                    first,
                    observations,
                    actions: actions.next()?,
                    log_probabilities: log_probabilities.next()?,
                    advantages: advantages.next()?,
                    returns: returns.next()?,
                    values: values.next()?,
                })
            })
            .collect();
        let level = cpu.level();
        cpu.for_each(&mut pieces, |_, piece| piece.gather(level, blocks, block_samples, order));
    }

    /// Scales the advantages to mean 0 and deviation 1.
    pub fn normalise_advantages(&mut self, level: Level) {
        let advantages = &mut self.advantages[..self.rows];
        let (mean, variance) = reduce::mean_and_variance(level, advantages);
        let scale = 1.0 / (variance.sqrt() + EPSILON);
        for advantage in advantages {
            *advantage = (*advantage - mean) * scale;
        }
    }

    /// The network's inputs for a run of rows.
    pub fn inputs<'a>(
        &'a self,
        rows: std::ops::Range<usize>,
        settings: &'a [f32; SETTINGS],
    ) -> [&'a [f32]; INPUTS + SETTINGS] {
        let width = self.observation_len;
        let [clip, value_clip, value, entropy] = settings.each_ref().map(std::slice::from_ref);
        [
            &self.observations[rows.start * width..rows.end * width],
            &self.actions[rows.clone()],
            &self.log_probabilities[rows.clone()],
            &self.advantages[rows.clone()],
            &self.returns[rows.clone()],
            &self.values[rows],
            clip,
            value_clip,
            value,
            entropy,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::simd;

    #[test]
    fn advantages_get_mean_zero_and_deviation_one() {
        let mut minibatch = Minibatch::new(1000, 1);
        minibatch.rows = 999;
        minibatch.advantages.iter_mut().zip(0..).for_each(|(a, i)| *a = (i * 37 % 101) as f32 * 0.1 + 50.0);
        minibatch.normalise_advantages(simd::level());
        let rows = &minibatch.advantages[..999];
        let mean = rows.iter().map(|&a| f64::from(a)).sum::<f64>() / 999.0;
        let variance = rows.iter().map(|&a| (f64::from(a) - mean).powi(2)).sum::<f64>() / 999.0;
        assert!(mean.abs() < 1e-4 && (variance - 1.0).abs() < 1e-4, "{mean} {variance}");
        // Equal advantages teach nothing, and are not blown up.
        minibatch.advantages.fill(3.0);
        minibatch.normalise_advantages(simd::level());
        assert!(minibatch.advantages[..999].iter().all(|&a| a.abs() < 1e-3));
    }
}

//! Minibatches: samples of a rollout, gathered in random order.

use super::network::{INPUTS, SETTINGS};
use super::rollout::{RECORD, RolloutBlock};
use std::ops::Range;
use vivarium_envs::World;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Permutation;
use vivarium_kernels::{Level, reduce};
use vivarium_learn::SampleBatch;

/// Constant that is added to the standard deviation of the advantages before the advantages are divided by it.
pub(crate) const EPSILON: f32 = 1e-8;

/// Inputs of one gradient step.
#[derive(Clone, Debug)]
pub(crate) struct PpoMinibatch {
    pub rows: usize,
    /// Per-row inputs of the loss, in the order of [`PpoGraph::graph`](super::network::PpoGraph::graph).
    batch: SampleBatch<INPUTS>,
}

/// Number of rows that one thread gathers at a time: enough to outweigh the cost of waking the thread, which is higher
/// in a browser.
const PIECE: usize = if cfg!(target_family = "wasm") { 1024 } else { 256 };

/// Index of the advantages among the per-row inputs.
const ADVANTAGES: usize = 3;

impl PpoMinibatch {
    /// Allocates a minibatch of at most `rows` rows.
    pub fn new(rows: usize, observation_len: usize) -> Self {
        Self { rows: 0, batch: SampleBatch::new(rows, [observation_len, 1, 1, 1, 1, 1]) }
    }

    /// Fills the minibatch with the samples at the positions `places` of the epoch's permutation `order`. Samples are
    /// numbered block by block; all blocks but the last have `block_samples` samples.
    pub fn gather<W: World>(
        &mut self,
        cpu: &Cpu,
        blocks: &[RolloutBlock<W>],
        block_samples: usize,
        order: &Permutation,
        places: Range<usize>,
    ) {
        self.rows = places.len();
        self.batch.fill(cpu, places.len(), PIECE, |first, columns| {
            let [observations, actions, log_probabilities, advantages, returns, values] = columns;
            let mut samples = [0; PIECE];
            let samples = &mut samples[..actions.len()];
            order.fill(cpu.level(), (places.start + first) as u32, samples);
            // With a compile-time constant width the copy is inlined, without a call of `memcpy`.
            let width = W::OBSERVATION_LEN;
            let observations = observations.chunks_exact_mut(width);
            for ((row, &sample), observation) in samples.iter().enumerate().zip(observations) {
                let (block, i) = (&blocks[sample as usize / block_samples], sample as usize % block_samples);
                let record = &block.records[i * (RECORD + width)..][..RECORD + width];
                actions[row] = record[0];
                log_probabilities[row] = record[1];
                advantages[row] = record[2];
                returns[row] = record[3];
                values[row] = record[4];
                observation.iter_mut().zip(&record[RECORD..]).for_each(|(to, &from)| *to = from);
            }
        });
    }

    /// Normalizes the advantages to mean 0 and standard deviation 1. Does nothing if there is one row, whose advantage
    /// would become 0 (as in Stable-Baselines3): the last minibatch of an epoch may have fewer rows than the others.
    pub fn normalize_advantages(&mut self, level: Level) {
        if self.rows <= 1 {
            return;
        }
        let advantages = &mut self.batch.column_mut(ADVANTAGES)[..self.rows];
        let (mean, variance) = reduce::mean_and_variance(level, advantages);
        let scale = 1.0 / (variance.sqrt() + EPSILON);
        for advantage in advantages {
            *advantage = (*advantage - mean) * scale;
        }
    }

    /// Returns the inputs of the loss for a range of rows, followed by its scalar settings.
    pub fn inputs<'a>(
        &'a self,
        rows: Range<usize>,
        settings: &'a [f32; SETTINGS],
    ) -> [&'a [f32]; INPUTS + SETTINGS] {
        let rows = self.batch.rows(rows);
        let settings = settings.each_ref().map(std::slice::from_ref);
        std::array::from_fn(|index| if index < INPUTS { rows[index] } else { settings[index - INPUTS] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::simd;

    #[test]
    fn advantages_get_mean_zero_and_deviation_one() {
        let mut minibatch = PpoMinibatch::new(1000, 1);
        minibatch.rows = 999;
        minibatch
            .batch
            .column_mut(ADVANTAGES)
            .iter_mut()
            .zip(0..)
            .for_each(|(a, i)| *a = (i * 37 % 101) as f32 * 0.1 + 50.0);
        minibatch.normalize_advantages(simd::level());
        let rows = &minibatch.batch.column(ADVANTAGES)[..999];
        let mean = rows.iter().map(|&a| f64::from(a)).sum::<f64>() / 999.0;
        let variance = rows.iter().map(|&a| (f64::from(a) - mean).powi(2)).sum::<f64>() / 999.0;
        assert!(mean.abs() < 1e-4 && (variance - 1.0).abs() < 1e-4, "{mean} {variance}");
        // Equal advantages must become 0 instead of being amplified.
        minibatch.batch.column_mut(ADVANTAGES).fill(3.0);
        minibatch.normalize_advantages(simd::level());
        assert!(minibatch.batch.column(ADVANTAGES)[..999].iter().all(|&a| a.abs() < 1e-3));
        // A single advantage is its own mean.
        minibatch.rows = 1;
        minibatch.batch.column_mut(ADVANTAGES).fill(3.0);
        minibatch.normalize_advantages(simd::level());
        assert_eq!(minibatch.batch.column(ADVANTAGES)[0], 3.0);
    }
}

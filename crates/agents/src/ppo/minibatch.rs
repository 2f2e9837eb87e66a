//! Samples of a rollout gathered in random order, as the loss reads them.

use super::network::{INPUTS, SETTINGS};
use super::normalise::Moments;
use super::rollout::Block;
use vivarium_envs::World;
use vivarium_kernels::AlignedVec;

/// Added to the deviation of advantages before dividing by it.
const EPSILON: f64 = 1e-8;

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

    /// Takes the samples with these numbers. Samples are numbered block by block; all blocks but the last hold
    /// `block_samples`.
    pub fn gather<W: World>(&mut self, blocks: &[Block<W>], block_samples: usize, samples: &[u32]) {
        let width = self.observation_len;
        self.rows = samples.len();
        for (row, &sample) in samples.iter().enumerate() {
            let (block, i) = (&blocks[sample as usize / block_samples], sample as usize % block_samples);
            self.observations[row * width..(row + 1) * width]
                .copy_from_slice(&block.observations[i * width..(i + 1) * width]);
            self.actions[row] = block.actions[i];
            self.log_probabilities[row] = block.log_probabilities[i];
            self.advantages[row] = block.advantages[i];
            self.returns[row] = block.returns[i];
            self.values[row] = block.values[i];
        }
    }

    /// Scales the advantages to mean 0 and deviation 1.
    pub fn normalise_advantages(&mut self) {
        let advantages = &mut self.advantages[..self.rows];
        let moments = Moments::of(advantages.iter().copied());
        let (mean, scale) = (moments.mean as f32, (1.0 / (moments.variance().sqrt() + EPSILON)) as f32);
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

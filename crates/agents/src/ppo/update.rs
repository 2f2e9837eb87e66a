//! Update of PPO: epochs of gradient steps on minibatches of a rollout's samples, in random order.

use super::config::PpoConfig;
use super::network::{INPUTS, LossSettings, Policy, PpoGraph, Scheduled};
use super::report::PpoSums;
use super::rollout::{BLOCK_ENVS, RECORD, RolloutBlock};
use std::ops::Range;
use vivarium_graph::{Cpu, GraphError, Plan};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::Permutation;
use vivarium_kernels::{Level, reduce};
use vivarium_learn::{Loss, NotFinite, SampleBatch, Trainer};

/// Number of minibatch rows (samples) per forward and backward pass, few enough for the activations to fit in a
/// core's cache.
const GRADIENT_ROWS: usize = 128;

/// Maximum number of minibatch rows (samples) that one call of [`PpoUpdater::advance`] processes. A larger minibatch
/// takes several calls.
const SLICE_ROWS: usize = 8_192;

/// Optimizer of PPO, the current minibatch, and the progress of the update.
pub(crate) struct PpoUpdater {
    pub trainer: Trainer,
    minibatch: PpoMinibatch,
    place: UpdateCursor,
    pub sums: PpoSums,
}

/// Inputs of a gradient step: rollout, hyperparameters, and counters of the run.
pub(crate) struct UpdateContext<'a> {
    pub config: &'a PpoConfig,
    pub blocks: &'a [RolloutBlock],
    pub scheduled: Scheduled,
    /// Seed of the random permutations of the samples, one for each epoch.
    pub seed: u64,
    /// Number of iterations that the run has finished, which selects the permutations.
    pub iterations: u64,
    /// Number of gradient steps of the run before this gradient step.
    pub updates: u64,
}

/// Progress of an update: epoch, minibatch, and next row of the minibatch.
#[derive(Clone, Copy, Debug, Default)]
struct UpdateCursor {
    epoch: u32,
    /// Position, in the permutation of the epoch, of the first sample of the minibatch.
    start: usize,
    /// Index of the next minibatch row (sample) whose gradient is computed.
    row: usize,
}

impl PpoUpdater {
    pub fn new(
        config: &PpoConfig,
        network: &PpoGraph,
        policy: &Policy,
        observation_len: usize,
    ) -> Result<Self, GraphError> {
        let plan =
            Plan::compile(&network.graph.gradient(network.loss), &network.measurements, GRADIENT_ROWS)?;
        Ok(Self {
            trainer: Trainer::new(
                &policy.network,
                vec![Loss { plan, names: &["the policy loss", "the value loss"] }],
            ),
            minibatch: PpoMinibatch::new(config.minibatch as usize, observation_len),
            place: UpdateCursor::default(),
            sums: PpoSums::default(),
        })
    }

    /// Begins an update on the samples of a finished rollout: resets the progress and the sums.
    pub fn begin(&mut self) {
        self.place = UpdateCursor::default();
        self.sums = PpoSums::default();
    }

    /// Processes the next part of the minibatch: adds the gradients of its samples to the gradient sum. Takes the
    /// gradient step after the last part. Returns whether the update, with all its epochs, is finished.
    pub fn advance(
        &mut self,
        cpu: &Cpu,
        policy: &mut Policy,
        context: &UpdateContext<'_>,
    ) -> Result<bool, NotFinite> {
        if self.place.row == 0 {
            self.gather(cpu, context);
        }
        self.pass(cpu, &context.scheduled.loss, policy);
        if self.place.row < self.minibatch.rows {
            return Ok(false);
        }
        self.step(cpu, policy, context)?;
        Ok(self.next_position(context.config))
    }

    /// Fills the minibatch with the next samples in the order of the epoch's permutation, and normalizes their
    /// advantages.
    fn gather(&mut self, cpu: &Cpu, context: &UpdateContext<'_>) {
        let UpdateContext { config, blocks, seed, iterations, .. } = *context;
        let UpdateCursor { epoch, start, .. } = self.place;
        if start == 0 {
            self.sums.begin_epoch();
        }
        let order = order(config, seed, iterations, epoch);
        let end = config.batch().min(start + config.minibatch as usize);
        let block_samples = BLOCK_ENVS * config.horizon as usize;
        self.minibatch.gather(cpu, blocks, block_samples, &order, start..end);
        if config.normalize_advantages {
            self.minibatch.normalize_advantages(cpu.level());
        }
        self.trainer.begin(0, self.minibatch.rows);
    }

    /// Computes the gradients of the next rows (samples) of the minibatch, at most [`SLICE_ROWS`], and adds them to
    /// the gradient sum of the minibatch.
    fn pass(&mut self, cpu: &Cpu, settings: &LossSettings, policy: &Policy) {
        let rows = self.place.row..self.minibatch.rows.min(self.place.row + SLICE_ROWS);
        let inputs = self.minibatch.inputs(rows.clone(), settings);
        self.trainer.add(cpu, &policy.network, rows.clone(), &inputs);
        self.sums.add(cpu.level(), std::array::from_fn(|index| &self.trainer.measured(index)[rows.clone()]));
        self.place.row = rows.end;
    }

    /// Clips the gradient of the minibatch, and takes an AdamW step.
    fn step(&mut self, cpu: &Cpu, policy: &mut Policy, context: &UpdateContext<'_>) -> Result<(), NotFinite> {
        let UpdateContext { config, scheduled: Scheduled { learning_rate, .. }, updates, .. } = *context;
        let settings = AdamStep {
            learning_rate,
            epsilon: config.adam_epsilon,
            weight_decay: config.weight_decay,
            step: updates + 1,
            ..AdamStep::default()
        };
        let (network, most) = (&mut policy.network, config.max_gradient_norm);
        self.sums.gradient_norm += self.trainer.step(cpu, network, &settings, most)?;
        self.sums.updates += 1;
        Ok(())
    }

    /// Advances to the next minibatch, or to the next epoch. Returns whether the update is finished: all epochs are
    /// done, or the mean KL estimate of the epoch exceeds the limit.
    fn next_position(&mut self, config: &PpoConfig) -> bool {
        self.place.row = 0;
        self.place.start += self.minibatch.rows;
        if self.place.start < config.batch() {
            return false;
        }
        self.place.start = 0;
        self.place.epoch += 1;
        self.sums.epochs = self.place.epoch;
        let moved_far = config.target_kl > 0.0 && self.sums.kl() > f64::from(config.target_kl);
        moved_far || self.place.epoch >= config.epochs
    }
}

/// Returns the random permutation that determines the order of an iteration's samples in an epoch.
fn order(config: &PpoConfig, seed: u64, iteration: u64, epoch: u32) -> Permutation {
    Permutation::new(seed, order_stream(config, iteration, epoch), config.batch())
}

/// Returns the index of the random stream from which the permutation of an epoch is drawn.
pub(crate) fn order_stream(config: &PpoConfig, iteration: u64, epoch: u32) -> u32 {
    iteration.wrapping_mul(u64::from(config.epochs)).wrapping_add(u64::from(epoch)) as u32
}

/// Constant ε of advantage normalization, (A − mean) / (standard deviation + ε).
pub(crate) const ADVANTAGE_EPSILON: f32 = 1e-8;

/// Minibatch of one gradient step: inputs of the loss for each of its samples.
#[derive(Clone, Debug)]
pub(crate) struct PpoMinibatch {
    pub rows: usize,
    /// Inputs of the loss for each minibatch row (sample): observation, action, log probability, advantage, return
    /// and value.
    batch: SampleBatch<INPUTS>,
}

/// Number of minibatch rows (samples) that one thread gathers at a time, enough to outweigh the cost of waking the
/// thread. This cost is higher in a browser.
const PIECE: usize = if cfg!(target_family = "wasm") { 1024 } else { 256 };

/// Index of the advantages among the inputs of the loss: the fourth of observation, action, log probability,
/// advantage, return and value.
const ADVANTAGES: usize = 3;

impl PpoMinibatch {
    /// Allocates a minibatch for at most `rows` samples.
    pub fn new(rows: usize, observation_len: usize) -> Self {
        Self { rows: 0, batch: SampleBatch::new(rows, [observation_len, 1, 1, 1, 1, 1]) }
    }

    /// Fills the minibatch with the samples at the positions `places` of `order`, the permutation of the epoch.
    /// Samples are numbered block by block of environments; all blocks but the last have `block_samples` samples.
    pub fn gather(
        &mut self,
        cpu: &Cpu,
        blocks: &[RolloutBlock],
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
            let width = observations.len() / actions.len();
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

    /// Normalizes the advantages of the minibatch to mean 0 and standard deviation 1. Leaves a single sample
    /// unchanged, because its advantage would become 0 (as in Stable-Baselines3). The last minibatch of an epoch can
    /// have a single sample.
    pub fn normalize_advantages(&mut self, level: Level) {
        if self.rows <= 1 {
            return;
        }
        let advantages = &mut self.batch.column_mut(ADVANTAGES)[..self.rows];
        let (mean, variance) = reduce::mean_and_variance(level, advantages);
        let scale = 1.0 / (variance.sqrt() + ADVANTAGE_EPSILON);
        for advantage in advantages {
            *advantage = (*advantage - mean) * scale;
        }
    }

    /// Returns the inputs of the loss for the minibatch rows (samples) `rows`, followed by the scalar settings of the
    /// loss.
    pub fn inputs<'a>(
        &'a self,
        rows: Range<usize>,
        settings: &'a LossSettings,
    ) -> [&'a [f32]; INPUTS + LossSettings::COUNT] {
        let rows = self.batch.rows(rows);
        let settings = settings.inputs();
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

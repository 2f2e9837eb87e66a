//! Metrics of a PPO iteration, and the counters of a run.

use super::network::{CLIPPED, ENTROPY, KL, MEASUREMENTS, POLICY_LOSS, VALUE_LOSS};
use super::running::EpisodeTally;
use vivarium_kernels::{Level, reduce};

/// Metrics of one iteration, which consists of a rollout and an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PpoReport {
    /// Counters of the run at the end of the iteration.
    pub counters: PpoCounters,
    /// Number of episodes that ended during the rollout.
    pub episodes: u64,
    /// Mean undiscounted return of the episodes that ended during the rollout; `None` if none ended.
    pub return_mean: Option<f64>,
    /// Mean length of the episodes that ended during the rollout, in environment steps; `None` if none ended.
    pub length_mean: Option<f64>,
    /// Mean policy loss over the samples of all epochs: the negative clipped surrogate objective.
    pub policy_loss: f64,
    /// Mean value loss over the samples of all epochs: half the squared error of the value estimate, in units of the
    /// normalized return, squared.
    pub value_loss: f64,
    /// Mean entropy of the policy over the samples of all epochs, in nats.
    pub entropy: f64,
    /// Mean estimate of the KL divergence KL(old‖new) between old and new policy over the last epoch, in nats.
    pub approximate_kl: f64,
    /// Fraction of samples, over all epochs, whose probability ratio was outside the clip range.
    pub clip_fraction: f64,
    /// Explained variance of the returns by the value estimates before the update: 1 is a perfect prediction, 0 is as
    /// good as predicting the mean.
    pub explained_variance: f64,
    /// Learning rate of the update's gradient steps.
    pub learning_rate: f64,
    /// Mean Euclidean norm of the gradient before clipping, over all gradient steps.
    pub gradient_norm: f64,
    /// Number of epochs of the update. The number is smaller than configured if the KL limit stopped the update.
    pub epochs: u32,
}

vivarium_config::numbers! {
    /// Counters of a PPO run, summed since its start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PpoCounters: u64 {
        /// Number of environment steps, summed over all environments.
        steps,
        /// Number of finished iterations, each a rollout and an update.
        iterations,
        /// Number of gradient steps taken.
        updates,
        /// Number of finished episodes.
        episodes,
    }
}

/// Sums over the samples and gradient steps of an update, from which the report is computed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PpoSums {
    /// Sum of each metric of the loss over the samples of all epochs, indexed like the metrics of the graph: policy
    /// loss, value loss, entropy, KL estimate, clip flag.
    pub measurements: [f64; MEASUREMENTS],
    pub samples: u64,
    pub gradient_norm: f64,
    pub updates: u64,
    /// Sum of the KL estimates of the samples of the current epoch.
    pub epoch_kl: f64,
    pub epoch_samples: u64,
    /// Number of finished epochs of the update.
    pub epochs: u32,
}

impl PpoSums {
    /// Adds some minibatch rows (samples) to the sums. `rows[i]` holds metric i of each row, in the order of the
    /// graph's metrics.
    pub fn add(&mut self, level: Level, rows: [&[f32]; MEASUREMENTS]) {
        let sums = rows.map(|column| f64::from(reduce::sum(level, column)));
        self.measurements.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        self.samples += rows[0].len() as u64;
        self.epoch_kl += sums[KL];
        self.epoch_samples += rows[0].len() as u64;
    }

    /// Resets the sums over the current epoch to 0.
    pub fn begin_epoch(&mut self) {
        (self.epoch_kl, self.epoch_samples) = (0.0, 0);
    }

    /// Returns the mean KL estimate over the samples of the current epoch, in nats.
    pub fn kl(&self) -> f64 {
        self.epoch_kl / self.epoch_samples.max(1) as f64
    }

    /// Returns the mean of a metric over the samples of all epochs. `measurement` is the index of the metric.
    pub fn mean(&self, measurement: usize) -> f64 {
        self.measurements[measurement] / self.samples.max(1) as f64
    }

    /// Builds the report of the iteration from these sums, the sums `tally` over finished episodes, the counters of the
    /// run, the explained variance and the learning rate.
    pub fn report(
        &self,
        counters: PpoCounters,
        tally: EpisodeTally,
        explained_variance: f64,
        learning_rate: f64,
    ) -> PpoReport {
        let per_episode = |sum: f64| (tally.episodes > 0.0).then(|| sum / tally.episodes);
        PpoReport {
            counters,
            episodes: tally.episodes as u64,
            return_mean: per_episode(tally.returns),
            length_mean: per_episode(tally.lengths),
            policy_loss: self.mean(POLICY_LOSS),
            value_loss: self.mean(VALUE_LOSS),
            entropy: self.mean(ENTROPY),
            approximate_kl: self.kl(),
            clip_fraction: self.mean(CLIPPED),
            explained_variance,
            learning_rate,
            gradient_norm: self.gradient_norm / self.updates.max(1) as f64,
            epochs: self.epochs,
        }
    }
}

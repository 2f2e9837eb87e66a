//! Metrics of an iteration.

use super::network::{CLIPPED, ENTROPY, KL, MEASUREMENTS, POLICY_LOSS, VALUE_LOSS};
use super::running::EpisodeTally;
use vivarium_kernels::{Level, reduce};

/// Metrics of one iteration: a rollout and its update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PpoReport {
    /// Counters of the run after the iteration.
    pub counters: PpoCounters,
    /// Number of episodes that ended during the rollout.
    pub episodes: u64,
    /// Mean undiscounted return of the episodes that ended; `None` if none ended.
    pub return_mean: Option<f64>,
    /// Mean length of the episodes that ended, in environment steps; `None` if none ended.
    pub length_mean: Option<f64>,
    /// Mean policy loss: the negative clipped surrogate objective.
    pub policy_loss: f64,
    /// Mean squared value error, halved, in units of the normalized return.
    pub value_loss: f64,
    /// Mean entropy of the policy, in nats.
    pub entropy: f64,
    /// Mean estimate of KL(old‖new) over the last epoch, in nats.
    pub approximate_kl: f64,
    /// Fraction of samples whose probability ratio left the clip range.
    pub clip_fraction: f64,
    /// Explained variance of the returns by the values before the update.
    pub explained_variance: f64,
    /// Learning rate of the update's gradient steps.
    pub learning_rate: f64,
    /// Mean Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Number of epochs of the update. Smaller than configured if the KL limit stopped the update.
    pub epochs: u32,
}

vivarium_config::numbers! {
    /// Counters of a run, summed since its start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PpoCounters: u64 {
        /// Number of environment steps, summed over all environments.
        steps,
        /// Number of finished iterations.
        iterations,
        /// Number of gradient steps.
        updates,
        /// Number of finished episodes.
        episodes,
    }
}

/// Sums over the samples and gradient steps of an update.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PpoSums {
    /// Sums of the graph's metrics over all samples, indexed as in the graph.
    pub measurements: [f64; MEASUREMENTS],
    pub samples: u64,
    pub gradient_norm: f64,
    pub updates: u64,
    /// Sum of the KL estimate over the samples of the present epoch.
    pub epoch_kl: f64,
    pub epoch_samples: u64,
    /// Number of finished epochs.
    pub epochs: u32,
}

impl PpoSums {
    /// Adds the metrics of a range of minibatch rows (samples) to the sums; `rows[i]` is metric i of each row.
    pub fn add(&mut self, level: Level, rows: [&[f32]; MEASUREMENTS]) {
        let sums = rows.map(|column| f64::from(reduce::sum(level, column)));
        self.measurements.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        self.samples += rows[0].len() as u64;
        self.epoch_kl += sums[KL];
        self.epoch_samples += rows[0].len() as u64;
    }

    /// Resets the sums of the present epoch.
    pub fn begin_epoch(&mut self) {
        (self.epoch_kl, self.epoch_samples) = (0.0, 0);
    }

    /// Returns the mean KL estimate of the present epoch.
    pub fn kl(&self) -> f64 {
        self.epoch_kl / self.epoch_samples.max(1) as f64
    }

    /// Returns the mean over all samples of the metric with index `measurement`.
    pub fn mean(&self, measurement: usize) -> f64 {
        self.measurements[measurement] / self.samples.max(1) as f64
    }

    /// Builds the report of the iteration.
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

//! The report of an iteration.

use super::network::{CLIPPED, ENTROPY, KL, MEASUREMENTS, POLICY_LOSS, VALUE_LOSS};
use super::running::Tally;
use vivarium_kernels::{Level, reduce};

/// Measurements of one iteration: a rollout and the update made from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Totals after the iteration.
    pub counters: Counters,
    /// Episodes that ended during the rollout.
    pub episodes: u64,
    /// Their mean undiscounted return; `None` where none ended.
    pub return_mean: Option<f64>,
    /// Their mean length in steps; `None` where none ended.
    pub length_mean: Option<f64>,
    /// Mean of the negative clipped surrogate.
    pub policy_loss: f64,
    /// Mean squared error of the values, halved, in units of the normalized return.
    pub value_loss: f64,
    /// Mean entropy of the policy, in nats.
    pub entropy: f64,
    /// Mean estimate of KL(old‖new) over the last epoch, in nats.
    pub approximate_kl: f64,
    /// Share of samples whose probability ratio left the clip range.
    pub clip_fraction: f64,
    /// Share of the returns' variance that the values explained before the update.
    pub explained_variance: f64,
    /// Adam's step size in the iteration.
    pub learning_rate: f64,
    /// Mean Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Epochs done before the KL limit, or all.
    pub epochs: u32,
}

vivarium_config::numbers! {
    /// Totals of a run.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Counters: u64 {
        /// Environment steps, over all lanes.
        steps,
        /// Iterations finished.
        iterations,
        /// Optimizer steps.
        updates,
        /// Episodes finished.
        episodes,
    }
}

/// Sums over the samples and gradient steps of an update.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Of the network's measurements, in its order.
    pub measurements: [f64; MEASUREMENTS],
    pub samples: u64,
    pub gradient_norm: f64,
    pub updates: u64,
    /// Of the KL estimate, in this epoch alone.
    pub epoch_kl: f64,
    pub epoch_samples: u64,
    /// Epochs finished.
    pub epochs: u32,
}

impl Sums {
    /// Takes in the measurements of some rows.
    pub fn add(&mut self, level: Level, rows: [&[f32]; MEASUREMENTS]) {
        let sums = rows.map(|column| f64::from(reduce::sum(level, column)));
        self.measurements.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        self.samples += rows[0].len() as u64;
        self.epoch_kl += sums[KL];
        self.epoch_samples += rows[0].len() as u64;
    }

    /// Begins an epoch.
    pub fn begin_epoch(&mut self) {
        (self.epoch_kl, self.epoch_samples) = (0.0, 0);
    }

    /// Mean KL estimate of the epoch so far.
    pub fn kl(&self) -> f64 {
        self.epoch_kl / self.epoch_samples.max(1) as f64
    }

    /// Mean of a measurement.
    pub fn mean(&self, measurement: usize) -> f64 {
        self.measurements[measurement] / self.samples.max(1) as f64
    }

    /// Everything about the iteration.
    pub fn report(
        &self,
        counters: Counters,
        tally: Tally,
        explained_variance: f64,
        learning_rate: f64,
    ) -> Report {
        let per_episode = |sum: f64| (tally.episodes > 0.0).then(|| sum / tally.episodes);
        Report {
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

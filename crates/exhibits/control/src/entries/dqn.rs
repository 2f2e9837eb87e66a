//! Config fields and metrics of DQN in control experiments.

use crate::learner::IterationReport;
use serde_json::Value;
use vivarium_agents::dqn::{DqnConfig, DqnReport};
use vivarium_config::Config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::Field;
use vivarium_lab::metrics;
use vivarium_lab::protocol::MetricInfo;

/// Maximum total number of weights between the hidden layers of the network, limited by browser memory.
const MAX_WEIGHTS: u64 = 1 << 20;

/// DQN config fields that control experiments omit: curriculum (requires difficulty levels) and demonstrations (require
/// a solver).
const UNUSED_FIELDS: [&str; 4] =
    ["curriculum_threshold", "curriculum_episodes", "demonstrations", "demonstration_temperature"];

/// Returns the config fields of DQN; `defaults` supplies their default values.
pub(super) fn fields(defaults: &DqnConfig) -> Vec<Field> {
    let mut fields = defaults.fields();
    fields.retain(|field| !UNUSED_FIELDS.contains(&field.name()));
    fields
}

/// Reads the `dqn` section of an experiment's config whose fields are in range, and checks relations between fields.
///
/// # Errors
/// [`LabError::Invalid`] if the fields are inconsistent or would exceed memory.
pub(crate) fn read(config: &Value) -> Result<DqnConfig, LabError> {
    let own = DqnConfig::from_json(config)?;
    own.check()?;
    let weights: u64 = own.hidden.windows(2).map(|pair| u64::from(pair[0]) * u64::from(pair[1])).sum();
    if weights > MAX_WEIGHTS {
        let allowed =
            format!("the hidden layers must have at most {MAX_WEIGHTS} weights, but have {weights}");
        return Err(own.refused("hidden", allowed).into());
    }
    Ok(own)
}

vivarium_lab::metrics! {
    /// Metrics that both DQN and PPO report.
    const SHARED: DqnReport as report {
        /// Present learning rate. Decays by schedule, and is halved whenever training diverges.
        learning_rate = report.learning_rate, "Learning rate", 0.0..;
        /// Mean gradient norm before clipping.
        gradient_norm = report.gradient_norm, "Gradient norm", 0.0..;
    }
}

vivarium_lab::metrics! {
    /// Metrics that only DQN reports.
    const METRICS: DqnReport as report {
        /// DQN: mean Huber loss of the temporal-difference errors, weighted by importance sampling.
        loss = report.loss, "Loss", 0.0..;
        /// DQN: mean value of the sampled actions.
        value_mean = report.value_mean, "Mean value" in "reward";
        /// DQN: mean absolute temporal-difference error.
        error_mean = report.error_mean, "Mean TD error" in "reward", 0.0..;
        /// DQN: exploration rate ε, the fraction of random actions.
        epsilon = report.epsilon, "Exploration ε" in "share", 0.0..=1.0;
    }
}

/// Converts the report of a DQN iteration to the format that both algorithms share.
pub(crate) fn iteration(report: &DqnReport) -> IterationReport {
    let means = report.return_mean.zip(report.length_mean);
    IterationReport {
        steps: report.counters.steps,
        ended: means.map(|(mean, length)| (report.episodes, mean, length)),
        values: [metrics::values(SHARED, report), metrics::values(METRICS, report)].concat(),
    }
}

/// Returns the descriptions of the metrics that only DQN reports.
pub(super) fn metrics() -> Vec<MetricInfo> {
    metrics::described(METRICS)
}

//! The config fields and metrics of deep Q-learning, in worlds whose actions can be counted.

use crate::learner::IterationReport;
use serde_json::Value;
use vivarium_agents::dqn::{DqnConfig, DqnReport};
use vivarium_config::Config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::Field;
use vivarium_lab::metrics;
use vivarium_lab::protocol::MetricInfo;

/// The most weights between the hidden layers: they are kept several times in memory, which is small in a browser.
const MOST_WEIGHTS: u64 = 1 << 20;

/// What is for problems with levels of difficulty, or with a solver: these have neither.
const FOR_OTHERS: [&str; 4] =
    ["curriculum_threshold", "curriculum_episodes", "demonstrations", "demonstration_temperature"];

/// The learner's fields, with those defaults that suit a world.
pub(super) fn fields(defaults: &DqnConfig) -> Vec<Field> {
    let mut fields = defaults.fields();
    fields.retain(|field| !FOR_OTHERS.contains(&field.name()));
    fields
}

/// The learner's own config from the `dqn` section of a config whose fields are all in range, after checking what must hold
/// between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<DqnConfig, LabError> {
    let own = DqnConfig::from_json(config)?;
    own.check()?;
    let weights: u64 = own.hidden.windows(2).map(|pair| u64::from(pair[0]) * u64::from(pair[1])).sum();
    if weights > MOST_WEIGHTS {
        let allowed =
            format!("the layers must have at most {MOST_WEIGHTS} weights between them, here {weights}");
        return Err(own.refused("hidden", allowed).into());
    }
    Ok(own)
}

vivarium_lab::metrics! {
    /// What is measured of an iteration as of policy optimization's.
    const SHARED: DqnReport as report {
        /// In use, after annealing and roll-backs.
        learning_rate = report.learning_rate, "Learning rate";
        /// Mean length of the gradient before it is clipped.
        gradient_norm = report.gradient_norm, "Gradient norm";
    }
}

vivarium_lab::metrics! {
    /// What is measured beside that.
    const METRICS: DqnReport as report {
        /// Deep Q-learning: weighed loss of the temporal-difference errors.
        loss = report.loss, "Loss";
        /// Deep Q-learning: mean value of the actions learned from.
        value_mean = report.value_mean, "Mean value" in "reward";
        /// Deep Q-learning: mean size of the temporal-difference errors.
        error_mean = report.error_mean, "Mean error" in "reward";
        /// Deep Q-learning: the share of actions tried at random.
        epsilon = report.epsilon, "Exploration" in "share";
    }
}

/// What a finished iteration measured.
pub(crate) fn iteration(report: &DqnReport) -> IterationReport {
    let means = report.return_mean.zip(report.length_mean);
    IterationReport {
        steps: report.counters.steps,
        ended: means.map(|(mean, length)| (report.episodes, mean, length)),
        values: [metrics::values(SHARED, report), metrics::values(METRICS, report)].concat(),
    }
}

/// What those metrics mean that policy optimization does not have.
pub(super) fn metrics() -> Vec<MetricInfo> {
    metrics::described(METRICS)
}

//! The config fields and metrics of deep Q-learning, in worlds whose actions can be counted.

use crate::learner::Iteration;
use serde_json::Value;
use vivarium_agents::dqn::{DqnConfig, Report};
use vivarium_config::Config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::Field;
use vivarium_lab::info::metric;
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

/// What a finished iteration measured.
pub(crate) fn iteration(report: &Report) -> Iteration {
    let values = [
        ("learning_rate", Some(report.learning_rate)),
        ("gradient_norm", Some(report.gradient_norm)),
        ("loss", report.loss),
        ("value_mean", report.value_mean),
        ("error_mean", report.error_mean),
        ("epsilon", Some(report.epsilon)),
    ];
    let means = report.return_mean.zip(report.length_mean);
    Iteration {
        steps: report.counters.steps,
        ended: means.map(|(mean, length)| (report.episodes, mean, length)),
        values: values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect(),
    }
}

/// What those metrics mean that policy optimisation does not have.
pub(super) fn metrics() -> Vec<MetricInfo> {
    vec![
        metric("loss", "Loss", "")
            .with_help("Deep Q-learning: weighed loss of the temporal-difference errors."),
        metric("value_mean", "Mean value", "reward")
            .with_help("Deep Q-learning: mean value of the actions learnt from."),
        metric("error_mean", "Mean error", "reward")
            .with_help("Deep Q-learning: mean size of the temporal-difference errors."),
        metric("epsilon", "Exploration", "share")
            .with_help("Deep Q-learning: the share of actions tried at random."),
    ]
}

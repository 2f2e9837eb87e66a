//! The config fields and metrics of proximal policy optimization, which all control experiments share.

use crate::learner::IterationReport;
use serde_json::Value;
use vivarium_agents::ppo::{PpoConfig, PpoReport};
use vivarium_config::Config;
use vivarium_lab::error::LabError;
use vivarium_lab::metrics;
use vivarium_lab::protocol::MetricInfo;

/// The most samples of one iteration: they are kept in memory, which is small in a browser.
const MOST_SAMPLES: u64 = 1 << 20;

/// The most weights between the hidden layers: for the same reason, and because a start with orthogonal weights takes
/// time with the cube of a layer's width.
const MOST_WEIGHTS: u64 = 1 << 20;

/// The learner's own config from the `ppo` section of a config whose fields are all in range, after checking what
/// must hold between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<PpoConfig, LabError> {
    let ppo = PpoConfig::from_json(config)?;
    ppo.check()?;
    if ppo.batch() as u64 > MOST_SAMPLES {
        let allowed =
            format!("ppo.num_envs × ppo.horizon must be at most {MOST_SAMPLES}, here it is {}", ppo.batch());
        return Err(ppo.refused("horizon", allowed).into());
    }
    let weights: u64 = ppo.hidden.windows(2).map(|pair| u64::from(pair[0]) * u64::from(pair[1])).sum();
    if weights > MOST_WEIGHTS {
        let allowed =
            format!("the layers must have at most {MOST_WEIGHTS} weights between them, here {weights}");
        return Err(ppo.refused("hidden", allowed).into());
    }
    Ok(ppo)
}

vivarium_lab::metrics! {
    /// What is measured of an iteration.
    const METRICS: PpoReport as report {
        /// The clipped surrogate that an update lowers; its sign and size say little by themselves.
        policy_loss = report.policy_loss, "Policy loss";
        /// Squared error of the value estimate, in normalized rewards.
        value_loss = report.value_loss, "Value loss";
        /// How undecided the policy is; it falls as the learner makes up its mind.
        entropy = report.entropy, "Entropy" in "nat";
        /// How far one iteration moved the policy; more than 0.05 is a lot.
        approx_kl = report.approximate_kl, "KL" in "nat";
        /// Share of the samples whose probability moved past the clip range.
        clip_fraction = report.clip_fraction, "Clipped" in "share";
        /// How much of the returns the value estimate foretells: 1 all, 0 nothing.
        explained_variance = report.explained_variance, "Explained variance";
        /// In use, after annealing and roll-backs.
        learning_rate = report.learning_rate, "Learning rate";
        /// Mean length of the gradient before it is clipped.
        gradient_norm = report.gradient_norm, "Gradient norm";
    }
}

/// What a finished iteration measured.
pub(crate) fn iteration(report: &PpoReport) -> IterationReport {
    let means = report.return_mean.zip(report.length_mean);
    IterationReport {
        steps: report.counters.steps,
        ended: means.map(|(mean, length)| (report.episodes, mean, length)),
        values: metrics::values(METRICS, report),
    }
}

/// What its metrics mean.
pub(super) fn metrics() -> Vec<MetricInfo> {
    metrics::described(METRICS)
}

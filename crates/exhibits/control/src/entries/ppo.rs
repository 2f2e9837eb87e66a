//! The config fields and metrics of proximal policy optimisation, which all control experiments share.

use crate::learner::Iteration;
use serde_json::Value;
use vivarium_agents::ppo::PpoConfig;
use vivarium_agents::ppo::Report;
use vivarium_config::Config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::metric;
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

/// What a finished iteration measured.
pub(crate) fn iteration(report: &Report) -> Iteration {
    let values = [
        ("policy_loss", report.policy_loss),
        ("value_loss", report.value_loss),
        ("entropy", report.entropy),
        ("approx_kl", report.approximate_kl),
        ("clip_fraction", report.clip_fraction),
        ("explained_variance", report.explained_variance),
        ("learning_rate", report.learning_rate),
        ("gradient_norm", report.gradient_norm),
    ];
    let means = report.return_mean.zip(report.length_mean);
    Iteration {
        steps: report.counters.steps,
        ended: means.map(|(mean, length)| (report.episodes, mean, length)),
        values: values.map(|(name, value)| (name.to_owned(), value)).into(),
    }
}

/// What each metric means.
pub(super) fn metrics() -> Vec<MetricInfo> {
    vec![
        metric("return_mean", "Mean return", "reward per episode")
            .with_help("Sum of rewards of an episode, averaged over the newest 100 training episodes."),
        metric("length_mean", "Mean length", "steps per episode")
            .with_help("Steps of an episode, averaged likewise."),
        metric("policy_loss", "Policy loss", "").with_help(
            "The clipped surrogate that an update lowers; its sign and size say little by themselves.",
        ),
        metric("value_loss", "Value loss", "")
            .with_help("Squared error of the value estimate, in normalised rewards."),
        metric("entropy", "Entropy", "nat")
            .with_help("How undecided the policy is; it falls as the learner makes up its mind."),
        metric("approx_kl", "KL", "nat")
            .with_help("How far one iteration moved the policy; more than 0.05 is a lot."),
        metric("clip_fraction", "Clipped", "share")
            .with_help("Share of the samples whose probability moved past the clip range."),
        metric("explained_variance", "Explained variance", "")
            .with_help("How much of the returns the value estimate foretells: 1 all, 0 nothing."),
        metric("learning_rate", "Learning rate", "").with_help("In use, after annealing and roll-backs."),
        metric("gradient_norm", "Gradient norm", "")
            .with_help("Length of the gradient before it is limited."),
    ]
}

//! The config fields and metrics of proximal policy optimisation, which all control experiments share.

use super::fields::{choice, flag, integer, number, sizes};
use crate::config;
use crate::error::LabError;
use crate::info::FieldInfo;
use crate::protocol::MetricInfo;
use serde_json::Value;

/// The learner's fields; `defaults` holds those defaults that suit one world alone, by the name after the dot.
pub(super) fn fields(defaults: &Value) -> Vec<FieldInfo> {
    let mut fields = general();
    for field in &mut fields {
        if let Some(value) = field.path.strip_prefix("ppo.").and_then(|name| defaults.get(name)) {
            field.default = value.clone();
        }
    }
    fields
}

fn general() -> Vec<FieldInfo> {
    vec![
        number(
            "ppo.learning_rate",
            "Learning rate",
            "",
            [1e-6, 0.1],
            2.5e-3,
            "How far one update moves the network. Higher learns faster, until it breaks what it has learnt.",
        )
        .by_factors()
        .live(),
        flag(
            "ppo.anneal",
            "Anneal the learning rate",
            false,
            "Lets the learning rate fall in a straight line to zero over the annealing steps.",
        ),
        integer(
            "ppo.anneal_steps",
            "Annealing steps",
            "steps",
            [1_000, 1_000_000_000],
            1_000_000,
            "After how many environment steps an annealed learning rate arrives at zero.",
        )
        .by_factors(),
        number(
            "ppo.entropy_coefficient",
            "Entropy bonus",
            "",
            [0.0, 0.2],
            0.0,
            "Rewards the policy for staying undecided, so that it goes on exploring.",
        )
        .live(),
        integer(
            "ppo.lanes",
            "Environments",
            "",
            [1, 4096],
            64,
            "How many copies of the world the learner plays at once.",
        )
        .by_factors(),
        integer(
            "ppo.horizon",
            "Horizon",
            "steps",
            [1, 4096],
            64,
            "How many steps each environment takes between two updates.",
        )
        .by_factors(),
        integer(
            "ppo.epochs",
            "Epochs",
            "",
            [1, 32],
            4,
            "How often each batch of experience is gone through before it is thrown away.",
        ),
        integer(
            "ppo.minibatch",
            "Minibatch",
            "steps",
            [1, 65_536],
            1024,
            "How many steps of experience one update looks at; at most environments × horizon.",
        )
        .by_factors(),
        number(
            "ppo.discount",
            "Discount",
            "",
            [0.0, 1.0],
            0.99,
            "What a reward one step later is worth (γ). Nearer to 1 looks further ahead.",
        ),
        number(
            "ppo.gae_lambda",
            "GAE λ",
            "",
            [0.0, 1.0],
            0.95,
            "Between trusting the value estimate (0) and trusting what really happened (1) when judging an action.",
        ),
        number(
            "ppo.clip",
            "Clip range",
            "",
            [0.01, 1.0],
            0.2,
            "How far an update may change the probability of an action before it gains nothing more.",
        )
        .live(),
        flag(
            "ppo.clip_value",
            "Clip the value loss",
            true,
            "Holds the value estimate near its old one in an update, as the policy is held.",
        ),
        number(
            "ppo.value_coefficient",
            "Value loss weight",
            "",
            [0.0, 4.0],
            0.5,
            "How much the value estimate's error counts beside the policy's.",
        ),
        number(
            "ppo.max_gradient_norm",
            "Gradient norm limit",
            "",
            [0.01, 100.0],
            0.5,
            "Longer gradients are shortened to this.",
        )
        .by_factors(),
        number(
            "ppo.target_kl",
            "KL limit",
            "nat",
            [0.0, 1.0],
            0.0,
            "Ends an iteration's updates early when the policy has moved further than this; 0 for no limit.",
        ),
        flag(
            "ppo.normalize_advantages",
            "Normalise advantages",
            true,
            "Scales each minibatch's advantages to mean 0 and deviation 1.",
        ),
        flag(
            "ppo.normalize_observations",
            "Normalise observations",
            true,
            "Scales what the network sees by its running mean and deviation.",
        ),
        flag(
            "ppo.normalize_rewards",
            "Normalise rewards",
            true,
            "Scales rewards by the running deviation of the discounted return.",
        ),
        sizes("ppo.hidden", "Hidden layers", "units", &[64, 64], "Sizes of the network's hidden layers."),
        choice(
            "ppo.activation",
            "Activation",
            &["tanh", "relu", "gelu"],
            "tanh",
            "The function between the network's layers.",
        ),
        flag(
            "ppo.shared_torso",
            "Shared layers",
            false,
            "Lets policy and value share the hidden layers instead of having a network each.",
        ),
    ]
}

/// What holds between fields, once each is in range.
///
/// # Errors
/// [`LabError::Invalid`] where a minibatch is larger than the batch it is taken from.
pub(super) fn check_together(config: &Value) -> Result<(), LabError> {
    let whole = |path: &str| config::get(config, path).and_then(Value::as_i64).unwrap_or(0);
    let batch = whole("ppo.lanes") * whole("ppo.horizon");
    let minibatch = whole("ppo.minibatch");
    if minibatch > batch {
        let allowed = format!("it must not exceed ppo.lanes × ppo.horizon = {batch}");
        return Err(LabError::invalid("ppo.minibatch", minibatch.to_string(), allowed));
    }
    Ok(())
}

/// What each metric means.
pub(super) fn metrics() -> Vec<MetricInfo> {
    let metric = |name: &str, label: &str, unit: &str, help: &str| MetricInfo {
        name: name.into(),
        label: label.into(),
        unit: unit.into(),
        help: help.into(),
    };
    vec![
        metric(
            "return_mean",
            "Mean return",
            "reward per episode",
            "Sum of rewards of an episode, averaged over the newest 100 training episodes.",
        ),
        metric("length_mean", "Mean length", "steps per episode", "Steps of an episode, averaged likewise."),
        metric(
            "policy_loss",
            "Policy loss",
            "",
            "The clipped surrogate that an update lowers; its sign and size say little by themselves.",
        ),
        metric("value_loss", "Value loss", "", "Squared error of the value estimate, in normalised rewards."),
        metric(
            "entropy",
            "Entropy",
            "nat",
            "How undecided the policy is; it falls as the learner makes up its mind.",
        ),
        metric("approx_kl", "KL", "nat", "How far one iteration moved the policy; more than 0.05 is a lot."),
        metric(
            "clip_fraction",
            "Clipped",
            "share",
            "Share of the samples whose probability moved past the clip range.",
        ),
        metric(
            "explained_variance",
            "Explained variance",
            "",
            "How much of the returns the value estimate foretells: 1 all, 0 nothing.",
        ),
        metric("learning_rate", "Learning rate", "", "In use, after annealing and roll-backs."),
        metric("gradient_norm", "Gradient norm", "", "Length of the gradient before it is limited."),
    ]
}

//! A control experiment in words, from what its world says of itself and what is added for showing it.

use super::{dqn, ppo};
use crate::learner::ControlLearner;
use crate::protocol::{ActionInfo, ControlInfo, DimensionInfo};
use crate::readings::readings;
use crate::recent::EpisodeMeans;
use serde_json::Value;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::config::PpoConfig;
use vivarium_config::{Config, shortest};
use vivarium_envs::{ActionSpace, Dimension, World};
use vivarium_lab::error::LabError;
pub(super) use vivarium_lab::info::preset;
use vivarium_lab::info::{ExperimentInfo, Field, PresetInfo, Schema};
use vivarium_lab::metrics;

vivarium_config::choice! {
    /// A learner that can act in a world; the sections of their fields have the same names.
    pub(crate) enum Algorithm {
        /// Proximal policy optimization.
        Ppo = "ppo",
        /// Deep Q-learning.
        Dqn = "dqn",
    }
}

vivarium_config::config! {
    /// What learns, in a world whose actions can be counted.
    #[derive(Clone)]
    pub(crate) struct AlgorithmConfig {
        [""]
        /// What learns: proximal policy optimization, or deep Q-learning, which values each action and learns again and again
        /// from what it has lived through.
        learner: Algorithm = Algorithm::Ppo, "ControlLearner", choice(Algorithm::NAMES);
    }
}

vivarium_lab::metrics! {
    /// What is measured of the newest episodes, whatever learns.
    pub(crate) const EPISODES: EpisodeMeans as means {
        /// Sum of rewards of an episode, averaged over the newest 100 training episodes.
        return_mean = means.total, "Mean return" in "reward per episode";
        /// Steps of an episode, averaged likewise.
        length_mean = means.length, "Mean length" in "steps per episode";
    }
}

#[cfg(not(feature = "gpu"))]
use World as TrainableWorld;
/// What a world must be to be trained in on every engine of this build.
#[cfg(feature = "gpu")]
use vivarium_gpu::worlds::GpuWorld as TrainableWorld;

/// A world as an experiment.
pub(crate) trait ControlWorld: TrainableWorld {
    /// The heading of its page.
    const HEADING: &'static str;
    /// One or two sentences: what happens here and what is hard about it.
    const SUMMARY: &'static str;
    /// World time of one step, in seconds.
    const STEP_SECONDS: f32;

    /// Configs that are known to work; the first is the default.
    fn presets() -> Vec<PresetInfo>;

    /// A learner that knows nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    fn learner(config: &Value, seed: u64) -> Result<Box<dyn ControlLearner<Self>>, LabError>;
}

/// What configs a world's experiment may have.
pub(crate) fn schema<W: ControlWorld>() -> Schema {
    let mut fields: Vec<Field> = W::Params::default().fields();
    if is_counted::<W>() {
        fields.extend(AlgorithmConfig::default().fields());
    }
    fields.extend(PpoConfig::default_for(W::NAME).fields());
    if is_counted::<W>() {
        fields.extend(dqn::fields(&DqnConfig::default_for(W::NAME)));
    }
    Schema { name: W::NAME, fields, presets: W::presets(), check }
}

/// Everything about a world's experiment that does not change while it runs.
pub(crate) fn describe<W: ControlWorld>() -> ExperimentInfo {
    let mut metrics = [metrics::described(EPISODES), ppo::metrics()].concat();
    if is_counted::<W>() {
        metrics.extend(dqn::metrics());
    }
    let (worst, _) = W::RETURNS;
    let world = ControlInfo {
        dimensions: W::STATE.iter().map(dimension).collect(),
        map: [W::MAP.0 as u32, W::MAP.1 as u32],
        action: action::<W>(),
        step_seconds: shortest(W::STEP_SECONDS),
        max_steps: W::STEP_LIMIT,
        solved: shortest(W::SOLVED),
        worst: shortest(worst),
    };
    let readings = readings(is_counted::<W>(), world.solved);
    ExperimentInfo::new([W::HEADING, W::SUMMARY], &world, schema::<W>(), metrics, readings)
}

/// Checks what must hold between the fields of a whole config, each of which is in its range.
///
/// # Errors
/// [`LabError::Invalid`] where they do not go together.
pub(crate) fn check(config: &Value) -> Result<(), LabError> {
    ppo::read(config)?;
    // What has no such section has one learner alone.
    if config.get("dqn").is_some() { dqn::read(config).map(drop) } else { Ok(()) }
}

/// Whether the actions can be counted: deep Q-learning values each by itself, so that there must not be too many.
fn is_counted<W: World>() -> bool {
    matches!(W::ACTIONS, ActionSpace::Discrete(_))
}

/// The world's params from the `world` section of a whole config.
pub(crate) fn world<W: World>(config: &Value) -> Result<W::Params, LabError> {
    let params = W::Params::from_json(config)?;
    params.check_fields()?;
    Ok(params)
}

/// Whether a whole config has deep Q-learning learn.
pub(crate) fn wants_dqn(config: &Value) -> bool {
    AlgorithmConfig::from_json(config).is_ok_and(|chosen| chosen.learner == Algorithm::Dqn)
}

fn dimension(dimension: &Dimension) -> DimensionInfo {
    DimensionInfo {
        name: dimension.name.replace(' ', "_"),
        label: capitalized(dimension.name),
        unit: dimension.unit.into(),
        low: shortest(dimension.low),
        high: shortest(dimension.high),
        angle: is_angle(dimension),
    }
}

/// Whether a dimension of a state is an angle that goes round.
pub(crate) fn is_angle(dimension: &Dimension) -> bool {
    dimension.unit == "rad"
}

fn action<W: World>() -> ActionInfo {
    match W::ACTIONS {
        ActionSpace::Discrete(_) => {
            ActionInfo::Discrete { labels: W::ACTION_LABELS.iter().map(|&label| label.into()).collect() }
        }
        ActionSpace::Box { low, high } => ActionInfo::Continuous {
            label: capitalized(W::ACTION_LABELS[0]),
            unit: W::PUSH.unit.into(),
            low: shortest(low),
            high: shortest(high),
        },
    }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

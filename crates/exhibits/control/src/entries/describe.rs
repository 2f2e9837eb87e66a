//! Description of a control experiment: fields, presets, metrics and display data.

use super::{dqn, ppo};
use crate::learner::ControlLearner;
use crate::protocol::{ActionInfo, ControlInfo, DimensionInfo};
use crate::readings::readings;
use crate::recent::EpisodeMeans;
use serde_json::Value;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::config::PpoConfig;
use vivarium_config::{Config, shortest};
use vivarium_envs::{ActionSpace, Dimension, LakeOptimum, World};
use vivarium_lab::error::LabError;
pub(super) use vivarium_lab::info::preset;
use vivarium_lab::info::{ExperimentInfo, Field, PresetInfo, Schema};
use vivarium_lab::metrics;

vivarium_config::choice! {
    /// Learning algorithm. The config sections have the same names.
    pub(crate) enum Algorithm {
        /// Proximal policy optimization.
        Ppo = "ppo",
        /// Deep Q-learning.
        Dqn = "dqn",
    }
}

vivarium_config::config! {
    /// Config field that selects the learning algorithm, for environments with discrete actions.
    #[derive(Clone)]
    pub(crate) struct AlgorithmConfig {
        [""]
        /// Learning algorithm: proximal policy optimization (PPO) or deep Q-learning (DQN).
        learner: Algorithm = Algorithm::Ppo, "Learner", choice(Algorithm::NAMES);
    }
}

vivarium_lab::metrics! {
    /// Metrics of the newest episodes, common to both algorithms.
    pub(crate) const EPISODES: EpisodeMeans as means {
        /// Mean undiscounted return of the newest 100 training episodes.
        return_mean = means.total, "Mean return" in "reward per episode";
        /// Mean length of the newest 100 training episodes.
        length_mean = means.length, "Mean length" in "steps per episode", 0.0..;
    }
}

/// Environment of a control experiment: adds the experiment's description and learners to the dynamics.
pub(crate) trait ControlWorld: World {
    /// Heading of the page of the environment's experiment.
    const HEADING: &'static str;
    /// Summary of the experiment, in one or two sentences.
    const SUMMARY: &'static str;
    /// Simulated duration of an environment step, in seconds.
    const STEP_SECONDS: f32;

    /// Number of tiles per side of a grid world, whose state is the column and the row of a tile; `None` for other
    /// environments.
    const GRID: Option<u32> = None;

    /// Returns the optimal value and an optimal action of every tile of a grid world, at discount factor γ; `None` for
    /// other environments.
    fn optimum(_: &Self::Params, _discount: f32) -> Option<LakeOptimum> {
        None
    }

    /// Returns the default PPO config: the config that solved the environment in the shortest time, out of a few dozen
    /// configs.
    fn ppo() -> PpoConfig;

    /// Returns the default DQN config; `None` if the actions are not discrete, as DQN requires.
    fn dqn() -> Option<DqnConfig>;

    /// Returns the presets of the config; the first preset is the default.
    fn presets() -> Vec<PresetInfo>;

    /// Creates a learner with initial weights, from a complete and valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    fn learner(config: &Value, seed: u64) -> Result<Box<dyn ControlLearner<Self>>, LabError>;
}

/// Returns the config schema of the control experiment in environment `W`: fields, presets and checks between fields.
pub(crate) fn schema<W: ControlWorld>() -> Schema {
    let mut fields: Vec<Field> = W::Params::default().fields();
    if has_discrete_actions::<W>() {
        fields.extend(AlgorithmConfig::default().fields());
    }
    fields.extend(W::ppo().fields());
    fields.extend(W::dqn().iter().flat_map(dqn::fields));
    Schema { name: W::NAME, fields, presets: W::presets(), check: check::<W> }
}

/// Returns the static description of the control experiment in environment `W`.
pub(crate) fn describe<W: ControlWorld>() -> ExperimentInfo {
    let mut metrics = [metrics::described(EPISODES), ppo::metrics()].concat();
    if has_discrete_actions::<W>() {
        metrics.extend(dqn::metrics());
    }
    let (worst, _) = W::RETURNS;
    let world = ControlInfo {
        dimensions: W::STATE.iter().map(dimension).collect(),
        map: [W::MAP.0 as u32, W::MAP.1 as u32],
        action: action::<W>(),
        grid: W::GRID,
        step_seconds: shortest(W::STEP_SECONDS),
        max_steps: W::STEP_LIMIT,
        solved: shortest(W::SOLVED),
        worst: shortest(worst),
    };
    let readings = readings(has_discrete_actions::<W>(), world.solved);
    ExperimentInfo::new([W::HEADING, W::SUMMARY], &world, schema::<W>(), metrics, readings)
}

/// Checks relations between the fields of `config`, the complete config of an experiment in environment `W`. Every
/// field must be in its range.
///
/// # Errors
/// [`LabError::Invalid`] if the fields are inconsistent.
pub(crate) fn check<W: World>(config: &Value) -> Result<(), LabError> {
    world::<W>(config)?;
    ppo::read(config)?;
    if has_discrete_actions::<W>() { dqn::read(config).map(drop) } else { Ok(()) }
}

/// Returns whether the actions of environment `W` are discrete, as DQN requires.
fn has_discrete_actions<W: World>() -> bool {
    matches!(W::ACTIONS, ActionSpace::Discrete(_))
}

/// Reads the environment's physical parameters from the `world` section of a complete config.
pub(crate) fn world<W: World>(config: &Value) -> Result<W::Params, LabError> {
    let params = W::Params::from_json(config)?;
    params.check_fields()?;
    Ok(params)
}

/// Returns whether a complete config selects DQN.
pub(crate) fn selects_dqn(config: &Value) -> bool {
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

/// Returns whether a state dimension is an angle that wraps around.
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

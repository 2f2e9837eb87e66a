//! Description of a control experiment: fields, presets, metrics and display data.

use super::{dqn, ppo};
use crate::protocol::{ActionInfo, ControlInfo, DimensionInfo};
use crate::readings::readings;
use crate::recent::EpisodeMeans;
use serde_json::Value;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::config::PpoConfig;
use vivarium_config::{Config, shortest};
use vivarium_envs::{
    ActionSpace, CompiledWorld, Dimension, EnvError, EnvSpec, Environment, LakeOptimum, World, observe,
};
use vivarium_kernels::Level;
use vivarium_lab::error::LabError;
pub(super) use vivarium_lab::info::preset;
use vivarium_lab::info::{ExperimentInfo, Field, PresetInfo, Schema};
use vivarium_lab::metrics;
use vivarium_lab::protocol::MetricInfo;

vivarium_config::choice! {
    /// Learning algorithm of a control experiment. The name of an algorithm is also the name of the config section with
    /// its hyperparameters.
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
    /// Mean return and mean length of the newest training episodes, reported by both PPO and DQN.
    pub(crate) const EPISODES: EpisodeMeans as means {
        /// Average score of the newest 100 training episodes: the sum of the rewards of an episode, without discount
        /// (mean return).
        return_mean = means.total, "Mean return" in "reward per episode";
        /// How many steps an attempt lasts: mean length of the newest 100 training episodes.
        length_mean = means.length, "Mean length" in "steps per episode";
    }
}

/// Environment of a control experiment: dynamics, plus the description and the default configs of the experiment.
pub(crate) trait ControlWorld: CompiledWorld {
    /// Heading of the experiment's page, such as the name of the environment.
    const HEADING: &'static str;
    /// Summary of the experiment, in one or two sentences.
    const SUMMARY: &'static str;
    /// Simulated duration of an environment step, in seconds.
    const STEP_SECONDS: f32;

    /// Number of tiles per side of a grid world, whose state is the column and the row of a tile; `None` for other
    /// environments.
    const GRID: Option<u32> = None;

    /// Returns the optimal value and an optimal action of every tile of a grid world, for returns with the discount
    /// factor `_discount`; `None` for other environments.
    fn optimum(_: &Self::Params, _discount: f32) -> Option<LakeOptimum> {
        None
    }

    /// Returns the default PPO config: the config that solved the environment in the shortest time, out of a few dozen
    /// configs.
    fn ppo() -> PpoConfig;

    /// Returns the default DQN config; `None` if the actions are not discrete, as DQN requires.
    fn dqn() -> Option<DqnConfig>;

    /// Returns the named configs (presets) of the experiment; the first preset is the default.
    fn presets() -> Vec<PresetInfo>;
}

/// Function that computes the observations of states. Arguments: SIMD level, states `[n][state value]`, and the buffer
/// that receives the observations `[n][observation value]`; see [`observe`].
type ObserveStates = fn(Level, &[f32], &mut [f32]) -> Result<(), EnvError>;

/// Table of the constants and functions of an environment's [`ControlWorld`] implementation. Code that uses this table
/// is compiled once, not once per environment.
pub(crate) struct ControlSpec {
    /// Static description of the environment's dynamics: dimensions, action space, time limit, range of returns.
    pub(crate) env: &'static EnvSpec,
    /// Computes the observations of states. Arguments: SIMD level, states `[n][state value]`, and the buffer that
    /// receives the observations `[n][observation value]`.
    pub(crate) observe: ObserveStates,
    /// Simulated duration of an environment step, in seconds.
    pub(crate) step_seconds: f32,
    /// Number of tiles per side of a grid world; see [`ControlWorld::GRID`].
    pub(crate) grid: Option<u32>,
    /// Returns the config schema of the experiment.
    pub(crate) schema: fn() -> Schema,
    /// Checks relations between the fields of a complete config; see [`check`].
    pub(crate) check: fn(&Value) -> Result<(), LabError>,
    /// Reads the environment's physical parameters from a complete config.
    pub(crate) environment: fn(&Value) -> Result<Environment, LabError>,
    /// Returns the optimal values and actions of a grid world, given its physical parameters and the discount factor;
    /// see [`ControlWorld::optimum`].
    pub(crate) optimum: fn(&Environment, f32) -> Option<LakeOptimum>,
}

impl ControlSpec {
    /// Returns the table of constants and functions of the environment `W`.
    pub(crate) const fn of<W: ControlWorld>() -> &'static Self {
        const {
            &Self {
                env: EnvSpec::of::<W>(),
                observe: observe::<W>,
                step_seconds: W::STEP_SECONDS,
                grid: W::GRID,
                schema: schema::<W>,
                check: check::<W>,
                environment: |config| Ok(Environment::with_params::<W>(&world::<W>(config)?)),
                optimum: |environment, discount| W::optimum(&environment.params::<W>().ok()?, discount),
            }
        }
    }
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
    let mut metrics = [episode_metrics::<W>(), ppo::metrics(has_discrete_actions::<W>())].concat();
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

/// Returns the descriptions of the episode metrics, with the ranges of return and length in environment `W`.
fn episode_metrics<W: World>() -> Vec<MetricInfo> {
    let (least, most) = W::RETURN_BOUNDS;
    let ranges = [f64::from(least)..=f64::from(most), 0.0..=f64::from(W::STEP_LIMIT)];
    metrics::described(EPISODES).into_iter().zip(ranges).map(|(metric, range)| metric.within(range)).collect()
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

/// Returns whether a state dimension is an angle that wraps around: a dimension with the unit rad.
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

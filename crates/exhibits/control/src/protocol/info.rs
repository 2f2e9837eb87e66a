//! Static description of a control environment.

use serde::Serialize;

/// Static description of a control environment: state dimensions, action space, time limit, range of returns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "control")]
pub struct ControlInfo {
    /// State dimensions, in the order of the columns of the frame array `preview/state`.
    pub dimensions: Vec<DimensionInfo>,
    /// Indices of the state dimensions of the default heat map: horizontal, vertical.
    pub map: [u32; 2],
    /// Action space: discrete actions or one real number.
    pub action: ActionInfo,
    /// Number of tiles per side if the state is the column and the row of a tile; `None` for other environments. The
    /// config field `world.map` holds the tiles.
    pub grid: Option<u32>,
    /// Simulated duration of an environment step, in seconds.
    pub step_seconds: f64,
    /// Time limit of an episode, in environment steps.
    pub max_steps: u32,
    /// Mean return per episode at which the environment counts as solved.
    pub solved: f64,
    /// Approximately the worst return of an episode. Lower end of the range in which front ends draw returns.
    pub worst: f64,
}

/// Description of one dimension of the environment's state: name, unit, plotting range.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DimensionInfo {
    /// Identifier of the state dimension, such as `pole_angle`.
    pub name: String,
    /// Label of the state dimension, such as "Pole angle".
    pub label: String,
    /// Unit of the state dimension, such as "m/s".
    pub unit: String,
    /// Lower end of the state dimension's plotting range, in `unit`.
    pub low: f64,
    /// Upper end of the state dimension's plotting range, in `unit`.
    pub high: f64,
    /// Whether the dimension is an angle in radians that wraps around.
    pub angle: bool,
}

/// Action space of a control environment: discrete actions, or one real number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ActionInfo {
    /// The action is one of several discrete actions.
    Discrete {
        /// Labels of the discrete actions, from the most negative to the most positive action, such as "push left".
        labels: Vec<String>,
    },
    /// The action is one real number.
    Continuous {
        /// Label of the action, such as "Torque".
        label: String,
        /// Unit of the action, such as "N·m".
        unit: String,
        /// Lower bound of the action in `unit`, with the default config.
        low: f64,
        /// Upper bound of the action in `unit`, with the default config.
        high: f64,
    },
}

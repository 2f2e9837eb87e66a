//! What there is to know about a world before it exists.

use serde::Serialize;

/// A world in which a learner acts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "control")]
pub struct ControlInfo {
    /// The dimensions of the world's state, in the order of the frame arrays' columns.
    pub dimensions: Vec<DimensionInfo>,
    /// The two dimensions, horizontal and vertical, that a heat map shows if nobody chooses others.
    pub map: [u32; 2],
    /// What the learner can do in the world.
    pub action: ActionInfo,
    /// World time of one step, in seconds.
    pub step_seconds: f64,
    /// Steps after which an episode is cut off.
    pub max_steps: u32,
    /// Mean return from which the world counts as solved.
    pub solved: f64,
    /// Worst return that an episode can have, or nearly: the other end of the scale that "how it is doing" uses.
    pub worst: f64,
}

/// One dimension of a world's state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DimensionInfo {
    /// Such as `pole_angle`.
    pub name: String,
    /// For a person, such as "Pole angle".
    pub label: String,
    /// Such as "m/s".
    pub unit: String,
    /// Smallest value worth showing.
    pub low: f64,
    /// Largest value worth showing.
    pub high: f64,
    /// Whether the dimension is an angle that goes round, in radians.
    pub angle: bool,
}

/// What a learner can do in a world.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ActionInfo {
    /// One of a few actions.
    Discrete {
        /// A name for each, from the most negative to the most positive, such as "push left".
        labels: Vec<String>,
    },
    /// One number.
    Continuous {
        /// Such as "Torque".
        label: String,
        /// Such as "N·m".
        unit: String,
        /// Strongest action to the negative side, with the default config.
        low: f64,
        /// Strongest action to the positive side, with the default config.
        high: f64,
    },
}

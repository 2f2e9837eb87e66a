//! What a door may show about an experiment before it exists: its world, config fields, presets and metrics.

use crate::protocol::MetricInfo;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Everything about one experiment that does not change while it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentInfo {
    /// The registered name, such as `mountain-car`.
    pub name: String,
    /// For a person, such as "Mountain car".
    pub title: String,
    /// One or two sentences: what happens here and what is hard about it.
    pub summary: String,
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
    /// Every config field, in the order in which to show them.
    pub fields: Vec<FieldInfo>,
    /// Configs that are known to work.
    pub presets: Vec<PresetInfo>,
    /// What each metric means.
    pub metrics: Vec<MetricInfo>,
    /// The whole default config.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub defaults: Value,
}

/// One dimension of a world's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// One field of a config.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldInfo {
    /// Dotted path, such as `world.gravity`.
    pub path: String,
    /// For a person, such as "Gravity".
    pub label: String,
    /// Such as "m/s²"; empty for a pure number.
    pub unit: String,
    /// One or two sentences: what it does, and which way to turn it.
    pub help: String,
    /// Whether it may be set while the run goes on.
    pub live: bool,
    /// Type and range.
    pub kind: FieldKind,
    /// The experiment's default.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub default: Value,
}

/// Type and range of a config field. All bounds are inclusive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum FieldKind {
    /// A real number.
    Number {
        /// Smallest value.
        low: f64,
        /// Largest value.
        high: f64,
        /// Whether a slider should move by factors instead of amounts.
        logarithmic: bool,
    },
    /// A whole number.
    Integer {
        /// Smallest value.
        #[cfg_attr(test, ts(type = "number"))]
        low: i64,
        /// Largest value.
        #[cfg_attr(test, ts(type = "number"))]
        high: i64,
        /// Whether a slider should move by factors instead of amounts.
        logarithmic: bool,
    },
    /// On or off.
    Flag,
    /// One of some words.
    Choice {
        /// The words.
        options: Vec<String>,
    },
    /// A list of whole numbers, such as the sizes of the hidden layers.
    Integers {
        /// Fewest entries.
        shortest: u32,
        /// Most entries.
        longest: u32,
        /// Smallest value of an entry.
        #[cfg_attr(test, ts(type = "number"))]
        low: i64,
        /// Largest value of an entry.
        #[cfg_attr(test, ts(type = "number"))]
        high: i64,
    },
}

/// A config that is known to work, and what there is to see in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PresetInfo {
    /// As in `--set preset=…`.
    pub name: String,
    /// For a person.
    pub label: String,
    /// One sentence about what to see.
    pub help: String,
    /// The fields that differ from the defaults.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub config: Value,
}

//! What doors and experiments say to each other. The page's TypeScript types are generated from this file.

use serde::{Deserialize, Serialize};

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress {
    /// Environment steps (or the learner's own unit of experience) so far.
    #[cfg_attr(test, ts(type = "number"))]
    pub steps: u64,
    /// Optimiser updates so far.
    #[cfg_attr(test, ts(type = "number"))]
    pub updates: u64,
    /// Episodes finished so far.
    #[cfg_attr(test, ts(type = "number"))]
    pub episodes: u64,
    /// Steps after which the run ends by itself; `None` where it goes on until stopped.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub total_steps: Option<u64>,
}

/// What a run computes on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EngineInfo {
    /// The processor, with as many threads as the door gives.
    #[default]
    Cpu,
    /// A GPU.
    Gpu {
        /// Its name, as its driver or the browser gives it.
        adapter: String,
        /// Whether it is a program on the processor that imitates one.
        software: bool,
    },
}

/// One row of named measurements, taken together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MetricRow {
    /// [`Progress::steps`] at the time.
    #[cfg_attr(test, ts(type = "number"))]
    pub steps: u64,
    /// Name and value; the names are those of [`MetricInfo`].
    pub values: Vec<(String, f64)>,
    /// Something that a person should know, such as a roll-back by the collapse guard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub notice: Option<String>,
}

/// What a metric means, told once per experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MetricInfo {
    /// Such as `return_mean`.
    pub name: String,
    /// For a person, such as "Mean return".
    pub label: String,
    /// Such as "reward per episode", "nat"; empty for a pure number.
    pub unit: String,
    /// One sentence that says what it tells.
    pub help: String,
}

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ViewRequest {
    /// How many members of the herd.
    pub herd: u32,
    /// Which of them is in focus.
    pub focus: u32,
    /// The two state dimensions of the heat maps, and their resolution; `None` for no map.
    pub map: Option<MapRequest>,
}

/// Heat maps of policy and value over two state dimensions, the others as in the focused member.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapRequest {
    /// State dimension along the horizontal axis.
    pub x: u32,
    /// State dimension along the vertical axis.
    pub y: u32,
    /// Cells a side.
    pub size: u32,
}

/// A named array of numbers ready to draw, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameArray {
    /// Such as `herd/state`.
    pub name: &'static str,
    /// Outermost dimension first.
    pub shape: Vec<u32>,
    /// The numbers.
    pub data: Vec<f32>,
}

/// One picture: arrays by name. Each experiment documents its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The arrays.
    pub arrays: Vec<FrameArray>,
}

/// What a person may ask of a running experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Command {
    /// Sets fields of the config while the run goes on: dotted path and value, such as `world.gravity` and `12`.
    /// Only fields marked live may be set so.
    Set {
        /// Dotted path to the field.
        path: String,
        /// The new value.
        #[cfg_attr(test, ts(type = "unknown"))]
        value: serde_json::Value,
    },
    /// Pushes a member of the herd with a force in the world's unit for one step's time (a disturbance).
    Push {
        /// Index into the herd; `None` pushes every member.
        member: Option<u32>,
        /// Signed force (torque for the pendulum), as a multiple of the strongest action.
        force: f32,
    },
    /// Starts the shown herd's episodes anew.
    ResetHerd,
}

/// The answer to a [`Command`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reply {
    /// It was done.
    Done,
}

/// The outcome of evaluation episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Evaluation {
    /// Mean undiscounted return.
    pub mean: f64,
    /// Standard deviation of the returns.
    pub std: f64,
    /// Smallest return.
    pub min: f64,
    /// Largest return.
    pub max: f64,
    /// Episodes that reached a terminal state, as a share.
    pub terminated: f64,
    /// Mean episode length in steps.
    pub length: f64,
    /// Episodes run.
    pub episodes: u32,
}

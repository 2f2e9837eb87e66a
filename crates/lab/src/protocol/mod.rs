//! What front ends and experiments of every family say to each other. The page's TypeScript types are generated from here and
//! from the protocols of the exhibits.

mod evaluation;
mod frame;
mod reply;
mod session;

pub use evaluation::Evaluation;
pub use frame::{AnyFrame, Frame, FrameArray, FrameData, changed};
pub use reply::Reply;
pub use session::{Figure, GpuReport, OpenedRun, Problem, Rival, ThrownProblem};

use serde::{Deserialize, Serialize, Serializer};

/// Serializes an `f32` as the `f64` with the same shortest decimal form: JavaScript gets 0.8, not 0.800000011920929.
pub fn shortest<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(value.to_string().parse().unwrap_or(f64::from(*value)))
}

/// The same of an optional value.
pub fn shortest_option<S: Serializer>(value: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => shortest(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Progress {
    /// Environment steps so far, or the learner's own unit of experience: epochs of a logic CA, samples that a cube's
    /// network learned from, tokens that a language model did.
    pub steps: u64,
    /// Optimizer updates so far.
    pub updates: u64,
    /// Episodes finished so far.
    pub episodes: u64,
    /// Steps after which the run ends by itself; `None` where it goes on until stopped.
    pub total_steps: Option<u64>,
}

/// What a run computes on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EngineInfo {
    /// The processor, with as many threads as the front end gives.
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct MetricRow {
    /// [`Progress::steps`] at the time.
    pub steps: u64,
    /// Name and value; the names are those of [`MetricInfo`].
    pub values: Vec<(String, f64)>,
    /// Something that a person should know, such as a roll-back by the collapse guard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

impl MetricInfo {
    /// A metric by its name, label, unit and help.
    #[must_use]
    pub fn new(name: &str, label: &str, unit: &str, help: &str) -> Self {
        Self { name: name.into(), label: label.into(), unit: unit.into(), help: help.into() }
    }
}

impl MetricRow {
    /// A row of measurements by name, without those that are not known.
    pub fn new(steps: u64, values: impl IntoIterator<Item = (impl Into<String>, Option<f64>)>) -> Self {
        let known = values.into_iter().filter_map(|(name, value)| Some((name.into(), value?)));
        Self { steps, values: known.collect(), notice: None }
    }
}

/// What a metric means, reported once per experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MetricInfo {
    /// Such as `return_mean`.
    pub name: String,
    /// For a person, such as "Mean return".
    pub label: String,
    /// Such as "reward per episode", "nat"; empty for a pure number.
    pub unit: String,
    /// One sentence that says what it measures.
    pub help: String,
}

//! Messages between front ends and experiments of all families. The page's TypeScript types are generated from this
//! module and from the protocol modules of the exhibits.

mod evaluation;
mod frame;
mod reply;
mod session;

pub use evaluation::Evaluation;
pub use frame::{AnyFrame, Frame, FrameArray, FrameData, changed};
pub use reply::Reply;
pub use session::{Figure, GpuReport, OpenedRun, Problem, ProblemCause, Rival, ThrownProblem};

use crate::metric_range::MetricRange;
use serde::{Deserialize, Serialize, Serializer};

/// Serializes an `f32` as the `f64` with the same shortest decimal representation: JavaScript gets 0.8, not
/// 0.800000011920929.
pub fn shortest<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(value.to_string().parse().unwrap_or(f64::from(*value)))
}

/// Serializes an optional `f32` as the `f64` with the same shortest decimal representation; see [`shortest`].
pub fn shortest_option<S: Serializer>(value: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => shortest(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// Training progress of a run: numbers of steps, optimizer updates and episodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Progress {
    /// Number of training steps so far, in the learner's unit: environment steps, epochs of a logic CA, training
    /// samples of a cube network, or training tokens of a language model.
    pub steps: u64,
    /// Number of optimizer updates (gradient steps) so far.
    pub updates: u64,
    /// Number of finished training episodes so far.
    pub episodes: u64,
    /// Number of training steps after which the run ends; `None` if the run has no end.
    pub total_steps: Option<u64>,
}

/// Compute engine that trains a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EngineInfo {
    /// The CPU trains the run, on the thread pool of the front end.
    #[default]
    Cpu,
    /// A GPU trains the run.
    Gpu {
        /// Adapter name from the driver or the browser.
        adapter: String,
        /// Whether the adapter is a software rasterizer on the CPU.
        software: bool,
    },
}

/// Values of all metrics that a run reports at one time, such as the end of an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct MetricRow {
    /// Number of training steps at the time of the report, in the unit of [`Progress::steps`].
    pub steps: u64,
    /// Name (see [`MetricInfo::name`]) and value of each metric.
    pub values: Vec<(String, f64)>,
    /// Notice to the user, such as a rollback after divergence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

impl MetricInfo {
    /// Creates the description of a metric from its name, label, unit and help.
    #[must_use]
    pub fn new(name: &str, label: &str, unit: &str, help: &str) -> Self {
        let range = MetricRange::ANY;
        Self { name: name.into(), label: label.into(), unit: unit.into(), help: help.into(), range }
    }

    /// Returns the metric's description with `range` as the range of its possible values.
    #[must_use]
    pub fn within(self, range: impl Into<MetricRange>) -> Self {
        Self { range: range.into(), ..self }
    }
}

impl MetricRow {
    /// Creates a metric row at `steps` training steps, from names and values; values that are `None` are omitted.
    pub fn new(steps: u64, values: impl IntoIterator<Item = (impl Into<String>, Option<f64>)>) -> Self {
        let known = values.into_iter().filter_map(|(name, value)| Some((name.into(), value?)));
        Self { steps, values: known.collect(), notice: None }
    }
}

/// Description of a metric for front ends: name, label, unit, help and range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MetricInfo {
    /// Name of the metric, such as `return_mean`.
    pub name: String,
    /// Display name of the metric, such as "Mean return".
    pub label: String,
    /// Unit of the metric, such as "nat"; empty for a pure number.
    pub unit: String,
    /// Help text of the metric, one sentence.
    pub help: String,
    /// Smallest and largest possible value of the metric; `null` if there is no bound.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "[least: number | null, most: number | null]"))]
    pub range: MetricRange,
}

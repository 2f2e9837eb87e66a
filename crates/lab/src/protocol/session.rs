//! What a session in the page answers, besides the documents of an experiment.

use super::Progress;
use serde::{Deserialize, Serialize};

/// The experiment that was created or opened, with every config field filled in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpenedRun {
    /// Its registered name.
    pub name: String,
    /// The whole config.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub config: serde_json::Value,
    /// The seed of its random numbers, at most 2⁵³.
    pub seed: u64,
    /// How far the run is.
    pub progress: Progress,
}

/// A GPU that was opened, and how its results compare with the CPU's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GpuReport {
    /// Its name, as its driver or the browser gives it.
    pub name: String,
    /// The interface that it is driven by.
    pub backend: String,
    /// Whether it is a program on the CPU that imitates a GPU.
    pub software: bool,
    /// Bytes of the largest buffer that a shader may see.
    pub largest_buffer: u64,
    /// How many computations were compared with the CPU's.
    pub checked: u32,
    /// One sentence for each computation whose result differs; empty where all agree.
    pub disagreements: Vec<String>,
}

/// A measured figure. Names are those of `vivarium bench`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Figure {
    /// Such as `control/cartpole/raw/1`.
    pub name: String,
    /// In `unit`.
    pub value: f64,
    /// Such as `GFLOP/s`. In a unit of time less is better, in every other more.
    pub unit: String,
    /// CPU threads that did the work; left out for a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// What the figure is compared with, measured in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<Rival>,
}

/// What a figure is compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Rival {
    /// Such as `gemm 0.19`.
    pub name: String,
    /// In the unit of the figure.
    pub value: f64,
}

/// An error for a person: what was wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Problem {
    /// What was wrong, as a sentence.
    pub message: String,
    /// What to do about it; empty where the message says it all.
    pub hint: String,
    /// Dotted path of the config field at fault, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What that field may be, as part of a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// `true` where the engine is at fault: the same request would succeed on another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<bool>,
}

/// What a session throws. The tag sets a problem apart from everything else that JavaScript throws, such as the error of
/// a module that broke down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ThrownProblem {
    /// The request was refused; the experiment is unchanged.
    Problem(Problem),
}

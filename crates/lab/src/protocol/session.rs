//! Replies and errors of a session in the page.

use super::Progress;
use serde::{Deserialize, Serialize};

/// The run of a session in the page, after it was created or restored.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpenedRun {
    /// Registered name of the experiment, such as `cartpole`.
    pub name: String,
    /// Complete config of the created or restored run.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub config: serde_json::Value,
    /// Seed of the run's random numbers, below 2⁵³.
    pub seed: u64,
    /// Training progress of the run: numbers of steps, updates and episodes so far.
    pub progress: Progress,
}

/// An opened GPU and the result of its self-check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GpuReport {
    /// Adapter name from the driver or the browser.
    pub name: String,
    /// Name of the graphics API that the GPU is accessed with, such as Vulkan or WebGPU.
    pub backend: String,
    /// Whether the adapter is a software rasterizer on the CPU.
    pub software: bool,
    /// Maximum size of a buffer binding in a shader, in bytes.
    pub largest_buffer: u64,
    /// Number of computations of the self-check whose results were compared with the CPU.
    pub checked: u32,
    /// One sentence for each computation whose result differs from the CPU; empty if all results agree.
    pub disagreements: Vec<String>,
}

/// Result of one benchmark of `vivarium bench`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Figure {
    /// Name of the benchmark, such as `control/cartpole/raw/1`.
    pub name: String,
    /// Measured value of the benchmark, in the unit `unit`.
    pub value: f64,
    /// Unit, such as `GFLOP/s`. Lower is better for units of time, higher for all other units.
    pub unit: String,
    /// Number of CPU threads that the benchmark uses; omitted for a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Result of a reference implementation for the same task, measured in the same run of the benchmark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<Rival>,
}

/// Measured value of a reference implementation, for comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Rival {
    /// Name and version of the reference implementation, such as `gemm 0.19`.
    pub name: String,
    /// Measured value of the reference implementation, in the unit of the [`Figure`].
    pub value: f64,
}

/// A user-facing error: problem and remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Problem {
    /// The problem, as a sentence.
    pub message: String,
    /// The remedy; empty if the message includes the remedy.
    pub hint: String,
    /// Code and parameters of the error; `None` for an error that no front end handles in a special way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<ProblemCause>,
}

/// Machine-readable code of a user-facing error, with the values that its message contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ProblemCause {
    /// A config field, a command or an argument has a value that is not allowed.
    Invalid {
        /// Dotted path of the config field, or name of the argument.
        field: String,
        /// Allowed values, as part of a sentence.
        allowed: String,
    },
    /// A checkpoint file is invalid or incompatible.
    Checkpoint {
        /// Description of the defect in the file, as part of a sentence.
        defect: String,
    },
    /// The compute engine cannot execute the request; the same request would succeed on another engine (CPU or GPU).
    Engine,
}

/// User-facing error that a session in the page throws as a JavaScript exception. The tag distinguishes this exception
/// from others, such as a panic of the WebAssembly module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ThrownProblem {
    /// The request was refused; the experiment is unchanged.
    Problem(Problem),
}

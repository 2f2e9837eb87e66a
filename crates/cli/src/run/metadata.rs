//! Metadata of a run, stored in the file `run.json`.

use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};
use vivarium_lab::protocol::EngineInfo;

/// Metadata of a run: experiment, seed, engine, start time and program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunMetadata {
    /// Name of the experiment.
    pub experiment: String,
    /// Random seed of the run.
    pub seed: u64,
    /// Compute engine of the latest training session: `cpu` or `gpu`.
    pub engine: String,
    /// Name of the GPU adapter; `None` for the engine `cpu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Number of worker threads of the latest training session.
    pub threads: usize,
    /// Start of the latest training session, in seconds since 1970.
    pub started: f64,
    /// Name and version of the program that trains the run.
    pub program: String,
}

impl RunMetadata {
    /// Replaces engine and GPU adapter by `engine`, and returns the metadata.
    #[must_use]
    pub fn on(mut self, engine: EngineInfo) -> Self {
        (self.engine, self.adapter) = match engine {
            EngineInfo::Cpu => ("cpu".into(), None),
            EngineInfo::Gpu { adapter, .. } => ("gpu".into(), Some(adapter)),
        };
        self
    }

    /// Returns the metadata of a run of CartPole on the CPU, for tests.
    #[cfg(test)]
    pub fn example() -> Self {
        Self {
            experiment: "cartpole".into(),
            seed: 7,
            engine: "cpu".into(),
            adapter: None,
            threads: 2,
            started: 1.5,
            program: "vivarium 0.1.0".into(),
        }
    }
}

/// Returns the current time in seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

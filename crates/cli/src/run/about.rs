//! What is noted about a run.

use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};
use vivarium_lab::protocol::EngineInfo;

/// What does not change over a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The registered name.
    pub experiment: String,
    /// What the run's random numbers follow from.
    pub seed: u64,
    /// `cpu` or `gpu`.
    pub engine: String,
    /// The GPU's name, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Worker threads (of the session that wrote this).
    pub threads: usize,
    /// Seconds since 1970.
    pub started: f64,
    /// The program that wrote this.
    pub program: String,
}

impl About {
    /// The same run on this engine.
    #[must_use]
    pub fn on(mut self, engine: EngineInfo) -> Self {
        (self.engine, self.adapter) = match engine {
            EngineInfo::Cpu => ("cpu".into(), None),
            EngineInfo::Gpu { adapter, .. } => ("gpu".into(), Some(adapter)),
        };
        self
    }
}

/// Seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

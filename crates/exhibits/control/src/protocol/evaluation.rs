//! How well a learner does, apart from training.

use serde::{Deserialize, Serialize};

/// The outcome of evaluation episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "returns")]
pub struct ReturnsEvaluation {
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

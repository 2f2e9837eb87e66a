//! Evaluation results of a control experiment.

use serde::{Deserialize, Serialize};

/// Statistics of the returns and lengths of evaluation episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "returns")]
pub struct ReturnsEvaluation {
    /// Mean undiscounted return per episode.
    pub mean: f64,
    /// Standard deviation of the returns over the evaluated episodes.
    pub std: f64,
    /// Smallest undiscounted return of an evaluated episode.
    pub min: f64,
    /// Largest undiscounted return of an evaluated episode.
    pub max: f64,
    /// Fraction of episodes that ended in a terminal state instead of at the time limit.
    pub terminated: f64,
    /// Mean episode length, in environment steps.
    pub length: f64,
    /// Number of evaluated episodes.
    pub episodes: u32,
}

//! Evaluation results of a control experiment.

use serde::{Deserialize, Serialize};

/// Statistics of evaluation episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "returns")]
pub struct ReturnsEvaluation {
    /// Mean undiscounted return per episode.
    pub mean: f64,
    /// Standard deviation of the returns.
    pub std: f64,
    /// Smallest return of an episode.
    pub min: f64,
    /// Largest return of an episode.
    pub max: f64,
    /// Fraction of episodes that reached a terminal state.
    pub terminated: f64,
    /// Mean episode length, in environment steps.
    pub length: f64,
    /// Number of evaluated episodes.
    pub episodes: u32,
}

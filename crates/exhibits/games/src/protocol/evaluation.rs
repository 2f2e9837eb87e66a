//! Evaluation of a network outside of training.

use super::GameMatch;
use serde::{Deserialize, Serialize};

/// Results of the newest network against every opponent of the ladder, without search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "games")]
pub struct GamesEvaluation {
    /// One match per opponent.
    pub matches: Vec<GameMatch>,
}

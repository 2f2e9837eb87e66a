//! How well a player does, apart from training.

use super::GameMatch;
use serde::{Deserialize, Serialize};

/// How the best network so far does against every opponent of the ladder, without search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "games")]
pub struct GamesEvaluation {
    /// A match against each.
    pub matches: Vec<GameMatch>,
}

//! Result of an evaluation that the user requested.

use super::GameMatch;
use serde::{Deserialize, Serialize};

/// Evaluation result: matches of the newest network, without search, against every reference player of the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "games")]
pub struct GamesEvaluation {
    /// One match of the newest network against each reference player, in ascending order of the opponents' strength.
    pub matches: Vec<GameMatch>,
}

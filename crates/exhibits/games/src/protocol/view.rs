//! What is to be drawn of a board game.

use super::{GameAnalysis, GameMatch, GameRun, GameTable, GameTree};
use serde::{Deserialize, Serialize};

/// What is to be drawn of a board game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "games")]
pub struct GameView {
    /// How many games of self-play.
    pub wall: u32,
    /// Whether [`GameDocuments`] are wanted, `tree` apart. A document comes where it has changed since the last frame that
    /// brought it, or the last frame did not ask for it.
    pub documents: bool,
    /// The turn whose analysis is wanted, counted as in [`GameTable::history`](super::GameTable::history); `None`: the
    /// present one.
    pub turn: Option<u32>,
    /// What is wanted of the tree of the present search; `None` for nothing. The document `tree` comes where it has
    /// changed.
    pub tree: Option<TreeRequest>,
}

/// Which part of a tree is unfolded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TreeRequest {
    /// The nodes whose children are wanted, each as the branches that lead there from the root
    /// ([`GameNode::branch`](super::GameNode::branch)). The root's always are. At most 64; where the search has not been,
    /// there is nothing to unfold.
    pub open: Vec<Vec<u32>>,
    /// The most children of each, those with the most visits; 1 to 32.
    pub branches: u32,
}

/// What has changed since the last frame that brought it; a field that has not is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename = "games")]
pub struct GameDocuments {
    /// The table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<GameTable>,
    /// The analysis of the turn that was asked for; `null` where there is no decision to analyze.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Option<GameAnalysis>>,
    /// The part of the search tree that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<GameTree>,
    /// The matches that were asked for last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<GameMatch>>,
    /// How training goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<GameRun>,
}

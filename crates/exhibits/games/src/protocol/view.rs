//! View request of a board game (the parts of a frame that a front end requests), and the JSON documents of a frame.

use super::{GameAnalysis, GameMatch, GameRun, GameTable, GameTree};
use serde::{Deserialize, Serialize};

/// View of a board game: the parts of a frame that a front end requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "games")]
pub struct GameView {
    /// Number of self-play games of which thumbnails (small boards) are requested.
    pub thumbnails: u32,
    /// Whether to send the [`GameDocuments`] other than `tree`. A document is sent if it has changed since it was last
    /// sent, or if the last frame did not request documents.
    pub documents: bool,
    /// Index of the turn whose analysis is requested, as in [`GameTable::history`](super::GameTable::history); `None`:
    /// the current turn.
    pub turn: Option<u32>,
    /// Requested part of the current search tree; `None`: no tree. A frame contains the JSON document `tree` if the
    /// tree or this request has changed.
    pub tree: Option<TreeRequest>,
}

/// Request for a part of a search tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TreeRequest {
    /// Nodes whose children are requested, at most 64. Each node is given by its path of branches
    /// ([`GameNode::branch`](super::GameNode::branch)) from the root. The children of the root are always sent.
    pub open: Vec<Vec<u32>>,
    /// Maximum number of children to send per node, 1 to 32, most visits first.
    pub branches: u32,
}

/// JSON documents of a frame. A document that has not changed since it was last sent is `None`, and omitted in JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename = "games")]
pub struct GameDocuments {
    /// State of the game at the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<GameTable>,
    /// Analysis of the requested turn; `null` if the turn has no analyzed decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Option<GameAnalysis>>,
    /// Requested part of the current search tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<GameTree>,
    /// Matches that the user requested last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<GameMatch>>,
    /// Training status in addition to the metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<GameRun>,
}

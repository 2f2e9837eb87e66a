//! What is to be drawn of a board game.

use serde::{Deserialize, Serialize};

/// What is to be drawn of a board game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    /// How many games of self-play.
    pub wall: u32,
    /// Whether the documents `table`, `analysis`, `matches` and `run` are wanted. They come where they have changed since
    /// the last frame that brought them, or the last frame did not ask for them.
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
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreeRequest {
    /// The nodes whose children are wanted, each as the branches that lead there from the root
    /// ([`GameNode::branch`](super::GameNode::branch)). The root's always are. At most 64; where the search has not been,
    /// there is nothing to unfold.
    pub open: Vec<Vec<u32>>,
    /// The most children of each, those with the most visits; 1 to 32.
    pub branches: u32,
}

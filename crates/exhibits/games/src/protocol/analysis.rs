//! What a search thinks.

use super::{GameMove, GamePlayer};
use serde::{Deserialize, Serialize};

/// The document `analysis`: what is search of a decision. While it is a network's turn to play, it is that player's own
/// search; otherwise the analyst's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameAnalysis {
    /// The turn that it is about, as in [`GameTable::history`](super::GameTable::history).
    pub turn: u32,
    /// Whose decision it is; equities and outcome_probabilities are this seat's.
    pub seat: u8,
    /// Whose search it is.
    pub player: GamePlayer,
    /// How often the network had been updated when this search began: a later one knows more. 0 for an opened one.
    pub updates: u64,
    /// Simulations made so far.
    pub made: u32,
    /// Simulations that are to be made. An analysis that is complete stays as it is.
    pub wanted: u32,
    /// Whether memory ran out before they were made; what was found so far holds.
    pub full: bool,
    /// What the best play is worth, the first candidate if there is one.
    pub equity: f32,
    /// The outcome_probabilities after it, one for each of [`GameInfo::outcomes`](crate::info::GameInfo::outcomes), 0 to 1, which stand for
    /// the same equity.
    pub outcome_probabilities: Vec<f32>,
    /// Whether both are what the search found; the network's own estimate before that.
    #[serde(default)]
    pub searched: bool,
    /// The plays, the one that was visited most first; at most 24, those that are not visited left out.
    pub candidates: Vec<GameCandidate>,
    /// Legal plays in all.
    pub plays: u32,
}

/// A play that a search considers. In backgammon a whole turn, both halves of a double together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameCandidate {
    /// As it is written: `8/5 6/5`, or the column of Connect Four from 1.
    pub text: String,
    /// In an order in which they can be made.
    pub moves: Vec<GameMove>,
    /// The branches from the root of the tree, as [`TreeRequest::open`](super::TreeRequest::open) takes them: one, or two
    /// for a double.
    pub branches: Vec<u32>,
    /// Simulations that went this way.
    pub visits: u32,
    /// The network's probability for it before any search.
    pub prior: f32,
    /// The mean of those simulations, or exact where a table knows the state after it.
    pub equity: f32,
    /// How much less than the first candidate; negative where it is a little more, which few visits can do.
    pub lost: f32,
    /// The outcome_probabilities after it, which stand for its equity; empty until they are known. The five candidates of the most visits
    /// get them.
    pub outcome_probabilities: Vec<f32>,
}

/// The document `tree`: the part of the search's tree that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTree {
    /// The turn that it is about: with another one it is another tree.
    pub turn: u32,
    /// The root first, each node after its parent, siblings by their visits, the most first.
    pub nodes: Vec<GameNode>,
    /// States that the whole tree holds.
    pub size: u32,
    /// The most that it has room for.
    pub room: u32,
}

/// A node of the tree and the branch that leads to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameNode {
    /// Its place among the nodes; the root is its own parent.
    pub parent: u32,
    /// The number of the branch from its parent; 0 for the root.
    pub branch: u32,
    /// The branch as it is written: a play, half of one for a double, a roll `3-1`; empty for the root.
    pub text: String,
    /// What comes next there.
    pub kind: NodeKind,
    /// Whose move it is there.
    pub seat: u8,
    /// Simulations that went through it.
    pub visits: u32,
    /// The prior of the branch, or the probability of a roll; 1 for the root.
    pub prior: f32,
    /// The mean of its simulations for the seat of the tree's root; `None` before the first.
    pub equity: Option<f32>,
    /// Branches that were visited: what there is to unfold.
    pub children: u32,
}

/// What comes next in a state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// A player decides.
    Decision,
    /// The dice decide.
    Chance,
    /// The game is over.
    Over,
}

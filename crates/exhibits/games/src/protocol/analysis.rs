//! JSON documents `analysis` (search results for a decision) and `tree` (part of the search tree).

use super::{GameMove, GamePlayer};
use serde::{Deserialize, Serialize};

/// The JSON document `analysis`: search results for a decision. The search uses the network of the player to move. For
/// a player without a network, and while a computer waits in an entered position, the analyst (the network that analyzes
/// human decisions) is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameAnalysis {
    /// Index of the turn from 0, as in [`GameTable::history`](super::GameTable::history).
    pub turn: u32,
    /// Seat to move. Equities and probabilities are from the view of this seat.
    pub seat: u8,
    /// Player that runs the search: the network player to move, or the analyst (the network that analyzes human
    /// decisions).
    pub player: GamePlayer,
    /// Number of gradient steps that the network was trained for when the search started; 0 for a network opened from a
    /// file.
    pub updates: u64,
    /// Number of search simulations run so far.
    pub made: u32,
    /// Number of search simulations after which the analysis is complete. If the network is trained further, a new
    /// analysis replaces the complete analysis of a human decision.
    pub wanted: u32,
    /// Whether the search stopped early because the memory of its tree is full. The results remain valid.
    pub full: bool,
    /// Equity of the best play (the first candidate), as [`GameCandidate::equity`].
    pub equity: f32,
    /// Outcome probabilities (0 to 1) after the best play, one for each of
    /// [`GameInfo::outcomes`](super::GameInfo::outcomes), cubeless, adjusted to agree with the result of the search.
    #[serde(alias = "chances")]
    pub outcome_probabilities: Vec<f32>,
    /// Whether `equity` and `outcome_probabilities` are search results. Before the first visit of a play they are the
    /// network's estimate.
    #[serde(default)]
    pub searched: bool,
    /// Plays that the search has visited, with a doubling cube or a score all legal plays; at most 24. Highest equity first,
    /// in Connect Four most visits first, as the computer chooses.
    pub candidates: Vec<GameCandidate>,
    /// Number of legal plays in the analyzed decision.
    pub plays: u32,
}

/// Candidate play: in backgammon a complete turn, also for a double, which takes two decisions; in Connect Four one
/// move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameCandidate {
    /// Notation of the play, such as `8/5 6/5`; in Connect Four the column, from 1.
    pub text: String,
    /// Checker moves of the play, in an order in which they are legal; in Connect Four the dropped stone.
    pub moves: Vec<GameMove>,
    /// Path of branches from the root of the search tree to the play: one branch, or two for a double in backgammon.
    /// See [`GameNode::branch`].
    pub branches: Vec<u32>,
    /// Number of search simulations that visited the play.
    pub visits: u32,
    /// Prior: the network's policy probability of the play.
    pub prior: f32,
    /// Equity of the play. In cubeless games in points: mean value of the visits, the network's estimate if a roll follows the
    /// play and there are fewer than 8 visits, or the exact equity if an endgame table contains the resulting state. With a
    /// match or money session, by Janowski's formula from the cubeless probabilities that agree with this value: in a match
    /// an equity at the score (−1 and 1 are the match winning probabilities after a single game lost and won with the present
    /// doubling cube), in a money session points per value of the doubling cube.
    pub equity: f32,
    /// Equity loss of the play relative to the first candidate; 0 for the best play. Negative if a less visited play of Connect
    /// Four has a higher mean value.
    pub lost: f32,
    /// Outcome probabilities after the play, in the order of [`GameAnalysis::outcome_probabilities`]. Empty except for
    /// the five best candidates.
    #[serde(alias = "chances")]
    pub outcome_probabilities: Vec<f32>,
}

/// The JSON document `tree`: the requested part of the search tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTree {
    /// Index of the turn whose decision is searched, from 0. Each turn has its own tree.
    pub turn: u32,
    /// Nodes of the requested part of the search tree: the root first, each node after its parent, siblings in
    /// descending order of visits.
    pub nodes: Vec<GameNode>,
    /// Number of nodes of the whole search tree.
    pub size: u32,
    /// Maximum number of nodes that the search tree has memory for.
    pub capacity: u32,
}

/// Node of the search tree, and the branch (edge) that leads to the node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameNode {
    /// Index of the parent node in [`GameTree::nodes`]; the root is its own parent.
    pub parent: u32,
    /// Index of the branch that leads to the node, among the actions or rolls at the parent; 0 for the root.
    pub branch: u32,
    /// Notation of the branch: a play, one decision of a double, or a roll such as `3-1`; empty for the root.
    pub text: String,
    /// Kind of the node: decision, roll of the dice, or end of the game.
    pub kind: NodeKind,
    /// Seat to move at the node.
    pub seat: u8,
    /// Number of search simulations that visited the node.
    pub visits: u32,
    /// Policy probability of the branch, or probability of the roll; 1 for the root.
    pub prior: f32,
    /// Cubeless mean value of the node's visits in points, from the view of the seat to move at the root; `None` before the
    /// first visit.
    pub equity: Option<f32>,
    /// Number of child nodes with at least one visit. A [`TreeRequest`](super::TreeRequest) can request these nodes.
    pub children: u32,
}

/// Kind of a search-tree node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// The player to move makes a decision at this node.
    Decision,
    /// Chance node: a roll of the dice.
    Chance,
    /// End of the game.
    Over,
}

//! Matches between players, and how training goes.

use super::GamePlayer;
use serde::{Deserialize, Serialize};

/// A match under way or over: pairs of games in which both get the same dice and change seats. The document `matches` is a
/// list of them, those that were asked for last, in the order in which they are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameMatch {
    /// The two players.
    pub players: [GamePlayer; 2],
    /// What they are called.
    pub labels: [String; 2],
    /// Pairs of games to be played.
    pub pairs: u32,
    /// Pairs of games that are over.
    pub played: u32,
    /// Mean points that the first player won a game; `None` before the first pair.
    pub points: Option<f64>,
    /// From where to where its true mean lies with 95 % confidence; `None` before the second pair.
    pub interval: Option<[f64; 2]>,
    /// The share of games that the first player won, a draw counting half.
    pub wins: f64,
    /// Games that ended as gammons or backgammons, won by the first and by the second player, as shares of all games; 0 in
    /// Connect Four.
    pub gammons: [f64; 2],
}

/// The document `run`: how training goes, beside what metrics say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameRun {
    /// Rounds of self-play and learning so far.
    pub generation: u32,
    /// Networks promoted so far.
    pub promotions: u32,
    /// Everybody who can play at present, besides a person; with 0 simulations where a search is possible.
    pub players: Vec<PlayerChoice>,
    /// Every measurement of strength so far, the oldest first.
    pub ladder: Vec<LadderRow>,
}

/// Somebody who can play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlayerChoice {
    /// As commands take it.
    pub player: GamePlayer,
    /// For a person, such as "Best so far".
    pub label: String,
    /// One sentence about it.
    pub help: String,
    /// Whether it can search: its number of simulations may be chosen.
    pub searches: bool,
}

/// How the network did against one opponent, without search, both changing seats with the same dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LadderRow {
    /// [`Progress::steps`](crate::protocol::Progress::steps) at the time.
    pub steps: u64,
    /// Rounds of learning at the time.
    pub generation: u32,
    /// The opponent.
    pub opponent: GamePlayer,
    /// What it is called.
    pub label: String,
    /// Games played.
    pub games: u32,
    /// Mean points that the network won a game.
    pub points: f64,
    /// Its interval of 95 % confidence.
    pub interval: [f64; 2],
    /// The share of games that the network won, a draw counting half.
    pub wins: f64,
}

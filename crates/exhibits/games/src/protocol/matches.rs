//! JSON documents `matches` (matches between players) and `run` (training status).

use super::GamePlayer;
use serde::{Deserialize, Serialize};

/// Match between two players, in progress or finished. The two games of a pair have the same dice and swapped seats.
/// The JSON document `matches` lists the matches that the user requested last, in the order of play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameMatch {
    /// The two players of the match.
    pub players: [GamePlayer; 2],
    /// Display labels of the two players.
    pub labels: [String; 2],
    /// Number of pairs of games to play in the match.
    pub pairs: u32,
    /// Number of pairs of games finished.
    pub played: u32,
    /// Mean points per game of the first player; `None` before the first pair of games is finished.
    pub points: Option<f64>,
    /// 95 % confidence interval of `points`, lower and upper bound; `None` before the second pair of games is finished.
    pub interval: Option<[f64; 2]>,
    /// Share of finished games that the first player won, 0 to 1; a draw counts half. 0 before a game is finished.
    pub wins: f64,
    /// Share of games won as gammon or backgammon by the first and by the second player; 0 in Connect Four.
    pub gammons: [f64; 2],
}

/// The JSON document `run`: training status in addition to the metrics.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameRun {
    /// Number of finished training generations (self-play, then gradient steps).
    pub generation: u32,
    /// Number of promotions of the newest network to the best network so far.
    pub promotions: u32,
    /// Available players except the human player. Network players are listed with 0 simulations.
    pub players: Vec<PlayerChoice>,
    /// Results of all matches against reference players (the ladder) so far, oldest first.
    pub ladder: Vec<LadderRow>,
}

/// Player that the user can choose for a seat or a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlayerChoice {
    /// Value that identifies the player in commands.
    pub player: GamePlayer,
    /// Display label of the player, such as "Best network".
    pub label: String,
    /// Description of the player in one sentence.
    pub help: String,
    /// Whether the number of search simulations per decision can be chosen for the player.
    pub searches: bool,
}

/// Ladder result: a match of the newest network, without search, against one reference player. The two games of a pair
/// have the same dice and swapped seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LadderRow {
    /// Number of self-play decisions at the time of the match, as in
    /// [`Progress::steps`](vivarium_lab::protocol::Progress::steps).
    pub steps: u64,
    /// Number of training generations finished at the time of the match.
    pub generation: u32,
    /// Reference player that the network played against.
    pub opponent: GamePlayer,
    /// Display label of the reference player.
    pub label: String,
    /// Number of games played in the match.
    pub games: u32,
    /// Mean points per game that the network scored against the reference player.
    pub points: f64,
    /// 95 % confidence interval of `points`, lower and upper bound, in points per game.
    pub interval: [f64; 2],
    /// Share of games that the network won; a draw counts half.
    pub wins: f64,
}

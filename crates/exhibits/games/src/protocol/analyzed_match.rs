//! Analysis of the record of a match. Errors, luck and equities are in millipoints: thousandths of a point, per value of the
//! doubling cube.

use serde::Serialize;

/// Analysis of a match, in progress or complete.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedMatch {
    /// Names of players 0 and 1.
    pub players: [String; 2],
    /// Match length in points; 0 in a money session.
    pub length: u16,
    /// Games whose analysis has begun.
    pub games: Vec<AnalyzedGame>,
    /// Sums over the actions of players 0 and 1.
    pub totals: [AnalyzedTotal; 2],
    /// Result of the finished games; `None` during the analysis, or if no game is finished.
    pub result: Option<AnalyzedResult>,
}

/// Game of an [`AnalyzedMatch`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedGame {
    /// Points of players 0 and 1 before the game.
    pub score: [u16; 2],
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// Rated actions, oldest first.
    pub actions: Vec<AnalyzedAction>,
    /// Winner and points of the game; `None` if the game is unfinished.
    pub result: Option<AnalyzedWin>,
}

/// Winner of an [`AnalyzedGame`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedWin {
    /// Winner: player 0 or 1.
    pub winner: u8,
    /// Points of the win, including the doubling cube.
    pub points: u16,
}

/// Rated action of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedAction {
    /// Player 0 or 1.
    pub player: u8,
    /// XGID of the position before the action; with the roll if the action is a play.
    pub position: String,
    /// Kind of the action.
    pub action: AnalyzedKind,
    /// Equity loss against the best action, at least 0.
    pub error: f64,
    /// Mark of the error: `?!`, `?` or `??`; `None` for a small error.
    pub mark: Option<&'static str>,
    /// Best action; `None` if the action loses nothing.
    pub best: Option<String>,
    /// Best actions with their equities and the action itself; empty if the action loses nothing.
    pub candidates: Vec<AnalyzedCandidate>,
    /// Roll of a play, the higher die first.
    pub roll: Option<[u8; 2]>,
    /// Notation of a play.
    pub play: Option<String>,
    /// Luck of the roll of a play.
    pub luck: Option<f64>,
    /// Whether a play was the only legal one.
    pub forced: Option<bool>,
}

/// Kind of an [`AnalyzedAction`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AnalyzedKind {
    /// Play of a roll.
    Play,
    /// Double.
    Double,
    /// No double, where a double was better or close.
    #[serde(rename = "no double")]
    NoDouble,
    /// Take.
    Take,
    /// Pass.
    Pass,
}

/// Possible action with its equity for the player who acts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedCandidate {
    /// Notation of the action.
    pub action: String,
    /// Equity of the action.
    pub equity: f64,
}

/// Sums over the actions of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedTotal {
    /// Number of plays with a choice.
    pub plays: u32,
    /// Sum of their errors.
    pub play_error: f64,
    /// Number of doubles, takes, passes, and decisions not to double that were close or wrong.
    pub doubling_decisions: u32,
    /// Sum of their errors.
    pub doubling_error: f64,
    /// Number of errors with the marks `??` and `?`.
    pub blunders: u32,
    /// Mean error per decision; `None` without decisions.
    pub error_rate: Option<f64>,
    /// Performance rating of eXtreme Gammon, half the error rate; `None` without decisions.
    pub performance_rating: Option<f64>,
    /// Sum of the luck of all rolls.
    pub luck: f64,
}

/// Result of the finished games of players 0 and 1: points of a money session, or match winning probabilities after the games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedResult {
    /// Unit of the results.
    pub unit: &'static str,
    /// Results as played.
    pub actual: [f64; 2],
    /// Results without the luck of the rolls.
    pub luck_adjusted: [f64; 2],
}

//! Analysis of the record of a match. Errors, luck and equities are in millipoints: thousandths of a point, per value of the
//! doubling cube.

use serde::Serialize;

/// Analysis of a match, in progress or complete.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedMatch {
    /// Name of the experiment of the network.
    pub experiment: &'static str,
    /// Checkpoint file of the network; `None` for the network of the program, and without a network.
    pub checkpoint: Option<String>,
    /// Source of all figures: `network`, or `gnubg` for GNU Backgammon.
    pub evaluator: &'static str,
    /// Search depth in plies.
    pub plies: u8,
    /// Search depth at which actions with a marked error are evaluated again, in plies; at most `plies`: not again.
    pub recheck_plies: u8,
    /// Names of players 0 and 1.
    pub players: [String; 2],
    /// Match length in points; 0 in a money session.
    pub length: u16,
    /// Games, with the actions that have been rated.
    pub games: Vec<AnalyzedGame>,
    /// Sums over the actions of players 0 and 1.
    pub totals: [AnalyzedTotal; 2],
    /// Result of the finished games; `None` during the analysis, or if no game is finished.
    pub result: Option<AnalyzedResult>,
}

/// Result of a step of the analysis, which rates one action of the record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedStep {
    /// Index of the game in [`AnalyzedMatch::games`].
    pub index: u32,
    /// The game, with the new actions only: the rated action, and a decision not to double before a play.
    pub game: AnalyzedGame,
    /// As [`AnalyzedMatch::totals`], after the step.
    pub totals: [AnalyzedTotal; 2],
    /// As [`AnalyzedMatch::result`], after the step.
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
    /// Sums over the actions of players 0 and 1 in the game.
    pub totals: [AnalyzedTotal; 2],
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
    /// Search depth of the evaluation, in plies.
    pub plies: u8,
    /// Equity loss against the best action, at least 0.
    pub error: f64,
    /// Mark of the error: `?!`, `?` or `??`; `None` for a small error.
    pub mark: Option<&'static str>,
    /// Best action; `None` if the action loses nothing.
    pub best: Option<String>,
    /// Best plays of the roll, the best first, and the play itself; empty for a doubling action.
    pub candidates: Vec<AnalyzedCandidate>,
    /// Equities of a doubling action; `None` for a play.
    pub doubling: Option<AnalyzedDoubling>,
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

/// Legal play of a roll, evaluated for the player on roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedCandidate {
    /// Notation of the play.
    pub play: String,
    /// Equity of the play.
    pub equity: f64,
    /// Equity loss against the best play, at least 0.
    pub loss: f64,
    /// Cubeless probabilities after the play: win, gammon and backgammon won, gammon and backgammon lost.
    pub probabilities: [f64; 5],
    /// Whether the play was searched; equities with and without a search are not comparable.
    pub searched: bool,
    /// Whether the player has made the play.
    pub played: bool,
}

/// Doubling decision, with equities of the player on roll, who may double.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalyzedDoubling {
    /// Equity without a double.
    pub no_double: f64,
    /// Equity of a double that the opponent takes.
    pub double_take: f64,
    /// Equity of a double that the opponent passes.
    pub double_pass: f64,
    /// Best action of both players.
    pub best: String,
    /// Cubeless probabilities of the player on roll before the roll: win, gammon, backgammon, lost gammon, lost backgammon.
    pub probabilities: [f64; 5],
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

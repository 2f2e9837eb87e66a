//! Rollout of a position of backgammon. Equities are in points per value of the doubling cube, as in
//! [`GameCandidate::equity`](super::GameCandidate::equity).

use serde::Serialize;

/// Rollout of the plays of a roll, or of a position before the roll, in progress or complete.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RolledPosition {
    /// Number of trials of each play.
    pub trials: u32,
    /// Plays with their estimates, the best first; empty before the first trial, and before the roll.
    pub plays: Vec<RolledPlay>,
    /// Doubling decision; `None` with a roll, before the first trial, and if the player on roll may not double.
    pub doubling: Option<RolledDoubling>,
}

/// Play of a rollout, estimated for the player on roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RolledPlay {
    /// Notation of the play.
    pub play: String,
    /// Equity of the play.
    pub equity: RolledEquity,
    /// Equity loss against the best play. Equal dice of both plays cancel, so that its standard error is smaller than that of the
    /// equities.
    pub loss: RolledEquity,
    /// Cubeless probabilities after the play: win, gammon and backgammon won, gammon and backgammon lost.
    pub probabilities: [f64; 5],
}

/// Mean of the trials, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RolledEquity {
    /// Mean.
    pub mean: f64,
    /// Standard error; `None` with one trial, and for equities that do not depend on the trials.
    pub error: Option<f64>,
}

/// Doubling decision of a rollout, with equities of the player on roll, who may double.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RolledDoubling {
    /// Equity without a double.
    pub no_double: RolledEquity,
    /// Equity of a double that the opponent takes.
    pub double_take: RolledEquity,
    /// Equity of a double that the opponent passes.
    pub double_pass: f64,
    /// Equity of a double, with the best reply, minus the equity of no double. Equal dice of both cancel, so that the standard error
    /// is smaller than that of the equities.
    pub gain: RolledEquity,
    /// Best action of both players.
    pub best: String,
    /// Cubeless probabilities of the player on roll before the roll: win, gammon, backgammon, lost gammon, lost backgammon.
    pub probabilities: [f64; 5],
}

//! Match or money session as a list of games, for records in the formats of other programs.

use super::{GameOutcome, GameTurn};
use serde::{Deserialize, Serialize};

/// Match, money session or series of cubeless games of backgammon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlayedMatch {
    /// Names of seat 0 and seat 1.
    pub names: [String; 2],
    /// Match length in points; 0 in a money session.
    pub length: u16,
    /// Whether a money session has the Jacoby rule.
    pub jacoby: bool,
    /// Games in the order in which they were played.
    pub games: Vec<PlayedGame>,
}

/// Game of a [`PlayedMatch`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlayedGame {
    /// Points of seat 0 and seat 1 before the game.
    pub score: [u16; 2],
    /// Whether this is the Crawford game, which has no doubling cube.
    pub crawford: bool,
    /// Turns since the starting position, oldest first.
    pub turns: Vec<GameTurn>,
    /// Positions of the doubles, which the reader of records adds for display; the turns contain the doubles themselves.
    #[serde(default)]
    pub doubles: Vec<PlayedDouble>,
    /// Outcome of the game; `None` if the game is unfinished.
    pub outcome: Option<GameOutcome>,
}

/// Position of a double in a [`PlayedGame`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlayedDouble {
    /// Index of the turn that the double begins; the number of turns if the double ends the game.
    pub turn: u32,
    /// XGID of the position before the double.
    pub id: String,
}

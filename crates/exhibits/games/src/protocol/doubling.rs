//! Match or money session at the table: doubling cube, score and doubling decisions.

use super::GamePlayer;
use serde::{Deserialize, Serialize};

/// Match or money session with the doubling cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameDoubling {
    /// Match length in points; 0 in a money session.
    pub length: u16,
    /// Whether the Jacoby rule applies: a gammon counts 1 point unless a player has doubled. Money sessions only.
    pub jacoby: bool,
    /// Whether this is the Crawford game, which has no doubling cube: the first game in which a player needs 1 point.
    pub crawford: bool,
    /// Value of the doubling cube, before an offered double is taken.
    pub cube: u32,
    /// Seat that owns the doubling cube; `None` if the cube is in the middle.
    pub owner: Option<u8>,
    /// Whether the seat to move may double now: before the roll, with access to the doubling cube and a use for a
    /// double.
    pub can_double: bool,
    /// Points of a single game, a gammon and a backgammon with the present doubling cube.
    pub points: [u32; 3],
    /// Seat that has won the match; `None` before the end of the match and in a money session.
    pub match_winner: Option<u8>,
    /// Whether [`GameCommand::TakeBack`](super::GameCommand::TakeBack) without a turn returns to a doubling decision of
    /// a human player in the current turn.
    pub can_take_back: bool,
    /// Doubling decision that a player has to make now, as evaluated by a network; `None` if there is none.
    pub pending: Option<DoublingReport>,
    /// Doubling decision of the game that was made last; `None` before the first one.
    pub last: Option<DoublingReport>,
}

/// Doubling decision with its equities, which Janowski's formula computes from the cubeless probabilities of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DoublingReport {
    /// Seat that decides.
    pub seat: u8,
    /// The decision; `None` if it has not been made.
    pub chosen: Option<DoublingChoice>,
    /// Best decision of the seat.
    pub best: DoublingChoice,
    /// Whether the seat to move is too good to double: playing for a gammon is worth more than the drop.
    pub too_good: bool,
    /// Network that evaluated the position: the network that decides, or the analyst.
    pub player: GamePlayer,
    /// Cubeless probabilities of win, gammon, backgammon, lost gammon and lost backgammon before the roll, for the seat to move: of the
    /// bear-off table, or of the network.
    pub probabilities: [f32; 5],
    /// Equities of no double, double and take, double and drop, for the seat to move: 1 is the value of winning the
    /// present doubling cube. In a match, 1 and −1 stand for the match winning probabilities after winning and losing
    /// the cube.
    pub equities: [f32; 3],
    /// Equity losses of no double, double, take and drop, each for the seat that decides; 0 for the best decision.
    pub costs: [f32; 4],
}

/// Doubling decision of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DoublingChoice {
    /// Roll without a double.
    NoDouble,
    /// Double.
    Double,
    /// Take the double of the opponent.
    Take,
    /// Drop the double of the opponent, which loses the game.
    Drop,
}

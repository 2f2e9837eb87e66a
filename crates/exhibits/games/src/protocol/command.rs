//! Commands of front ends to a board-game experiment.

use super::{DiceMode, GamePlayer, GamePosition};
use serde::{Deserialize, Serialize};

/// Commands to a board-game experiment: game at the table, analysis and matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GameCommand {
    /// Starts a new game at the table: the next game of a match or money session whose game is over. After the match, or
    /// during a game of it, a new match starts.
    NewGame {
        /// Players at seat 0 and seat 1. A change resets the score.
        seats: [GamePlayer; 2],
        /// Seat that starts; `None`: decided by the opening roll in backgammon, alternating in Connect Four.
        first: Option<u8>,
    },
    /// Starts a match or money session with the doubling cube, or cubeless money games, with a new game and score 0.
    /// Backgammon only. The players remain seated.
    StartMatch {
        /// Match length in points, 1 to 64; 0: money session; `None`: cubeless money games.
        length: Option<u16>,
        /// Whether a money session has the Jacoby rule.
        jacoby: bool,
    },
    /// Replaces the players of the current game. A change resets the score.
    SetSeats {
        /// Players at seat 0 and seat 1.
        seats: [GamePlayer; 2],
    },
    /// Replaces the game by a position that the user has entered. The players remain seated. A match ID or XGID with a
    /// doubling cube or a match score sets cube, score and match length; otherwise the cube is in the middle.
    SetPosition {
        /// Position to set up, as an ID or by its checkers.
        position: GamePosition,
        /// Seat to move. `None`: the seat determined by the match ID or by the moves of Connect Four, else seat 0.
        seat: Option<u8>,
        /// Roll that the seat to move has to play. `None`: the roll in the match ID, or no roll yet if the position has
        /// no match ID.
        dice: Option<[u8; 2]>,
    },
    /// Rolls the dice, at random or with the entered values.
    Roll {
        /// Roll to enter; for an opening roll, seat 0's die first. `None`: random dice.
        dice: Option<[u8; 2]>,
    },
    /// Doubles for the seat to move ([`GameDoubling::can_double`](super::GameDoubling::can_double)).
    Double,
    /// Takes the offered double.
    Take,
    /// Drops the offered double, which loses the game.
    Drop,
    /// Moves a checker to a legal target ([`GameTable::targets`](super::GameTable::targets)), or drops a stone.
    Move {
        /// Source of the move, as in [`GameTarget`](super::GameTarget).
        from: u8,
        /// Destination of the move, as in [`GameTarget`](super::GameTarget).
        to: u8,
    },
    /// Takes back the last move of the current turn.
    UndoMove,
    /// Ends the turn of a human player. In Connect Four a turn ends automatically.
    ConfirmTurn,
    /// Takes the game back to the start of a turn in the history, after its roll. When the later turns are played again,
    /// they get the same dice.
    TakeBack {
        /// Index of the turn in the history, from 0; `None`: the last decision of a human player, which is a turn or a
        /// double, take or drop of the current turn.
        turn: Option<u32>,
    },
    /// Resigns the game. A computer opponent declines if its equity is higher than the offered points.
    Resign {
        /// Seat that resigns the game.
        seat: u8,
        /// Points offered with a doubling cube of 1: from 1 to [`GameTable::max_loss`](super::GameTable::max_loss).
        points: u32,
    },
    /// Makes the computer play its current best move at once, without the delay of computer moves. Ends the wait of a computer
    /// ([`GameTable::waits`](super::GameTable::waits)).
    MoveNow,
    /// Sets the seed of all future dice at the table. By default this seed is derived from the seed of the run.
    SeedDice {
        /// Seed of all future dice.
        seed: u32,
    },
    /// Sets the source of the rolls.
    SetDiceMode {
        /// Source of the rolls: automatic, on request, or entered by hand.
        mode: DiceMode,
    },
    /// Sets the delay before computer moves.
    SetPace {
        /// Delay in seconds, 0 to 60; `None`: wait for [`GameCommand::MoveNow`].
        seconds: Option<f32>,
    },
    /// Selects the network that analyzes human decisions. A different network restarts the current analysis; a
    /// different number of simulations continues the current analysis.
    SetAnalysis {
        /// Network that analyzes human decisions: a network player with at least 1 simulation per decision.
        analyst: GamePlayer,
        /// Maximum number of simulations per second, 1 to 100,000; `None`: unlimited.
        speed: Option<f32>,
    },
    /// Restarts the analysis of the current decision with the newest weights. Rejected if there is no decision. To
    /// search deeper, raise the simulations with [`GameCommand::SetAnalysis`].
    AnalyzeAgain,
    /// Plays matches one after another, alternating with training, and drops the previous matches.
    StartMatches {
        /// The two players of each match; at most 16 matches.
        players: Vec<[GamePlayer; 2]>,
        /// Number of pairs of games per match; the two games of a pair have the same dice and swapped seats.
        pairs: u32,
    },
    /// Stops the matches in progress and keeps their results.
    StopMatches,
    /// Exports the weights of the best network as a network file, without optimizer state. The reply contains the file.
    ExportPlayer,
}

//! JSON document `table`: current game, legal moves and history of the game that a user plays or analyzes.

use super::{GameDoubling, GamePlayer};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// The JSON document `table`: state of the current game and the available actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTable {
    /// Game ID: a number that changes when a game starts or a position is set up.
    pub game: u32,
    /// Players at seat 0 and seat 1.
    pub seats: [GamePlayer; 2],
    /// Board, including the moves already made in the current turn.
    pub board: GameBoard,
    /// Position before the current turn. Backgammon: position ID and match ID of GNU Backgammon, such as
    /// `4HPwATDgc/ABMA:cAkAAAAAAAAA`, with doubling cube and score. Connect Four: columns of all moves, numbered from 1,
    /// such as `4433`.
    pub id: String,
    /// Stage of the game, which is the kind of event that comes next.
    pub stage: GameStage,
    /// Seat to move (0 or 1), also while its double is offered; after the game, the seat that would move next.
    pub seat: u8,
    /// Roll of the seat to move, higher die first, or seat 0's die first in the opening; `None` before the roll and in
    /// Connect Four.
    pub dice: Option<[u8; 2]>,
    /// Dice of the roll that have not been played, higher die first, including dice that cannot be played.
    pub dice_left: Vec<u8>,
    /// Moves of the current turn so far, one per die.
    pub moves: Vec<GameMove>,
    /// Legal next moves of the human player; empty if no human player is to move.
    pub targets: Vec<GameTarget>,
    /// Whether the current turn has a move that [`GameCommand::UndoMove`](super::GameCommand::UndoMove) can take back.
    pub can_undo: bool,
    /// Whether the turn is complete: [`GameCommand::ConfirmTurn`](super::GameCommand::ConfirmTurn) can end the turn. A
    /// turn without legal moves is complete at once.
    pub can_confirm: bool,
    /// Outcome of the game; `None` while the game is in progress.
    pub outcome: Option<GameOutcome>,
    /// Maximum points that seat 0 and seat 1 can still lose with a doubling cube of 1, which limit the points of a
    /// resignation: in backgammon 3 while a backgammon is possible, 2 while a gammon is possible, else 1; 0 after the
    /// game and while a double is offered.
    pub max_loss: [u32; 2],
    /// Points won by seat 0 and seat 1 since the players were seated or the match started.
    pub score: [u32; 2],
    /// Match or money session with the doubling cube; `None` in cubeless games and in Connect Four.
    pub doubling: Option<GameDoubling>,
    /// Finished turns since the start of the game or since a position was set up, oldest first.
    pub history: Vec<GameTurn>,
    /// Source of the rolls: automatic, on request, or entered by hand.
    pub dice_mode: DiceMode,
    /// Delay before computer moves, in seconds; `None`: a computer waits for
    /// [`GameCommand::MoveNow`](super::GameCommand::MoveNow).
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub pace: Option<f32>,
    /// Whether a computer waits for [`GameCommand::MoveNow`](super::GameCommand::MoveNow): to move without a delay; to roll, to
    /// answer a double or to move in a backgammon position that was entered by an ID.
    pub waits: bool,
    /// Analyst: the network that analyzes human decisions, with its number of simulations.
    pub analyst: GamePlayer,
    /// Maximum number of simulations of the analysis per second; `None`: unlimited.
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub analysis_speed: Option<f32>,
    /// Notice about the current game, such as ignored fields of a match ID.
    pub notice: Option<String>,
}

/// Board of the game, with its checkers or stones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GameBoard {
    /// Backgammon board: checkers of both seats.
    Backgammon {
        /// Number of checkers of seat 0 and of seat 1 at positions 0 (off) to 25 (bar), in each player's numbering.
        checkers: [Vec<u8>; 2],
        /// Pip counts of seat 0 and seat 1.
        pips: [u32; 2],
    },
    /// Connect Four board: stones in 42 cells.
    ConnectFour {
        /// 42 cells, index 6 · column + row: 0 empty, 1 seat 0, 2 seat 1.
        cells: Vec<u8>,
        /// Indices of the cells of all winning rows of four; empty if no player has won.
        winning: Vec<u32>,
    },
}

/// Stage of the game at the table, named after the event that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GameStage {
    /// The dice are rolled next, by [`GameCommand::Roll`](super::GameCommand::Roll) or automatically.
    Roll,
    /// The seat to move has doubled; its opponent takes or drops next.
    Doubled,
    /// A human player moves next.
    Person,
    /// A computer player moves next.
    Computer,
    /// The game is over.
    Over,
}

/// Source of the dice rolls at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DiceMode {
    /// Human players roll with [`GameCommand::Roll`](super::GameCommand::Roll); computer players roll automatically.
    #[default]
    Ask,
    /// The rolls of all players are automatic.
    Roll,
    /// Every roll is entered with [`GameCommand::Roll`](super::GameCommand::Roll).
    ByHand,
}

/// Move of one checker by one die, or drop of a stone in Connect Four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameMove {
    /// Source position of the checker, in the numbering of the player who moves; in Connect Four the column.
    pub from: u8,
    /// Destination of the checker, in the numbering of the player who moves; in Connect Four the column.
    pub to: u8,
    /// Whether the move hits an opponent's blot.
    pub hits: bool,
}

/// Legal move of the human player: one checker moved by one or several dice, or a stone dropped in Connect Four.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTarget {
    /// Source of the move, as in [`GameMove`]. A source can have several targets.
    pub from: u8,
    /// Destination of the move, as in [`GameMove`].
    pub to: u8,
    /// Moves by single dice that lead from the source to the destination.
    pub moves: Vec<GameMove>,
}

/// Outcome of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameOutcome {
    /// Seat that won; `None` for a draw.
    pub winner: Option<u8>,
    /// Points that the winner gets: in backgammon `win` multiplied by the doubling cube (with the Jacoby rule, 1 unless
    /// a player has doubled), 1 in Connect Four, 0 for a draw.
    pub points: u32,
    /// Kind of win: 1 single game, 2 gammon, 3 backgammon; 1 in Connect Four, 0 for a draw.
    pub win: u8,
    /// Kind of ending, such as "gammon", "four in a row", "resigned" or "dropped".
    pub how: String,
}

/// A finished turn in the history of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTurn {
    /// Seat that played the turn.
    pub seat: u8,
    /// Roll that was played in the turn; `None` in Connect Four.
    pub dice: Option<[u8; 2]>,
    /// Value of the doubling cube after a double of this seat before the roll, which the opponent has taken; `None`
    /// without a double.
    pub doubled: Option<u32>,
    /// Notation of the play made in the turn; `cannot move` if the player had no legal move.
    pub text: String,
    /// Moves that were made in the turn.
    pub moves: Vec<GameMove>,
    /// Position before the turn, as in [`GameTable::id`]; in the record of a match, an XGID.
    pub id: String,
    /// Equity loss of the play relative to the best play of the analysis, at least 0; `None` if only one
    /// play was legal or the analysis had too few simulations.
    pub lost: Option<f32>,
    /// Notation of the best play according to the analysis; `None` if the best play was made or `lost` is `None`.
    pub best: Option<String>,
    /// Equity for seat 0 after the turn, as [`GameCandidate::equity`](super::GameCandidate::equity); `None` if the analysis had too few simulations.
    pub equity: Option<f32>,
}

/// Position that the user enters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GamePosition {
    /// Text that identifies a position, in the format of [`GameTable::id`]. In backgammon, the position ID of GNU
    /// Backgammon is enough; its match ID adds the player on roll and the dice.
    Id {
        /// ID of the position. Surrounding spaces are ignored.
        id: String,
    },
    /// Backgammon: checkers placed by hand, 15 per player.
    Checkers {
        /// Number of checkers of seat 0 and of seat 1 at each position, as in [`GameBoard::Backgammon`].
        checkers: [Vec<u8>; 2],
    },
}

/// Fields of a [`GamePosition`] before validation. The deserializer of `GamePosition` is written by hand, because a
/// derived deserializer of nested tagged enums makes the wasm module larger.
#[derive(Deserialize)]
struct PositionFields {
    kind: String,
    id: Option<String>,
    checkers: Option<[Vec<u8>; 2]>,
}

impl<'de> Deserialize<'de> for GamePosition {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match PositionFields::deserialize(from)? {
            PositionFields { kind, id: Some(id), .. } if kind == "id" => Ok(Self::Id { id }),
            PositionFields { kind, checkers: Some(checkers), .. } if kind == "checkers" => {
                Ok(Self::Checkers { checkers })
            }
            PositionFields { kind, .. } if kind == "id" => Err(D::Error::missing_field("id")),
            PositionFields { kind, .. } if kind == "checkers" => Err(D::Error::missing_field("checkers")),
            PositionFields { kind, .. } => Err(D::Error::unknown_variant(&kind, &["id", "checkers"])),
        }
    }
}

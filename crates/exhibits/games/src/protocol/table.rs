//! The table at which a person plays, or watches two others.

use super::GamePlayer;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// The document `table`: all that there is to see and to do at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTable {
    /// Counts the games and positions that were put on this table: with another one it is another game.
    pub game: u32,
    /// Who sits at seat 0 and at seat 1.
    pub seats: [GamePlayer; 2],
    /// The board as it is now, with the moves of a turn under way.
    pub board: GameBoard,
    /// As others read it: the position ID and match ID of GNU Backgammon, `4HPwATDgc/ABMA:cAkAAAAAAAAA`, of the position
    /// before the turn under way; the columns from 1 of all moves, `4433`, in Connect Four.
    pub id: String,
    /// What is waited for.
    pub stage: GameStage,
    /// Whose turn it is; of a game that is over, whose it would be.
    pub seat: u8,
    /// The roll to be played, the higher die first, of an opening roll seat 0's; `None` where there is none. Never in
    /// Connect Four.
    pub dice: Option<[u8; 2]>,
    /// The dice that have not been played yet, the higher one first; those that cannot be played stay.
    pub dice_left: Vec<u8>,
    /// The moves of the turn under way, one for each die.
    pub moves: Vec<GameMove>,
    /// Where a person may move now. Empty where it is no person's move.
    pub targets: Vec<GameTarget>,
    /// Whether there is a move of this turn to take back by [`Command::UndoMove`](crate::protocol::Command::UndoMove).
    pub can_undo: bool,
    /// Whether the turn is complete and may be handed over by
    /// [`Command::ConfirmTurn`](crate::protocol::Command::ConfirmTurn). With nothing to play it is complete at once.
    pub can_confirm: bool,
    /// How the game ended.
    pub outcome: Option<GameOutcome>,
    /// The most points that seat 0 and seat 1 can still lose, and so resign: in backgammon 3 while a backgammon is
    /// possible, 2 while a gammon is; 0 when the game is over.
    pub max_loss: [u32; 2],
    /// Points won at this table since the players sat down, for seat 0 and seat 1.
    pub score: [u32; 2],
    /// The turns so far, the oldest first: those of the game since its beginning or since its position was set up.
    pub history: Vec<GameTurn>,
    /// How rolls come about.
    pub dice_mode: DiceMode,
    /// Seconds for which a move that was decided is held back, so that a person can follow; `None`: a computer waits for
    /// [`Command::MoveNow`](crate::protocol::Command::MoveNow).
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub pace: Option<f32>,
    /// Who looks at a person's decisions, and with how many simulations.
    pub analyst: GamePlayer,
    /// Simulations of the analysis in a second; `None`: as many as there is time for.
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub analysis_speed: Option<f32>,
    /// Something about the game on the table that a person should know, such as what of a match ID is left out.
    pub notice: Option<String>,
}

/// The stones or checkers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GameBoard {
    /// Backgammon.
    Backgammon {
        /// The checkers of seat 0 and of seat 1 at each of the 26 places, each as that player counts them.
        checkers: [Vec<u8>; 2],
        /// How many pips each has to go.
        pips: [u32; 2],
    },
    /// Connect Four.
    ConnectFour {
        /// 42 cells, 6 · column + row: 0 is empty, 1 holds a stone of seat 0, 2 one of seat 1.
        cells: Vec<u8>,
        /// The cells of the rows of four that won; empty where none did.
        winning: Vec<u32>,
    },
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GameStage {
    /// That the dice are rolled, by [`Command::Roll`](crate::protocol::Command::Roll), or by themselves.
    Roll,
    /// That a person moves and hands over the turn.
    Person,
    /// That a computer decides.
    Computer,
    /// Nothing: the game is over.
    Over,
}

/// How rolls come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DiceMode {
    /// A person rolls by [`Command::Roll`](crate::protocol::Command::Roll); a computer's dice roll by themselves.
    #[default]
    Ask,
    /// All dice roll by themselves.
    Roll,
    /// Every roll is entered by [`Command::Roll`](crate::protocol::Command::Roll) with its dice.
    ByHand,
}

/// A move of one checker by one die, or a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameMove {
    /// The place that it comes from, as the player who moves counts; in Connect Four the column.
    pub from: u8,
    /// The place that it goes to; in Connect Four the column again.
    pub to: u8,
    /// Whether it hits.
    pub hits: bool,
}

/// A way in which a person may move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTarget {
    /// As in [`GameMove`]. One place can have several targets.
    pub from: u8,
    /// As in [`GameMove`].
    pub to: u8,
    /// The moves that it takes, one for each die: a checker may be put down where several dice bring it.
    pub moves: Vec<GameMove>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameOutcome {
    /// The seat that won; `None` for a draw.
    pub winner: Option<u8>,
    /// What it counts: 1 to 3 in backgammon; 0 for a draw.
    pub points: u32,
    /// Such as "gammon", "four in a row", "resigned".
    pub how: String,
}

/// A turn that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameTurn {
    /// Whose it was.
    pub seat: u8,
    /// What was rolled for it.
    pub dice: Option<[u8; 2]>,
    /// The play as it is written; `cannot move` where nothing could be played.
    pub text: String,
    /// Its moves.
    pub moves: Vec<GameMove>,
    /// The position before it, as in [`GameTable::id`].
    pub id: String,
    /// The equity that it lost against the best play that the analysis found, at least 0; `None` where that did not look
    /// at enough, or there was no choice.
    pub lost: Option<f32>,
    /// That best play; `None` where it was the one played or `lost` is.
    pub best: Option<String>,
    /// The equity for seat 0 after the turn, as far as it is known: the course of the game.
    pub equity: Option<f32>,
}

/// A position that a person enters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GamePosition {
    /// As [`GameTable::id`] is written. A position ID may stand alone, without a match ID; a match ID also says whose turn
    /// it is and what was rolled.
    Id {
        /// Spaces around it do no harm.
        id: String,
    },
    /// Backgammon: checkers that were put down by hand, 15 of each.
    Checkers {
        /// As in [`GameBoard::Backgammon`].
        checkers: [Vec<u8>; 2],
    },
}

/// A position as it arrives, written out for the same reason as a player's is.
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

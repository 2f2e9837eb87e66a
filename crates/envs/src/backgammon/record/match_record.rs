//! Data of a match record.

use crate::backgammon::dice::Roll;
use crate::backgammon::match_id::{DoublingCubeOwner, Match};
use crate::backgammon::plays::Play;
use crate::backgammon::position::Position;

/// Record of a match or money session between two players, 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    /// Names of the players.
    pub players: [String; 2],
    /// Match length in points; 0 for a money session.
    pub length: u16,
    /// Whether a money session has the Jacoby rule.
    pub jacoby: bool,
    /// Facts about the event, each at most once.
    pub tags: Vec<(RecordTag, String)>,
    /// Games in the order in which they were played.
    pub games: Vec<RecordedGame>,
}

/// Fact about the event of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordTag {
    /// Name of the event.
    Event,
    /// Round of the event.
    Round,
    /// Place of the event.
    Place,
    /// Date, as year, month and day.
    Date,
    /// Person who recorded the match.
    Transcriber,
}

impl RecordTag {
    /// All tags.
    pub const ALL: [Self; 5] = [Self::Event, Self::Round, Self::Place, Self::Date, Self::Transcriber];

    /// Returns the name of the tag in the comments of .mat files, such as `; [Event "Open"]`.
    pub(super) fn mat_name(self) -> &'static str {
        match self {
            Self::Event => "Event",
            Self::Round => "Round",
            Self::Place => "Site",
            Self::Date => "EventDate",
            Self::Transcriber => "Transcriber",
        }
    }

    /// Returns the SGF property.
    pub(super) fn sgf_name(self) -> &'static str {
        match self {
            Self::Event => "EV",
            Self::Round => "RO",
            Self::Place => "PC",
            Self::Date => "DT",
            Self::Transcriber => "AN",
        }
    }
}

/// Record of one game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// Score of players 0 and 1 before the game, in points.
    pub score: [u16; 2],
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// Set-up position with which the game begins; `None` for the starting position.
    pub setup: Option<RecordedSetup>,
    /// Plays and doubling decisions in their order.
    pub actions: Vec<RecordedAction>,
    /// Result of the game; `None` if the game is unfinished.
    pub result: Option<RecordedResult>,
}

/// Set-up position with which a recorded game begins, before a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedSetup {
    /// Checkers, from the view of the player on roll.
    pub position: Position,
    /// Player on roll: 0 or 1.
    pub on_roll: u8,
    /// Binary logarithm of the doubling cube value.
    pub doubling_cube_exponent: u8,
    /// Owner of the doubling cube.
    pub doubling_cube_owner: DoublingCubeOwner,
}

/// Action of a player in a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedAction {
    /// Roll and play of a turn.
    Play {
        /// Player on roll: 0 or 1.
        player: u8,
        /// Rolled dice.
        roll: Roll,
        /// Legal play; without moves if no checker could move.
        play: Play,
    },
    /// Double before the roll.
    Double {
        /// Player who doubles: 0 or 1.
        player: u8,
    },
    /// Take of a double.
    Take {
        /// Player who takes: 0 or 1.
        player: u8,
    },
    /// Pass of a double (drop), which ends the game.
    Pass {
        /// Player who passes: 0 or 1.
        player: u8,
    },
}

/// Result of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedResult {
    /// Winner: player 0 or 1.
    pub winner: u8,
    /// Points of the win, including the doubling cube.
    pub points: u16,
}

/// Error of a match record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The text has another format.
    #[error("line {line}: {problem}")]
    Syntax {
        /// Number of the line, from 1.
        line: usize,
        /// The problem and what is allowed.
        problem: String,
    },
    /// An action breaks the rules.
    #[error("game {game}, action {action}: {problem}")]
    Action {
        /// Number of the game, from 1.
        game: usize,
        /// Number of the action in the game, from 1.
        action: usize,
        /// The broken rule.
        problem: String,
    },
    /// The record contains no game.
    #[error("the record contains no game")]
    Empty,
}

impl RecordedAction {
    /// Returns the player who acts: 0 or 1.
    pub fn player(&self) -> u8 {
        match *self {
            Self::Play { player, .. }
            | Self::Double { player }
            | Self::Take { player }
            | Self::Pass { player } => player,
        }
    }
}

impl MatchRecord {
    /// Returns a record without games.
    pub fn new(players: [String; 2], length: u16, jacoby: bool) -> Self {
        Self { players, length, jacoby, tags: Vec::new(), games: Vec::new() }
    }

    /// Returns the state of the match before the first action of a game.
    pub fn state_before(&self, game: &RecordedGame) -> Match {
        let start =
            Match { score: game.score, crawford: game.crawford, ..Match::start(self.length, self.jacoby) };
        let Some(setup) = game.setup else { return start };
        let RecordedSetup { on_roll, doubling_cube_exponent, doubling_cube_owner, .. } = setup;
        Match { doubling_cube_exponent, doubling_cube_owner, ..start.turn_of(on_roll) }
    }
}

impl RecordedGame {
    /// Returns a game without actions, from the starting position.
    pub fn new(score: [u16; 2], crawford: bool) -> Self {
        Self { score, crawford, setup: None, actions: Vec::new(), result: None }
    }
}

//! Interface between the table and a game: display, notation, interactive turns.

mod backgammon;
mod connect_four;

use crate::protocol::OutcomeInfo;
use crate::protocol::{GameBoard, GameMove, GameOutcome, GamePlayer, GamePosition, GameTarget};
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::players::{MatchGame, Player};
use vivarium_lab::error::LabError;

/// A position set up by the user.
pub(crate) struct EnteredPosition<G> {
    /// The state: a chance node or a decision.
    pub(crate) state: G,
    /// Move list of the position; see [`TableGame::id`].
    pub(crate) line: String,
    /// Notice about ignored parts of the input.
    pub(crate) notice: Option<String>,
}

/// A game that can be played at a table.
pub(crate) trait TableGame: SelfPlayGame + MatchGame {
    /// Turn in progress of a human player.
    type Turn: Clone + Send;

    /// Display title, such as "Backgammon".
    const TITLE: &'static str;
    /// Summary in one or two sentences.
    const SUMMARY: &'static str;
    /// Unit of equities.
    const EQUITY_UNIT: &'static str;
    /// Upper bound of the mean number of branches per node, for memory limits.
    const TYPICAL_BRANCHES: usize;
    /// Whether a human player has to confirm a complete turn.
    const CONFIRMS: bool;

    /// Returns the outcomes that the value heads predict.
    fn outcomes() -> Vec<OutcomeInfo>;

    /// Returns the fixed opponents, weakest first, with their names in metrics.
    fn opponents() -> Vec<(&'static str, GamePlayer)>;

    /// Creates a fixed opponent; `None` for other players.
    fn opponent(player: GamePlayer) -> Option<Box<dyn Player<Self>>>;

    /// Returns the initial state of a game. The opening roll has not been made.
    fn initial_state(first: Option<u8>, game: u32) -> Self;

    /// Returns the dice of a turn, a function of seed, game and turn; `None` if no roll is due.
    fn scheduled_dice(&self, seed: u64, game: u32, turn: u32, first: Option<u8>) -> Option<[u8; 2]>;

    /// Returns the state after a roll at a chance node.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for invalid dice, or if no roll is due.
    fn rolled(&self, dice: [u8; 2], first: Option<u8>) -> Result<Self, LabError>;

    /// Returns the roll to play; `None` if no roll is to be played.
    fn dice(&self) -> Option<[u8; 2]>;

    /// Parses a position set up by the user.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the position is invalid.
    fn parse_position(
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<EnteredPosition<Self>, LabError>;

    /// Returns the ID of the position. `line` is the move list so far.
    fn id(&self, line: &str) -> String;

    /// Returns the move list extended by `moves`.
    fn extended(line: &str, moves: &[GameMove]) -> String;

    /// Returns the board, including the moves of a turn in progress.
    fn board(&self, turn: Option<&Self::Turn>) -> GameBoard;

    /// Appends the board as bytes, for the wall.
    fn write_board(&self, to: &mut Vec<u8>);

    /// Returns the outcome; `None` if the game is not over.
    fn outcome(&self) -> Option<GameOutcome>;

    /// Returns the moves of a path of branches, and their notation.
    fn notation(&self, branches: &[usize]) -> (Vec<GameMove>, String);

    /// Returns the notation of a chance outcome, such as `3-1`.
    fn roll_notation(branch: usize) -> String;

    /// Starts a human player's turn.
    fn begin_turn(&self) -> Self::Turn;

    /// Returns the remaining dice.
    fn dice_left(turn: &Self::Turn) -> Vec<u8>;

    /// Returns the legal targets.
    fn targets(&self, turn: &Self::Turn) -> Vec<GameTarget>;

    /// Returns the turn after one more move.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if there is no such target.
    fn moved(&self, turn: &Self::Turn, from: u8, to: u8) -> Result<Self::Turn, LabError>;

    /// Returns the turn without its last move; `None` if no move was made.
    fn undone(turn: &Self::Turn) -> Option<Self::Turn>;

    /// Returns the moves made so far in the turn.
    fn made(turn: &Self::Turn) -> Vec<GameMove>;

    /// Returns the state after a complete turn, and its notation.
    fn completed(&self, turn: &Self::Turn) -> Option<(Self, String)>;

    /// Returns the maximum points that a seat can still lose, which limits resignations.
    fn max_loss(&self, seat: u8) -> u32;
}

//! Interface between the rules of a game and the table, at which users play or analyze a game: display, notation and
//! interactive turns.

mod backgammon;
mod connect_four;

use crate::protocol::OutcomeInfo;
use crate::protocol::{GameBoard, GameMove, GameOutcome, GamePlayer, GamePosition, GameTarget};
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::players::{MatchGame, Player};
use vivarium_lab::error::LabError;
use vivarium_lab::info::PresetInfo;

/// Position that the user has set up by its ID or its checkers.
pub(crate) struct EnteredPosition<G> {
    /// State of the game: a chance node (a roll is due) or a decision.
    pub(crate) state: G,
    /// Moves that lead to the position, for games whose ID is a list of moves; see [`TableGame::id`].
    pub(crate) line: String,
    /// Notice about parts of the entered ID that are ignored.
    pub(crate) notice: Option<String>,
}

/// Board game that users and networks can play at the table.
pub(crate) trait TableGame: SelfPlayGame + MatchGame {
    /// Turn in progress of a human player: the moves made so far.
    type Turn: Clone + Send;

    /// Display title of the game, such as "Backgammon".
    const TITLE: &'static str;
    /// Summary of the game in one or two sentences.
    const SUMMARY: &'static str;
    /// Unit of equities, such as "points".
    const EQUITY_UNIT: &'static str;
    /// Upper bound of the mean number of branches per search-tree node, which determines the memory of a search tree.
    const TYPICAL_BRANCHES: usize;
    /// Whether a human player has to confirm a complete turn before it ends.
    const CONFIRMS: bool;
    /// Name of the metric of the wins against the strongest reference player.
    const HARDEST_WINS: &'static str;

    /// Returns the presets of the config as changes of the default config; the first one is the default.
    fn presets() -> Vec<PresetInfo>;

    /// Returns the outcomes that the value heads predict.
    fn outcomes() -> Vec<OutcomeInfo>;

    /// Returns the reference players of the ladder with their names in metrics, weakest first.
    fn opponents() -> Vec<(&'static str, GamePlayer)>;

    /// Creates an instance of a reference player; `None` for human and network players.
    fn opponent(player: GamePlayer) -> Option<Box<dyn Player<Self>>>;

    /// Returns the initial state of game number `game` of the table, before the opening roll. `first` is the requested
    /// first seat; `None` lets the rules decide.
    fn initial_state(first: Option<u8>, game: u32) -> Self;

    /// Returns the random dice of turn `turn` of game `game`, which depend only on the state and the arguments; `None`
    /// if no roll is due. `seed` is the seed of the dice, `first` the requested first seat.
    fn scheduled_dice(&self, seed: u64, game: u32, turn: u32, first: Option<u8>) -> Option<[u8; 2]>;

    /// Returns the state after `dice` are rolled at a chance node. `first` is the requested first seat, for the opening
    /// roll.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for invalid dice, or if no roll is due.
    fn rolled(&self, dice: [u8; 2], first: Option<u8>) -> Result<Self, LabError>;

    /// Returns the roll that the player to move has to play; `None` before the roll and in Connect Four.
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

    /// Returns the ID of the position, in the format of [`GameTable::id`](crate::protocol::GameTable::id). `line` is
    /// the move list of the game so far.
    fn id(&self, line: &str) -> String;

    /// Returns the move list `line` extended by `moves`, for games whose ID is a list of moves.
    fn extended(line: &str, moves: &[GameMove]) -> String;

    /// Returns the board, including the moves of a turn in progress.
    fn board(&self, turn: Option<&Self::Turn>) -> GameBoard;

    /// Appends the board to `to`, in the format of a row of the frame array `thumbnails/boards`.
    fn write_board(&self, to: &mut Vec<u8>);

    /// Returns the outcome of the game; `None` if the game is not over.
    fn outcome(&self) -> Option<GameOutcome>;

    /// Returns the moves of one turn and their notation. `branches` are the turn's decisions, made in order from this
    /// state.
    fn notation(&self, branches: &[usize]) -> (Vec<GameMove>, String);

    /// Returns the notation of the roll of a chance node's branch, such as `3-1`.
    fn roll_notation(branch: usize) -> String;

    /// Starts a human player's turn in this state. The turn has no moves yet.
    fn begin_turn(&self) -> Self::Turn;

    /// Returns the dice of a human player's turn that have not been played, higher die first.
    fn dice_left(turn: &Self::Turn) -> Vec<u8>;

    /// Returns the legal moves with which a human player's turn can continue: sources and destinations.
    fn targets(&self, turn: &Self::Turn) -> Vec<GameTarget>;

    /// Returns a human player's turn extended by a move from `from` to `to`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the move is illegal.
    fn moved(&self, turn: &Self::Turn, from: u8, to: u8) -> Result<Self::Turn, LabError>;

    /// Returns a human player's turn without its last move; `None` if no move was made.
    fn undone(turn: &Self::Turn) -> Option<Self::Turn>;

    /// Returns the moves made so far in a human player's turn.
    fn made(turn: &Self::Turn) -> Vec<GameMove>;

    /// Returns the state after a human player's turn and the notation of the turn; `None` if the turn is not complete.
    fn completed(&self, turn: &Self::Turn) -> Option<(Self, String)>;

    /// Returns the maximum points that a seat can still lose, which limits resignations.
    fn max_loss(&self, seat: u8) -> u32;
}

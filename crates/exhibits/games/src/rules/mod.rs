//! Interface between the rules of a game and the table (the game that a user plays or analyzes): display, notation and
//! interactive turns.

mod backgammon;
mod connect_four;

pub(crate) use backgammon::{game_moves, win_name};

use crate::protocol::OutcomeInfo;
use crate::protocol::{GameBoard, GameMove, GameOutcome, GamePlayer, GamePosition, GameTarget};
use vivarium_agents::alphazero::{MAX_HEADS, SelfPlayGame};
use vivarium_agents::players::{MatchGame, Player};
use vivarium_envs::backgammon::Match;
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, DoublingContext, DoublingDecision, EquityContext};
use vivarium_lab::error::LabError;
use vivarium_lab::info::PresetInfo;

/// Position that the user has set up by its ID or its checkers.
pub(crate) struct EnteredPosition<G> {
    /// State of the game: a chance node (a roll is due) or a decision node.
    pub(crate) state: G,
    /// Moves that lead to the position, for games whose ID is a list of moves; see [`TableGame::id`].
    pub(crate) move_list: String,
    /// Notice about parts of the entered ID that are ignored.
    pub(crate) notice: Option<String>,
    /// Match or money game, with doubling cube and score, that the entered ID contains; `None` if there is none.
    pub(crate) match_state: Option<Match>,
    /// Whether the entered ID states that the game has a doubling cube. Of match IDs, only some do: cubeless games have the match ID
    /// of a money game with the doubling cube in the center.
    pub(crate) has_doubling_cube: bool,
}

/// Board game that a user can play or analyze, with humans, networks or reference players on its two seats.
pub(crate) trait TableGame: SelfPlayGame + MatchGame {
    /// Turn in progress of a human player: the moves made so far.
    type Turn: Clone + Send;

    /// Display title of the game, such as "Backgammon".
    const TITLE: &'static str;
    /// Summary of the game in one or two sentences.
    const SUMMARY: &'static str;
    /// Unit of equities, such as "points".
    const EQUITY_UNIT: &'static str;
    /// Upper bound of the mean number of branches per node of a search tree. Determines the memory that a tree
    /// allocates.
    const TYPICAL_BRANCHES: usize;
    /// Whether a human player has to confirm a complete turn before it ends.
    const CONFIRMS: bool;
    /// Whether the game can be played with the doubling cube.
    const HAS_DOUBLING_CUBE: bool;
    /// Whether plays are ranked by equity. Otherwise by visits, as the computer chooses: without dice, the search visits
    /// weak plays so rarely that their mean values say little.
    const RANKS_BY_EQUITY: bool;
    /// Name of the metric with the share of games won against the strongest reference player.
    const HARDEST_WINS: &'static str;

    /// Returns the presets, each as differences from the default config. The first preset is the default config.
    fn presets() -> Vec<PresetInfo>;

    /// Returns the outcomes of a game, such as a gammon, whose probabilities the value heads of the network predict.
    fn outcomes() -> Vec<OutcomeInfo>;

    /// Returns the reference players of the ladder with their names in metrics, in ascending order of strength.
    fn opponents() -> Vec<(&'static str, GamePlayer)>;

    /// Creates an instance of a reference player; `None` for human and network players.
    fn opponent(player: GamePlayer) -> Option<Box<dyn Player<Self>>>;

    /// Returns the initial state of the user's game with the number `game`, before the opening roll. `first` is the
    /// requested first seat; `None` lets the rules decide.
    fn initial_state(first: Option<u8>, game: u32) -> Self;

    /// Returns the random dice of turn `turn` of game number `game`; `None` if no roll is due. `seed` is the seed of
    /// the dice, `first` the requested first seat. Equal arguments give equal dice.
    fn scheduled_dice(&self, seed: u64, game: u32, turn: u32, first: Option<u8>) -> Option<[u8; 2]>;

    /// Returns the state after the roll `dice` at a chance node. `first` is the requested first seat, which only an
    /// opening roll uses.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for invalid dice, or if no roll is due.
    fn rolled(&self, dice: [u8; 2], first: Option<u8>) -> Result<Self, LabError>;

    /// Returns the roll that the player to move has to play; `None` before the roll and in Connect Four.
    fn dice(&self) -> Option<[u8; 2]>;

    /// Parses a position that the user has entered. `seat` is the seat to move and `dice` its roll; if `None`, an ID
    /// determines them.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the position is invalid.
    fn parse_position(
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<EnteredPosition<Self>, LabError>;

    /// Returns the ID of the position, in the format of [`GameTable::id`](crate::protocol::GameTable::id). `move_list` is
    /// the move list of the game so far, `match_state` the doubling cube and the score (`None`: cubeless).
    fn id(&self, move_list: &str, match_state: Option<&Match>) -> String;

    /// Returns the move list `move_list` with `moves` appended; an empty list in games whose position ID contains no
    /// moves.
    fn extended(move_list: &str, moves: &[GameMove]) -> String;

    /// Returns the board for display, including the moves of the turn in progress `turn`.
    fn board(&self, turn: Option<&Self::Turn>) -> GameBoard;

    /// Appends the board to `to`, in the format of a row of the frame array `thumbnails/boards`.
    fn write_board(&self, to: &mut Vec<u8>);

    /// Returns the outcome of the game; `None` if the game is not over.
    fn outcome(&self) -> Option<GameOutcome>;

    /// Returns the outcome probabilities before the roll: of a table if there is one, otherwise the `estimated` ones of a network.
    fn probabilities_before_roll(&self, estimated: [f32; MAX_HEADS]) -> [f32; MAX_HEADS] {
        estimated
    }

    /// Returns the doubling decision before the roll, from the cubeless `probabilities`.
    fn doubling_decision(
        &self,
        probabilities: [f32; MAX_HEADS],
        context: &DoublingContext,
    ) -> DoublingDecision {
        DoublingDecision::new(probabilities, context, CUBE_LIFE)
    }

    /// Returns the equity of a play that leads to this state, at the score and with the doubling cube. `probabilities` are the
    /// network's outcome probabilities of the player who makes the play, `context` is that of the same player.
    fn equity_after_play(&self, probabilities: &[f32], _context: EquityContext<'_>) -> f32 {
        Self::equity(probabilities)
    }

    /// Changes outcome probabilities so that their cubeless equity is the result `equity` of a search.
    fn adjust_to_equity(probabilities: &mut [f32], equity: f32) {
        Self::set_equity(probabilities, equity);
    }

    /// Returns the checker moves or the dropped stone of one turn, and the notation of the turn. `branches` contains
    /// the index of the chosen action for each decision of the turn, starting in this state.
    fn notation(&self, branches: &[usize]) -> (Vec<GameMove>, String);

    /// Returns the notation, such as `3-1`, of the roll that branch `branch` of a chance node stands for.
    fn roll_notation(branch: usize) -> String;

    /// Starts a human player's turn in this state, with no moves made.
    fn begin_turn(&self) -> Self::Turn;

    /// Returns the dice of a human player's turn that have not been played, higher die first.
    fn dice_left(turn: &Self::Turn) -> Vec<u8>;

    /// Returns the legal next moves of a human player's turn, each with source and destination.
    fn targets(&self, turn: &Self::Turn) -> Vec<GameTarget>;

    /// Returns the turn `turn` of a human player with a move from `from` to `to` appended.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the move is illegal.
    fn moved(&self, turn: &Self::Turn, from: u8, to: u8) -> Result<Self::Turn, LabError>;

    /// Returns the turn `turn` of a human player without its last move; `None` if no move was made.
    fn undone(turn: &Self::Turn) -> Option<Self::Turn>;

    /// Returns the moves made so far in the turn `turn` of a human player.
    fn made(turn: &Self::Turn) -> Vec<GameMove>;

    /// Returns the state after the turn `turn` of a human player, and the notation of the turn; `None` if dice are left
    /// to play.
    fn completed(&self, turn: &Self::Turn) -> Option<(Self, String)>;

    /// Returns the maximum points that `seat` can still lose, which limits the points of a resignation.
    fn max_loss(&self, seat: u8) -> u32;
}

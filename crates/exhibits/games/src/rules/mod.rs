//! What a table needs of a game beside its rules: how it looks, how it is written, how a person moves in it.

mod backgammon;
mod connect_four;

use crate::protocol::OutcomeInfo;
use crate::protocol::{GameBoard, GameMove, GameOutcome, GamePlayer, GamePosition, GameTarget};
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::players::{MatchGame, Player};
use vivarium_lab::error::LabError;

/// A position that a person entered.
pub(crate) struct EnteredPosition<G> {
    /// The state: dice are next, or a player decides.
    pub(crate) state: G,
    /// What was entered, as the line of moves that is shown for it; see [`TableGame::id`].
    pub(crate) line: String,
    /// What of it is left out.
    pub(crate) notice: Option<String>,
}

/// A game that can be put on a table.
pub(crate) trait TableGame: SelfPlayGame + MatchGame {
    /// A person's turn under way.
    type Turn: Clone + Send;

    /// For a person, such as "Backgammon".
    const TITLE: &'static str;
    /// What happens here and what is hard about it.
    const SUMMARY: &'static str;
    /// What equities are counted in.
    const EQUITY_UNIT: &'static str;
    /// The branches that a state has on average, generously: how much memory a search takes.
    const USUAL_BRANCHES: usize;
    /// Whether a person hands over a turn that is complete; otherwise that happens by itself.
    const CONFIRMS: bool;

    /// What the value heads predict.
    fn outcomes() -> Vec<OutcomeInfo>;

    /// Those who play without having learned it, from the weakest: name, as in a metric's, and who it is.
    fn opponents() -> Vec<(&'static str, GamePlayer)>;

    /// One of those; `None` for anybody else.
    fn opponent(player: GamePlayer) -> Option<Box<dyn Player<Self>>>;

    /// The state in which the game of this number begins, and the dice with which it does; the dice of an opening are
    /// not rolled yet.
    fn first(first: Option<u8>, game: u32) -> Self;

    /// What the dice show when they fall, in the turn of this number of this game.
    fn fallen(&self, seed: u64, game: u32, turn: u32, first: Option<u8>) -> Option<[u8; 2]>;

    /// The state after these dice, where dice are next.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for dice that do not exist or cannot come now.
    fn rolled(&self, dice: [u8; 2], first: Option<u8>) -> Result<Self, LabError>;

    /// The roll that is to be played.
    fn dice(&self) -> Option<[u8; 2]>;

    /// The position that a person means, and whose turn it is.
    ///
    /// # Errors
    /// [`LabError::Invalid`] saying what is wrong with it.
    fn entered(
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<EnteredPosition<Self>, LabError>;

    /// The position as others read it; `line` is that of the moves so far.
    fn id(&self, line: &str) -> String;

    /// The line of moves after these.
    fn extended(line: &str, moves: &[GameMove]) -> String;

    /// How the board looks, with the moves of a turn under way.
    fn board(&self, turn: Option<&Self::Turn>) -> GameBoard;

    /// The board as bytes for the wall.
    fn write_board(&self, to: &mut Vec<u8>);

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<GameOutcome>;

    /// The moves that a way of branches makes, and how they are written.
    fn written(&self, branches: &[usize]) -> (Vec<GameMove>, String);

    /// A branch of chance as it is written, such as `3-1`.
    fn chance_written(branch: usize) -> String;

    /// A person's turn before its first move.
    fn turn_begun(&self) -> Self::Turn;

    /// The dice that are left in it.
    fn dice_left(turn: &Self::Turn) -> Vec<u8>;

    /// Where a person may move.
    fn targets(&self, turn: &Self::Turn) -> Vec<GameTarget>;

    /// The turn with one more move, as one of the targets says.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if there is no such target.
    fn moved(&self, turn: &Self::Turn, from: u8, to: u8) -> Result<Self::Turn, LabError>;

    /// The turn without its last move; `None` where there is none.
    fn undone(turn: &Self::Turn) -> Option<Self::Turn>;

    /// The moves made so far.
    fn made(turn: &Self::Turn) -> Vec<GameMove>;

    /// The state after a turn that is complete, and how it is written.
    fn completed(&self, turn: &Self::Turn) -> Option<(Self, String)>;

    /// The most points that a seat can still lose: no resignation costs more.
    fn max_loss(&self, seat: u8) -> u32;
}

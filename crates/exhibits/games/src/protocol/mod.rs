//! What a person and an experiment of board games say to each other: a table to play at, what a search thinks of it,
//! matches, and how training goes.
//!
//! Seats are numbered 0 and 1; seat 0 is called White and seat 1 Black. In Connect Four too.
//!
//! Backgammon counts places as each player sees them: 0 is off, 1 to 24 are the points from the player's own ace point on,
//! 25 is the bar. A place p from 1 to 24 is the other player's 25 − p. Connect Four counts columns from 0, from the left,
//! and rows from 0, from the bottom.
//!
//! Equities are in points of the game: −3 to 3 in backgammon, cubeless and for money, −1 to 1 in Connect Four.
//!
//! The documents of a frame are [`GameDocuments`]. Its arrays, where `n` games of self-play are shown:
//!
//! | array | type, shape | what |
//! | --- | --- | --- |
//! | `wall/boards` | bytes; n, 52 or 42 | backgammon: the checkers of seat 0 at its 26 places and of seat 1 at its; Connect Four: cells as in [`GameBoard`] |
//! | `wall/dice` | bytes; n, 2 | the roll that is played, 0 before it; in Connect Four always |
//! | `wall/seats` | bytes; n | whose move it is |
//! | `wall/equity` | n | what the search thinks of it for seat 0, as a share of the most that can be won, −1 to 1 |
//!
//! [`GameView::documents`] says when documents come. Thinking goes on in every frame and in every slice of training, a few
//! milliseconds at a time, whether training is paused or not.

mod analysis;
mod command;
mod evaluation;
mod info;
mod matches;
mod player;
mod table;
mod view;

pub use analysis::{GameAnalysis, GameCandidate, GameNode, GameTree, NodeKind};
pub use command::GameCommand;
pub use evaluation::GamesEvaluation;
pub use info::{GameInfo, OutcomeInfo};
pub use matches::{GameMatch, GameRun, LadderRow, PlayerChoice};
pub use player::GamePlayer;
pub use table::{
    DiceMode, GameBoard, GameMove, GameOutcome, GamePosition, GameStage, GameTable, GameTarget, GameTurn,
};
pub use view::{GameDocuments, GameView, TreeRequest};

//! Protocol of board-game experiments: the table, analysis of decisions, matches and the training status.
//!
//! The *table* is the game that a user plays or analyzes. The game has two seats, 0 (White) and 1 (Black), also in
//! Connect Four; a human, a network or a reference player plays each seat.
//!
//! In backgammon, each player has a separate numbering of the 26 positions of a checker: 0 is off the board, 1 to 24 are
//! the points starting with the player's ace point, 25 is the bar. A player's point p is the opponent's point 25 − p.
//! In Connect Four, columns are numbered from 0 at the left, rows from 0 at the bottom.
//!
//! Equities are in points: −3 to 3 in backgammon (cubeless money play), −1 to 1 in Connect Four. With a match or money session,
//! the equities of plays and of a [`DoublingReport`] include the doubling cube and the match score; see
//! [`GameCandidate::equity`].
//!
//! A frame contains the JSON documents [`GameDocuments`] and the following arrays, for thumbnails (small boards) of `n`
//! self-play games:
//!
//! | array | type, shape | content |
//! | --- | --- | --- |
//! | `thumbnails/boards` | bytes; n, 52 or 42 | backgammon: number of checkers at positions 0 to 25, of seat 0 and then of seat 1; Connect Four: cells as in [`GameBoard`] |
//! | `thumbnails/dice` | bytes; n, 2 | roll to play, 0 before the roll and in Connect Four |
//! | `thumbnails/seats` | bytes; n | seat to move |
//! | `thumbnails/equity` | floats; n | network's equity estimate for seat 0, divided by [`GameInfo::most_equity`], −1 to 1 |
//!
//! [`GameView::documents`] defines when documents are sent. Each frame runs the search at the table for a few
//! milliseconds, also while training is paused.

mod analysis;
mod analyzed_match;
mod command;
mod doubling;
mod evaluation;
mod info;
mod matches;
mod played_match;
mod player;
mod rolled_position;
mod table;
mod view;

pub use analysis::{GameAnalysis, GameCandidate, GameNode, GameTree, NodeKind};
pub use analyzed_match::{
    AnalyzedAction, AnalyzedCandidate, AnalyzedDoubling, AnalyzedGame, AnalyzedKind, AnalyzedMatch,
    AnalyzedResult, AnalyzedStep, AnalyzedTotal, AnalyzedWin,
};
pub use command::GameCommand;
pub use doubling::{DoublingChoice, DoublingReport, GameDoubling};
pub use evaluation::GamesEvaluation;
pub use info::{GameInfo, OutcomeInfo};
pub use matches::{GameMatch, GameRun, LadderRow, PlayerChoice};
pub use played_match::{PlayedDouble, PlayedGame, PlayedMatch};
pub use player::GamePlayer;
pub use rolled_position::{RolledDoubling, RolledEquity, RolledPlay, RolledPosition};
pub use table::{
    DiceMode, GameBoard, GameMove, GameOutcome, GamePosition, GameStage, GameTable, GameTarget, GameTurn,
};
pub use view::{GameDocuments, GameView, TreeRequest};

/// Declares the TypeScript types of the views, frames, commands and match records of board games.
#[cfg(feature = "typescript")]
pub fn declare(types: &mut vivarium_lab::typescript::TypeDeclarations) {
    types.family::<GameView, GameDocuments, GameCommand, GamesEvaluation, GameInfo>();
    types.declare::<PlayedMatch>();
    types.declare::<AnalyzedMatch>();
    types.declare::<RolledPosition>();
    types.declare::<AnalyzedStep>();
}

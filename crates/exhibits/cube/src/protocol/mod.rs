//! Protocol of the cube experiments: an interactive cube with the network's move values and solvers, training
//! progress, and exhaustive evaluations of the 2×2×2 cube.
//!
//! Turns are in standard notation: `R`, `R'`, `R2`. The 2×2×2 cube turns only U, R and F, as the down-back-left
//! corner is fixed. Stickers are the letters `URFDLB` of the faces whose colors they have: four or nine of U, R, F,
//! D, L and B each, row by row. Each face is viewed from outside with U on top (B on top for U, F on top for D).
//!
//! The documents of a frame are [`CubeDocuments`]. Arrays:
//!
//! | array | type, shape | content |
//! | --- | --- | --- |
//! | `map/counts` | 15, bins | 2×2×2: number of states by distance and angle bin |
//! | `map/solved` | 15, bins | fraction of the evaluated states that are solved; −1 if none is evaluated |
//! | `map/path` | n, 2 | distance and angle (0 to 1) of the states of the history, then of the states on the greedy path of the network |
//! | `map/ahead` | 1 | number of rows of `map/path` with states of the history; the rows after them are the greedy path |
//! | `thumbnails/stickers` | bytes; n, 24 or 54 | 2×2×2: states of the training environments. 3×3×3: the beam of the current search. Each sticker is an index into `URFDLB` |
//!
//! The map shows all states of the 2×2×2 cube. The radius is the distance from the solved state in quarter turns. The
//! angle is the position in a spanning tree of optimal moves, in which the parent of a state is its successor under
//! its first optimal move; the descendants of a state lie within its arc, so optimal solutions are nearly straight
//! lines to the center. The layout is computed over the first frames that request the map; `map/counts` is sent when
//! the layout is complete.
//!
//! [`CubeView::documents`] defines when documents are sent. The interactive cube is updated in every frame, even
//! while training is paused.

mod command;
mod evaluation;
mod exhaustive;
mod info;
mod run;
mod table;
mod view;

pub use command::CubeCommand;
pub use evaluation::CubeEvaluation;
pub use exhaustive::{CubeCycle, CubeDepth, CubeEvaluationRow, CubeExhaustiveEvaluation};
pub use info::CubeInfo;
pub use run::{CubeLevel, CubeRun, CubeTest};
pub use table::{CubeActor, CubeMove, CubePlayer, CubeSolver, CubeSolving, CubeStatus, CubeTable, CubeValue};
pub use view::{CubeDocuments, CubeView};

/// Declares the TypeScript types of the views, frames and commands of cube experiments.
#[cfg(feature = "typescript")]
pub fn declare(types: &mut vivarium_lab::typescript::TypeDeclarations) {
    types.family::<CubeView, CubeDocuments, CubeCommand, CubeEvaluation, CubeInfo>();
}

//! What a person and a cube that is learned to be solved say to each other: a cube on a table, what the network thinks of
//! it, how it is solved, and for the cube of 2×2×2 an evaluation in all of its states.
//!
//! Turns are written as people write them: `R`, `R'`, `R2`. The cube of 2×2×2 turns U, R and F alone, as the corner at the
//! bottom, back and left stays where it is. Stickers are listed as the letters `URFDLB` of the faces whose colors they
//! have: four or nine of U, R, F, D, L and B each, row by row, a face seen from outside with U (for U: B; for D: F) on top.
//!
//! The documents of a frame are [`CubeDocuments`]. Its arrays:
//!
//! | array | type, shape | what |
//! | --- | --- | --- |
//! | `map/counts` | 15, bins | 2×2×2: how many states there are at each distance and in each bin of angle |
//! | `map/solved` | 15, bins | the share of them that the network solves, of those that the evaluation knows of; −1 where it knows of none |
//! | `map/path` | n, 2 | the states of the history and then those that the network would come through from the last of them: distance, and angle from 0 to 1 |
//! | `map/ahead` | 1 | how many rows of `map/path` are of the history |
//! | `wall/stickers` | bytes; n, 24 or 54 | 2×2×2: cubes that are learned from, 3×3×3: the likeliest ways of the search under way; each sticker as its place among `URFDLB` |
//!
//! The map is of all states of the cube of 2×2×2: rings are distances from the solved state in quarter turns, and angles are
//! places in a tree in which each state hangs on the one that its first best move leads to. All that hangs on a state lies
//! within its arc, so that the solver's way to the center is as straight as can be. It is laid out in the first frames that
//! ask for it, and comes when it is ready; `map/counts` comes with the first frame of a view that asks for the map.
//!
//! [`CubeView::documents`] says when documents come. What happens at the table goes on in every frame, whether training is
//! paused or not.

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

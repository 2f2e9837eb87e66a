//! What a person may do.

use super::{CubePlayer, CubeSolver};
use serde::{Deserialize, Serialize};

/// What a person may do with the cube on the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CubeCommand {
    /// Has a computer play at once what it thinks best so far, or make the next move of a cube's solution, whatever the
    /// pace.
    MoveNow,
    /// How long computers hold back what they have decided, and how long each move of a cube's solution takes.
    SetPace {
        /// 0 to 60; `None`: until [`CubeCommand::MoveNow`].
        seconds: Option<f32>,
    },
    /// Makes a file of the best network so far (of cubes the newest), without what only training needs.
    ExportPlayer,
    /// Turns a face of the cube on the table. What was taken back before is forgotten.
    Turn {
        /// One of [`CubeInfo::all_turns`](super::CubeInfo::all_turns), such as `R'`.
        turn: String,
    },
    /// Makes turns as people write them: `R U2 F'`. All or none.
    Apply {
        /// At most 1,000 turns.
        turns: String,
    },
    /// Takes turns back, or makes those again that were taken back, until so many of the history are made.
    CubeStep {
        /// From 0, where the history began, to its length.
        to: u32,
    },
    /// Scrambles the cube on the table.
    Scramble {
        /// Random turns, 1 up to [`CubeInfo::largest_scramble`](super::CubeInfo::largest_scramble); `None`: another
        /// cube is put on the table, in any state, each as likely as the others.
        moves: Option<u32>,
    },
    /// Puts a cube on the table that is given by its stickers.
    SetCube {
        /// 24 or 54 letters of `URFDLB`, in the order of [`CubeTable::stickers`](super::CubeTable::stickers); those
        /// of colors (`WRGYOB`) will do, and blanks do no harm. The cube may be held in any way.
        stickers: String,
    },
    /// Puts a solved cube on the table.
    ResetCube,
    /// Has the cube on the table solved, from where it stands.
    Solve {
        /// By whom.
        by: CubeSolver,
    },
    /// Ends that. The moves that were made stay.
    StopSolving,
    /// Which network looks at the cube on the table, solves it and is evaluated.
    SetPlayer {
        /// Whose.
        player: CubePlayer,
    },
    /// Whether evaluations in all states go on beside training, one after another; at first they do not. When training rests, one
    /// is brought to its end.
    SetEvaluation {
        /// Whether they do.
        on: bool,
    },
}

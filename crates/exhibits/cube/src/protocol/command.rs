//! Commands to a cube experiment.

use super::{CubeActor, CubePlayer, CubeSolver};
use serde::{Deserialize, Serialize};

/// Commands to the interactive cube and its solvers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CubeCommand {
    /// Applies the next move of the displayed solution to the cube at once, without the playback delay.
    MoveNow,
    /// Sets the playback delay with which the moves of a solution are displayed.
    SetPace {
        /// Delay in seconds per move, 0 to 60; `None` waits for [`CubeCommand::MoveNow`].
        seconds: Option<f32>,
    },
    /// Exports the newest network as a file, without the state that only training needs.
    ExportPlayer,
    /// Turns a face of the cube and discards undone turns.
    Turn {
        /// Turn to apply, in standard notation, such as `R'`; one of
        /// [`CubeInfo::all_turns`](super::CubeInfo::all_turns).
        turn: String,
    },
    /// Applies moves in standard notation, such as `R U2 F'`, to the layers that the user sees. If a move is invalid, applies
    /// no move.
    Apply {
        /// Face turns, wide turns, slice turns, rotations, commutators and conjugates: at most 1,000 moves. A comment after `//`
        /// names the moves of its line.
        turns: String,
        /// Originator of the turns in the history: [`CubeActor::Scramble`] for turns that set up a scramble. Default:
        /// [`CubeActor::Person`].
        #[serde(default)]
        by: CubeActor,
    },
    /// Undoes or redoes turns until `to` turns of the history are applied.
    CubeStep {
        /// Number of turns of the history to apply, from 0 (initial state) to the length of the history.
        to: u32,
    },
    /// Rotates the whole cube to the standard orientation, and scrambles the cube by random turns.
    Scramble {
        /// Number of random turns, 1 to [`CubeInfo::largest_scramble`](super::CubeInfo::largest_scramble). `None`
        /// replaces the cube by a state drawn uniformly at random.
        moves: Option<u32>,
    },
    /// Replaces the interactive cube by a cube with the given sticker colors.
    SetCube {
        /// 24 or 54 letters of `URFDLB` (faces) or `WRGYOB` (colors), in the order of
        /// [`CubeTable::stickers`](super::CubeTable::stickers); blanks are ignored. The cube may be held in any
        /// orientation.
        stickers: String,
    },
    /// Replaces the interactive cube by a solved cube in the standard orientation.
    ResetCube,
    /// Starts the search for a solution of the interactive cube's current state, whose moves are then applied one by
    /// one.
    Solve {
        /// Solver to use: greedy policy, beam search or optimal solver.
        by: CubeSolver,
    },
    /// Applies the moves of a solution of the two-phase solver one by one. The solution is computed outside of the
    /// experiment.
    PlaySolution {
        /// Turns in standard notation, of the faces that the user sees, that solve the interactive cube's current state.
        turns: String,
    },
    /// Stops the search for a solution, or the playback of its moves. Moves that are already applied stay applied.
    StopSolving,
    /// Selects the network that computes the move values, solves the cube, and is evaluated in the background.
    SetPlayer {
        /// Network to select: the network in training or the opened network.
        player: CubePlayer,
    },
    /// Switches evaluations of all 2×2×2 states during training on or off (initially off). While training is paused, a
    /// completed evaluation of the selected network is not repeated.
    SetEvaluation {
        /// Whether evaluations of all states run during training.
        on: bool,
    },
}

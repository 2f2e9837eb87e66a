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
    /// Applies a sequence of turns in standard notation, such as `R U2 F'`. If a turn is invalid, applies no turn.
    Apply {
        /// Face turns separated by spaces, at most 1,000.
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
    /// Scrambles the interactive cube by random turns.
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
    /// Replaces the interactive cube by a solved cube.
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
        /// Turns in standard notation that solve the interactive cube's current state.
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

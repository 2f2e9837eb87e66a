//! What becomes of all states of the cube of 2×2×2 in the hands of a network.

use super::CubePlayer;
use serde::{Deserialize, Serialize};

/// The document `exhaustive`: a network is asked for its move in each of the 3,674,160 states, those nearest to the solved one
/// first, and its moves are followed. It goes on beside training, with the weights that there were when it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeExhaustiveEvaluation {
    /// Whether it is under way; otherwise this is what it came to.
    pub running: bool,
    /// Whose evaluation it is.
    pub player: CubePlayer,
    /// Gradient steps of that network; 0 for one that was opened.
    pub updates: u64,
    /// Samples that it had learned from; 0 for one that was opened.
    pub samples: u64,
    /// The share of states of which it is known what becomes of them, 0 to 1.
    pub done: f64,
    /// The share of those that are solved; `None` before there are any.
    pub solved: Option<f64>,
    /// Moves that a solution has on average beyond the fewest; `None` before there is any.
    pub mean_excess: Option<f64>,
    /// By distance from the solved state, from 0 on.
    pub depths: Vec<CubeDepth>,
    /// Cycles in which states end that are never solved, the shortest first; the 64 shortest lengths.
    pub cycles: Vec<CubeCycle>,
    /// Finished evaluations of the network that learns, the oldest first.
    pub finished: Vec<CubeEvaluationRow>,
}

/// The states at one distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeDepth {
    /// In quarter turns.
    pub distance: u32,
    /// States that there are.
    pub states: u64,
    /// Of them, those of which it is known what becomes of them.
    pub known: u64,
    /// Of them, those that are solved.
    pub solved: u64,
    /// Moves that a solution has on average beyond the fewest; `None` where none is solved.
    pub mean_excess: Option<f64>,
}

/// Cycles of one length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeCycle {
    /// In moves.
    pub length: u32,
    /// How many there are.
    pub count: u64,
    /// States that end in one of them, their own included.
    pub states: u64,
}

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeEvaluationRow {
    /// Samples that the network had learned from.
    pub samples: u64,
    /// Its gradient steps.
    pub updates: u64,
    /// The share of all states that it solves.
    pub solved: f64,
    /// Moves that a solution has on average beyond the fewest; `None` where there is none.
    pub mean_excess: Option<f64>,
}

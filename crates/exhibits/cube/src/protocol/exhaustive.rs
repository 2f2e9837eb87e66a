//! Exhaustive evaluation of a network on the 2×2×2 cube.

use super::CubePlayer;
use serde::{Deserialize, Serialize};

/// JSON document `exhaustive`: result of following the greedy policy from each of the 3,674,160 states of the 2×2×2
/// cube, in ascending order of their distance from the solved state. The evaluation runs in the background of training,
/// with the weights at its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeExhaustiveEvaluation {
    /// Whether the evaluation is in progress.
    pub running: bool,
    /// Network whose greedy policy is evaluated.
    pub player: CubePlayer,
    /// Number of gradient steps of the evaluated network; 0 for an opened network.
    pub updates: u64,
    /// Number of samples that the network was trained on; 0 for an opened network.
    pub samples: u64,
    /// Fraction of states that the evaluation has classified as solved or unsolved.
    pub done: f64,
    /// Fraction of solved states among the classified states; `None` if no state is classified.
    pub solved: Option<f64>,
    /// Mean number of moves beyond the optimum; `None` if no state is solved.
    pub mean_excess: Option<f64>,
    /// Evaluation results by distance from the solved state, starting with distance 0.
    pub depths: Vec<CubeDepth>,
    /// Cycles in which unsolved states end: the 64 shortest lengths, shortest first.
    pub cycles: Vec<CubeCycle>,
    /// Completed evaluations of the network in training, oldest first.
    pub finished: Vec<CubeEvaluationRow>,
}

/// Evaluation results for the states at one distance from the solved state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeDepth {
    /// Distance from the solved state in quarter turns.
    pub distance: u32,
    /// Number of cube states at this distance from the solved state.
    pub states: u64,
    /// Number of states at this distance that the evaluation has classified as solved or unsolved.
    pub known: u64,
    /// Number of states at this distance that the greedy policy solves.
    pub solved: u64,
    /// Mean number of moves beyond the optimum; `None` if no state is solved.
    pub mean_excess: Option<f64>,
}

/// Cycles of one length in which the greedy policy ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeCycle {
    /// Length of the cycles, in moves.
    pub length: u32,
    /// Number of cycles of this length.
    pub count: u64,
    /// Number of states from which the policy ends in one of these cycles, including the states of the cycles.
    pub states: u64,
}

/// Result of a completed exhaustive evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeEvaluationRow {
    /// Number of samples that the network was trained on.
    pub samples: u64,
    /// Number of gradient steps of the network.
    pub updates: u64,
    /// Fraction of all states that the greedy policy solves.
    pub solved: f64,
    /// Mean number of moves beyond the optimum; `None` if no state is solved.
    pub mean_excess: Option<f64>,
}

//! Exhaustive evaluation of a network on the 2×2×2 cube.

use super::CubePlayer;
use serde::{Deserialize, Serialize};

/// JSON document `exhaustive`: result of following the greedy policy from each of the 3,674,160 states of the 2×2×2
/// cube, in ascending order of their distance from the solved state. The evaluation runs in the background of training,
/// with the weights at its start. All results are of one evaluation: the last completed one, or else the evaluation in
/// progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeExhaustiveEvaluation {
    /// Whether the evaluation of all states is in progress.
    pub running: bool,
    /// Network whose greedy policy is evaluated: the network in training or the opened network.
    pub player: CubePlayer,
    /// Whether the results are of a completed evaluation.
    pub complete: bool,
    /// Number of gradient steps with which the evaluated network was trained; 0 for an opened network.
    pub updates: u64,
    /// Number of samples on which the evaluated network was trained; 0 for an opened network.
    pub samples: u64,
    /// Fraction of all states that the newest evaluation has classified so far: solved or not solved by the greedy
    /// policy. 1 if it is complete.
    pub done: f64,
    /// Fraction of states that the greedy policy solves, among the states classified so far; `None` if no state is
    /// classified.
    pub solved: Option<f64>,
    /// Mean number of moves beyond an optimal solution, over the solved states; `None` if no state is solved.
    pub mean_excess: Option<f64>,
    /// Results for the states at each distance from the solved state, starting with distance 0.
    pub depths: Vec<CubeDepth>,
    /// Cycles of states in which the greedy policy ends if it does not solve the cube, grouped by cycle length: the 64
    /// shortest lengths, shortest first.
    pub cycles: Vec<CubeCycle>,
    /// Results of the completed evaluations of the network in training, oldest first.
    pub finished: Vec<CubeEvaluationRow>,
}

/// Evaluation results for the states at one distance from the solved state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeDepth {
    /// Distance from the solved state in quarter turns.
    pub distance: u32,
    /// Number of cube states at distance `distance` from the solved state.
    pub states: u64,
    /// Number of states at distance `distance` that the evaluation has classified so far: solved or not solved by the
    /// greedy policy.
    pub known: u64,
    /// Number of states at distance `distance` that the greedy policy solves.
    pub solved: u64,
    /// Mean number of moves beyond an optimal solution, over the solved states at distance `distance`; `None` if no
    /// state is solved.
    pub mean_excess: Option<f64>,
}

/// All cycles of one length in which the greedy policy ends. A cycle is a sequence of states that the policy repeats
/// forever without solving the cube.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeCycle {
    /// Length of the cycles: number of moves after which the greedy policy returns to the same state.
    pub length: u32,
    /// Number of different cycles that have the length `length`.
    pub count: u64,
    /// Number of states from which the greedy policy ends in a cycle of length `length`, including the states of the
    /// cycles.
    pub states: u64,
}

/// Result of a completed evaluation of the network in training on all states of the 2×2×2 cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeEvaluationRow {
    /// Number of samples on which the evaluated network was trained.
    pub samples: u64,
    /// Number of gradient steps with which the evaluated network was trained.
    pub updates: u64,
    /// Fraction of all states that the greedy policy solves, 0 to 1.
    pub solved: f64,
    /// Mean number of moves beyond an optimal solution, over the solved states; `None` if no state is solved.
    pub mean_excess: Option<f64>,
}

//! Conversion of exhaustive evaluation results to protocol types.

use crate::protocol::{CubeCycle, CubeDepth};
use vivarium_agents::cube2::{DepthScore, PolicyScore};

/// Maximum number of different cycle lengths in an evaluation result.
const MAX_CYCLES: usize = 64;

/// Returns the results of an exhaustive evaluation for the states at each distance from the solved state, starting with
/// distance 0.
pub(crate) fn depths(score: &PolicyScore) -> Vec<CubeDepth> {
    let depth = |(distance, depth): (u32, &DepthScore)| CubeDepth {
        distance,
        states: depth.states,
        known: depth.known,
        solved: depth.solved,
        mean_excess: (depth.solved > 0).then(|| depth.excess as f64 / depth.solved as f64),
    };
    (0..).zip(&score.depths).map(depth).collect()
}

/// Returns the cycles of states in which the greedy policy ends if it does not solve the cube, grouped by cycle length.
/// The result has the [`MAX_CYCLES`] shortest lengths, shortest first.
pub(crate) fn cycles(score: &PolicyScore) -> Vec<CubeCycle> {
    let cycles = score.cycles.iter().take(MAX_CYCLES);
    cycles.map(|(&length, cycles)| CubeCycle { length, count: cycles.count, states: cycles.states }).collect()
}

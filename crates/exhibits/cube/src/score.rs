//! The score of an exhaustive evaluation as documents have it.

use crate::protocol::{CubeCycle, CubeDepth};
use vivarium_agents::cube2::{DepthScore, PolicyScore};

/// Lengths of cycles that are reported.
const MOST_CYCLES: usize = 64;

/// What became of the states at each distance.
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

/// The shortest cycles.
pub(crate) fn cycles(score: &PolicyScore) -> Vec<CubeCycle> {
    let cycles = score.cycles.iter().take(MOST_CYCLES);
    cycles.map(|(&length, cycles)| CubeCycle { length, count: cycles.count, states: cycles.states }).collect()
}

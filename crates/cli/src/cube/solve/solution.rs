//! Cubes and solutions of `vivarium solve`.

use crate::signals::Signal;
use vivarium_envs::cube::{CubeOrientation, FaceTurn, TurnMetric};

/// Cube of the command line or of a line of standard input.
pub struct GivenCube<C> {
    pub cube: C,
    /// Orientation of the whole cube after the scramble.
    pub orientation: CubeOrientation,
    /// Simplified inverse of the scramble, which solves the cube; `None` with `--stickers`. For comparison only: a solution
    /// depends on the state of the cube, not on the scramble that leads to it.
    pub inverse: Option<Vec<FaceTurn>>,
}

/// Solution of a cube, and a description of the solver.
pub struct Solution {
    pub turns: Vec<FaceTurn>,
    pub how: String,
    /// Minimum number of moves in the metric of the command line, if known.
    pub minimum: Option<u32>,
    /// Another solution for comparison.
    pub rival: Option<RivalSolution>,
    /// Signal that stopped the search, of which the solution is the best one.
    pub stopped: Option<Signal>,
}

/// Solution of another solver, for comparison.
pub struct RivalSolution {
    pub turns: Vec<FaceTurn>,
    /// Name of the solution, such as "the inverse of the scramble".
    pub how: String,
}

impl Solution {
    /// Returns the length of the best known solution in `metric`, the metric of the command line.
    pub fn best_length(&self, metric: TurnMetric) -> u32 {
        let rival = self.rival.as_ref().map(|rival| metric.length(&rival.turns));
        [self.minimum, rival].into_iter().flatten().fold(metric.length(&self.turns), u32::min)
    }
}

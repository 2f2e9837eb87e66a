//! Result of an evaluation that the user requested.

use super::{CubeCycle, CubeDepth};
use serde::{Deserialize, Serialize};

/// Solve rate and solution lengths of the newest network. 2×2×2: greedy policy on all 3,674,160 states. 3×3×3: beam
/// search on random cubes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeEvaluation {
    /// Number of cubes that the network had to solve.
    pub cubes: u64,
    /// Fraction of the evaluated cubes that the network solved, 0 to 1.
    pub solved: f64,
    /// Mean solution length in moves; `None` if no cube was solved.
    pub mean_length: Option<f64>,
    /// 2×2×2: mean number of moves beyond an optimal solution; `None` for the 3×3×3 cube.
    pub mean_excess: Option<f64>,
    /// 3×3×3: beam width of the search; `None` for the 2×2×2 cube.
    pub width: Option<u32>,
    /// 2×2×2: results for the states at each distance from the solved state, starting with distance 0; empty for the
    /// 3×3×3 cube.
    pub depths: Vec<CubeDepth>,
    /// 2×2×2: cycles of states in which the greedy policy ends if it does not solve the cube, grouped by cycle length,
    /// shortest first; empty for the 3×3×3 cube.
    pub cycles: Vec<CubeCycle>,
}

//! Result of an evaluation that the user requested.

use super::{CubeCycle, CubeDepth};
use serde::{Deserialize, Serialize};

/// Solve rate and solution lengths of the newest network. 2×2×2: greedy policy on all 3,674,160 states. 3×3×3: beam
/// search on random cubes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeEvaluation {
    /// Number of evaluated cubes.
    pub cubes: u64,
    /// Fraction of cubes that were solved.
    pub solved: f64,
    /// Mean solution length in moves; `None` if no cube was solved.
    pub mean_length: Option<f64>,
    /// 2×2×2: mean number of moves beyond an optimal solution; `None` for the 3×3×3 cube.
    pub mean_excess: Option<f64>,
    /// 3×3×3: beam width of the search; `None` for the 2×2×2 cube.
    pub width: Option<u32>,
    /// 2×2×2: results by distance from the solved state, starting with 0.
    pub depths: Vec<CubeDepth>,
    /// 2×2×2: cycles in which unsolved states end, shortest first.
    pub cycles: Vec<CubeCycle>,
}

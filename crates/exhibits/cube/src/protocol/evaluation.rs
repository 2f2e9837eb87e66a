//! How many cubes a network solves, apart from training.

use super::{CubeCycle, CubeDepth};
use serde::{Deserialize, Serialize};

/// How many cubes the newest network solves: of 2×2×2 all 3,674,160 states, each by its best move again and again; of 3×3×3
/// random ones, with a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "cube")]
pub struct CubeEvaluation {
    /// Cubes that it was tried on.
    pub cubes: u64,
    /// The share of them that it solved.
    pub solved: f64,
    /// Moves of a solution on average; `None` where there was none.
    pub mean_length: Option<f64>,
    /// Of 2×2×2: moves beyond the fewest on average.
    pub mean_excess: Option<f64>,
    /// Of 3×3×3: ways that the search followed side by side.
    pub width: Option<u32>,
    /// Of 2×2×2: by distance from the solved state, from 0 on.
    pub depths: Vec<CubeDepth>,
    /// Of 2×2×2: the cycles in which the others end, the shortest first.
    pub cycles: Vec<CubeCycle>,
}

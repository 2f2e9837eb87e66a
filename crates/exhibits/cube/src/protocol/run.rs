//! Training progress.

use serde::{Deserialize, Serialize};

/// Document `run`: training progress in addition to the metrics. Fields that do not apply to an experiment are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeRun {
    /// Samples trained on.
    pub samples: u64,
    /// Optimizer steps.
    pub updates: u64,
    /// Samples that the opened network was trained on, according to its file; `None` if no network was opened.
    pub opened: Option<u64>,
    /// 2×2×2: demonstrations of the solver trained on, and their total number; both 0 without demonstrations.
    #[cfg_attr(feature = "typescript", ts(type = "[number, number]"))]
    pub demonstrations: [u64; 2],
    /// 2×2×2: highest open level of the curriculum (scramble length); at the last level episodes start in random
    /// states.
    pub open_level: u32,
    /// 2×2×2: curriculum levels starting with 1, as measured by the last iteration.
    pub levels: Vec<CubeLevel>,
    /// 2×2×2: exploration rate ε.
    pub epsilon: Option<f64>,
    /// 3×3×3: top-1 accuracy by scramble length, starting with 1.
    pub accuracy_by_depth: Vec<f64>,
    /// 3×3×3: results of all tests, oldest first.
    pub tests: Vec<CubeTest>,
    /// 3×3×3: completed and total cubes of the current test; both 0 if no test is in progress.
    pub testing: [u32; 2],
}

/// Level of the curriculum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeLevel {
    /// Scramble length at the start of an episode; at the last level episodes start in random states.
    pub level: u32,
    /// Completed episodes.
    pub episodes: u64,
    /// Episodes that ended with a solved cube.
    pub successes: u64,
    /// Transitions of such episodes in the replay buffer.
    pub kept: u64,
}

/// Result of a test on a fixed set of random cubes with one beam width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeTest {
    /// Samples that the network was trained on.
    pub samples: u64,
    /// Beam width.
    pub width: u32,
    /// Number of cubes.
    pub cubes: u32,
    /// Cubes that were solved.
    pub solved: u32,
    /// Mean solution length in moves; `None` if no cube was solved.
    pub mean_length: Option<f64>,
}

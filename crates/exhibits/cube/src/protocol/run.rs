//! How training goes.

use serde::{Deserialize, Serialize};

/// The document `run`: how training goes, beside what metrics say. Parts that an experiment has not are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeRun {
    /// Samples learned from.
    pub samples: u64,
    /// Optimizer steps.
    pub updates: u64,
    /// Samples that the opened network had learned from, as its file says; `None` where none was opened.
    pub opened: Option<u64>,
    /// 2×2×2: demonstrations of the solver learned from, and how many there are; both 0 where there are none.
    #[cfg_attr(feature = "typescript", ts(type = "[number, number]"))]
    pub demonstrations: [u64; 2],
    /// 2×2×2: the longest scramble that is tried so far, as a level of the curriculum; the last level begins in any state.
    pub open_level: u32,
    /// 2×2×2: the levels of the curriculum from 1 on, as the last iteration found them.
    pub levels: Vec<CubeLevel>,
    /// 2×2×2: the share of moves that are tried at random.
    pub epsilon: Option<f64>,
    /// 3×3×3: the share of scrambles of which the network log_probabilities the last move right, by their length from 1 on.
    pub accuracy_by_depth: Vec<f64>,
    /// 3×3×3: every test so far, the oldest first.
    pub tests: Vec<CubeTest>,
    /// 3×3×3: cubes of the test under way that are done, and how many there are; both 0 where none is.
    pub testing: [u32; 2],
}

/// A level of the curriculum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeLevel {
    /// Moves of the scramble that an episode begins with; the last level begins in any state.
    pub level: u32,
    /// Episodes that ended.
    pub episodes: u64,
    /// Those of them that ended with a solved cube.
    pub successes: u64,
    /// Moves of such episodes that are kept to learn from.
    pub kept: u64,
}

/// How well a network solves a fixed set of random cubes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeTest {
    /// Samples that the network had learned from.
    pub samples: u64,
    /// Ways that its search followed side by side.
    pub width: u32,
    /// Cubes that it was tried on.
    pub cubes: u32,
    /// Those that it solved.
    pub solved: u32,
    /// Moves of a solution on average; `None` where there was none.
    pub mean_length: Option<f64>,
}

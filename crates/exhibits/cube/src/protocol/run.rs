//! Training progress of a cube experiment.

use serde::{Deserialize, Serialize};

/// JSON document `run`: training progress in addition to the metrics. Fields that do not apply to an experiment are
/// empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeRun {
    /// Number of samples on which the network in training was trained so far.
    pub samples: u64,
    /// Number of gradient steps of the network in training so far.
    pub updates: u64,
    /// Number of samples that the opened network was trained on, according to its file; `None` if no network was
    /// opened.
    pub opened: Option<u64>,
    /// 2×2×2: number of solver demonstrations that the network was trained on so far, and total number according to the
    /// config; both 0 without demonstrations.
    #[cfg_attr(feature = "typescript", ts(type = "[number, number]"))]
    pub demonstrations: [u64; 2],
    /// 2×2×2: highest open level of the curriculum (scramble length); at the last level episodes start in random
    /// states.
    pub open_level: u32,
    /// 2×2×2: episode results of the last training iteration for each curriculum level, starting with level 1.
    pub levels: Vec<CubeLevel>,
    /// 2×2×2: exploration rate ε, the fraction of random moves in training.
    pub epsilon: Option<f64>,
    /// 3×3×3: top-1 accuracy of the predicted move, which undoes the last turn of a scramble, by scramble length,
    /// starting with 1.
    pub accuracy_by_depth: Vec<f64>,
    /// 3×3×3: results of all tests on random cubes during training, oldest first.
    pub tests: Vec<CubeTest>,
    /// 3×3×3: number of completed cubes and number of all cubes in the current test; both 0 if no test is in progress.
    pub testing: [u32; 2],
}

/// Results of the episodes that ended in one training iteration, for one curriculum level (scramble length).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeLevel {
    /// Curriculum level: scramble length at the start of an episode; at the last level episodes start in random states.
    pub level: u32,
    /// Number of episodes of the level `level` that were completed in the training iteration.
    pub episodes: u64,
    /// Number of completed episodes of the level `level` that ended with a solved cube.
    pub successes: u64,
    /// Number of transitions in the replay buffer that come from episodes of the level `level`.
    pub kept: u64,
}

/// Result of a test on a fixed set of random cubes with one beam width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CubeTest {
    /// Number of samples on which the network had been trained at the start of the test.
    pub samples: u64,
    /// Beam width of the searches that solved the test's cubes.
    pub width: u32,
    /// Number of random cubes in the test.
    pub cubes: u32,
    /// Number of random cubes that the test solved with beam width `width`.
    pub solved: u32,
    /// Mean solution length in moves; `None` if no cube was solved.
    pub mean_length: Option<f64>,
}

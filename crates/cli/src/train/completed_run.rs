//! Result of a run.

use std::path::PathBuf;
use vivarium_lab::measures::EvaluatedMeasure;

/// Result of a run that ended by a stop condition.
pub struct CompletedRun {
    /// Run folder.
    pub path: PathBuf,
    /// Evaluation score of the experiment.
    pub score: &'static EvaluatedMeasure,
    /// Score of the final state; `None` if its evaluation was aborted.
    pub last: Option<f64>,
    /// Score of the best checkpoint; `None` without an evaluation.
    pub best: Option<f64>,
    /// Number of training steps.
    pub steps: u64,
    /// Training time in seconds.
    pub elapsed: f64,
    /// Whether the run ended without reaching the goal of `--until`.
    pub missed_goal: bool,
}

//! Evaluation in the background of training: of all states (2×2×2) or on random cubes (3×3×3).

use super::engines::CubeEngines;
use super::learner::CubeLearner;
use super::networks::CubeNetworks;
use crate::protocol::{CubeExhaustiveEvaluation, CubeRun};
use serde_json::Value;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{FrameArray, MetricRow};
use vivarium_lab::train::SliceError;

/// Evaluator of a network that alternates with training: each call of [`advance`](Self::advance) does a bounded amount
/// of work. 2×2×2: evaluates the network that the user selected. 3×3×3: evaluates the network in training.
pub(crate) trait BackgroundEvaluator<L: CubeLearner>: Send + Sized {
    /// Creates an evaluator from the experiment's complete, validated config.
    fn new(config: &Value) -> Self;

    /// Updates the settings of the evaluator from the experiment's complete config.
    fn set_config(&mut self, config: &Value);

    /// Returns whether an evaluation is due or in progress. Whether an evaluation is due depends on the learner's
    /// training progress since the last evaluation.
    fn is_due(&self, networks: &CubeNetworks<L>, learner: &L) -> bool;

    /// Advances the evaluation in progress, or starts a due evaluation, by a bounded amount of work. If this call
    /// completes the evaluation, returns its metrics.
    ///
    /// # Errors
    /// [`SliceError`] if the network cannot be copied or the GPU was lost; evaluation can continue on the CPU.
    fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        networks: &mut CubeNetworks<L>,
        learner: &L,
    ) -> Result<Option<MetricRow>, SliceError>;

    /// Returns the version number of the displayed evaluation results; the number changes whenever these results
    /// change.
    fn version(&self) -> u32;

    /// Returns the name of the phase of the next call of [`advance`](Self::advance), such as `evaluation`.
    fn phase(&self) -> &'static str;

    /// Writes the evaluation results to `run`, the JSON document of the training progress.
    fn describe(&self, run: &mut CubeRun);

    /// Returns the JSON document `exhaustive`, the result of an evaluation of all states; `None` before the first such
    /// evaluation, and for the 3×3×3 cube.
    fn document(&self) -> Option<CubeExhaustiveEvaluation> {
        None
    }

    /// Returns the frame arrays of the map of all 2×2×2 states that have changed, or all arrays of the map if `resend`
    /// is set; empty for the 3×3×3 cube. `history` holds the states in the interactive cube's history; `ahead` holds
    /// the states on the network's greedy path.
    fn map(&mut self, history: &[L::Cube], ahead: &[L::Cube], resend: bool) -> Vec<FrameArray> {
        let _ = (history, ahead, resend);
        Vec::new()
    }

    /// Switches evaluations of all states during training on or off.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the experiment has no exhaustive evaluations.
    fn switch(&mut self, on: bool) -> Result<(), LabError>;

    /// Returns the evaluation results as JSON, for a checkpoint.
    fn save(&self) -> Value;

    /// Restores the evaluation results that [`save`](Self::save) returned, from a checkpoint.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the results are invalid.
    fn restore_metadata(&mut self, saved: &Value) -> Result<(), LabError>;
}

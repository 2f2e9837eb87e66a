//! Evaluation beside training: in all states, or on random cubes.

use super::engines::CubeEngines;
use super::networks::CubeNetworks;
use super::training::CubeTraining;
use crate::protocol::{CubeExhaustiveEvaluation, CubeRun};
use serde_json::Value;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{FrameArray, MetricRow};
use vivarium_lab::train::SliceError;

/// Evaluates networks in slices beside training.
pub(crate) trait BackgroundEvaluator<L: CubeTraining>: Send + Sized {
    /// Before the first, from a whole and checked config.
    fn new(config: &Value) -> Self;

    /// Takes over another config.
    fn set_config(&mut self, config: &Value);

    /// Whether there is something to do.
    fn is_due(&self, networks: &CubeNetworks<L>, learner: &L) -> bool;

    /// Runs one slice of work. Returns the metrics of an evaluation that ended with it.
    ///
    /// # Errors
    /// [`SliceError`] where there cannot be a network to try, or the GPU was lost; on the CPU the work can go on.
    fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        networks: &mut CubeNetworks<L>,
        learner: &L,
    ) -> Result<Option<MetricRow>, SliceError>;

    /// Another number with every change of what there is to see.
    fn version(&self) -> u32;

    /// What the next slice does, such as `evaluation`.
    fn phase(&self) -> &'static str;

    /// Adds what was measured.
    fn describe(&self, run: &mut CubeRun);

    /// The document of an exhaustive evaluation, where there is one.
    fn document(&self) -> Option<CubeExhaustiveEvaluation> {
        None
    }

    /// The arrays of the map of all states, where there is one: with the states of the history, and those that the network
    /// would come through from there. `anew` where the last frame did not have it.
    fn map(&mut self, history: &[L::Cube], ahead: &[L::Cube], anew: bool) -> Vec<FrameArray> {
        let _ = (history, ahead, anew);
        Vec::new()
    }

    /// Switches exhaustive evaluations on or off.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where there are none.
    fn switch(&mut self, on: bool) -> Result<(), LabError>;

    /// What of it a checkpoint keeps.
    fn save(&self) -> Value;

    /// Takes that up again.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] saying what is wrong with it.
    fn recall(&mut self, saved: &Value) -> Result<(), LabError>;
}

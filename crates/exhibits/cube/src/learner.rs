//! Interface between the cube experiments and their learners, beyond [`Learner`]: DQN on the 2×2×2 cube, EfficientCube
//! on the 3×3×3 cube.

use super::engines::CubeEngines;
use super::policy::CubePolicy;
use super::puzzle::TableCube;
use crate::protocol::CubeEvaluation;
use crate::protocol::CubeInfo;
use crate::protocol::CubeRun;
use serde_json::Value;
use vivarium_agents::{Learner, LearnerError};
use vivarium_graph::Tensor;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Schema};
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::train::SliceError;

/// Learner that trains a network to solve a cube.
pub(crate) trait CubeLearner: Learner<Error = LearnerError> + 'static {
    type Cube: TableCube;
    type Policy: CubePolicy<Cube = Self::Cube>;

    const NAME: &'static str;
    /// Title of the experiment, such as "Cube 2×2×2".
    const TITLE: &'static str;
    /// Config paths of the initial and the final learning rate, which a rollback halves after divergence.
    const LEARNING_RATES: [&'static str; 2];
    /// Config path of the minibatch size. The error for a learner that does not fit on a GPU names this field.
    #[cfg(feature = "gpu")]
    const BATCH: &'static str;
    /// Number of gradient steps after which a new copy of the learner state is stored. After divergence, a run returns
    /// to the last copy.
    const ROLLBACK_INTERVAL: u64;
    /// Maximum number of thumbnails (small pictures of cubes) in a frame.
    const MAX_THUMBNAILS: u32 = 256;
    /// Whether an evaluation covers all states of the cube: true for the 2×2×2 cube.
    const EXHAUSTIVE: bool;

    fn info() -> CubeInfo;
    /// Returns the config schema of the experiment.
    fn schema() -> Schema;
    /// Returns the static description of the experiment.
    fn experiment() -> ExperimentInfo;

    /// Parses a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    fn parse(config: &Value) -> Result<Self::Config, LabError>;

    /// Creates an untrained learner from a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    fn create(config: &Value, seed: u64) -> Result<Self, LabError>;

    /// Creates a learner from checkpoint tensors, which [`save`](Learner::save) returned. From the tensors of a network
    /// file, which has weights only, creates the learner of a new run.
    ///
    /// # Errors
    /// [`LabError`] describing the mismatch between the tensors and the config.
    fn open(config: &Value, seed: u64, tensors: &[Tensor]) -> Result<Self, LabError>;

    /// Converts the report of a training iteration to a metric row.
    fn row(report: &Self::Report) -> MetricRow;

    /// Returns the name of the phase of the next call of [`advance`](Learner::advance), such as `update`.
    fn phase(&self) -> &'static str;

    /// Writes the results of the last training iteration to `run`, the JSON document of the training progress.
    fn describe(&self, last: Option<&Self::Report>, run: &mut CubeRun);

    /// Returns an immutable copy of the network in training.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    fn network(&self) -> Result<Self::Policy, LabError>;

    /// Returns the current cube state of each of the first `most` training environments; empty if the learner has no
    /// environments.
    fn training_states(&self, most: usize) -> Vec<Self::Cube>;

    /// Evaluates a network on one random cube per episode (3×3×3) or on all states (2×2×2). Returns `None` if
    /// interrupted.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] if the GPU was lost.
    fn evaluate(
        engines: &CubeEngines<'_>,
        network: &Self::Policy,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, SliceError>;
}

//! Interface of the two training algorithms: DQN on the 2×2×2 cube, EfficientCube on the 3×3×3 cube.

use super::engines::CubeEngines;
use super::policy::CubePolicy;
use super::puzzle::CubePuzzle;
use crate::protocol::CubeEvaluation;
use crate::protocol::CubeInfo;
use crate::protocol::CubeRun;
use serde_json::Value;
#[cfg(feature = "gpu")]
use vivarium_agents::Advance;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Schema};
use vivarium_lab::protocol::{MetricRow, Progress};
use vivarium_lab::train::SliceError;

/// Learner that trains a network to solve a cube.
pub(crate) trait CubeTraining: Sized + Send + 'static {
    type Cube: CubePuzzle;
    type Policy: CubePolicy<Cube = Self::Cube>;

    const NAME: &'static str;
    /// Title, such as "Cube 2×2×2".
    const TITLE: &'static str;
    /// Config paths of the learning rates that are halved after divergence.
    const LEARNING_RATES: [&'static str; 2];
    /// Config path of the minibatch size.
    #[cfg(feature = "gpu")]
    const BATCH: &'static str;
    /// Number of gradient steps between two copies of the learner state for a rollback.
    const ROLLBACK_INTERVAL: u64;
    /// Maximum number of thumbnails (small pictures of cubes) in a frame.
    const MAX_THUMBNAILS: u32 = 256;
    /// Whether evaluations cover all states of the cube.
    const EXHAUSTIVE: bool;

    fn info() -> CubeInfo;
    /// Returns the config schema.
    fn schema() -> Schema;
    /// Returns the static description of the experiment.
    fn experiment() -> ExperimentInfo;

    /// Creates an untrained learner from a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    fn new(config: &Value, seed: u64) -> Result<Self, LabError>;

    /// Creates a learner from the tensors of [`save`](Self::save), or a learner of a new run from the weights of a
    /// network file.
    ///
    /// # Errors
    /// [`LabError`] describing the mismatch between the tensors and the config.
    fn restore(config: &Value, seed: u64, tensors: &[Tensor]) -> Result<Self, LabError>;

    /// Returns the complete state of the learner.
    fn save(&self) -> Vec<Tensor>;

    /// Replaces the config. Only live fields may differ.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is rejected; the learner is unchanged then.
    fn set_config(&mut self, config: &Value) -> Result<(), LabError>;

    fn seed(&self) -> u64;

    /// Returns the progress of training. A step is a sample.
    fn progress(&self) -> Progress;

    /// Returns the name of the phase of the next [`advance`](Self::advance).
    fn phase(&self) -> &'static str;

    /// Does a bounded amount of training. Returns the metrics of the iteration if this call completed it.
    ///
    /// # Errors
    /// [`SliceError`], which states how the run can continue, for example after a rollback.
    fn advance(&mut self, cpu: &Cpu) -> Result<Option<MetricRow>, SliceError>;

    /// Trainer that holds the learner's state on a GPU.
    #[cfg(feature = "gpu")]
    type GpuTrainer: Send;

    /// Creates a trainer with a copy of the learner's state on a GPU.
    ///
    /// # Errors
    /// [`SliceError`] if the learner exceeds the memory or a limit of the GPU.
    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &Gpu) -> Result<Self::GpuTrainer, SliceError>;

    /// Does a bounded amount of training on the GPU. At the end of an iteration, copies the state from the GPU to
    /// `self`.
    ///
    /// # Errors
    /// [`SliceError`], which states how the run can continue.
    #[cfg(feature = "gpu")]
    fn advance_on_gpu(
        &mut self,
        cpu: &Cpu,
        trainer: &mut Self::GpuTrainer,
    ) -> Result<Advance<(), MetricRow>, SliceError>;

    /// Writes the results of the last iteration to the document `run`.
    fn describe(&self, run: &mut CubeRun);

    /// Copies the current network.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    fn network(&self) -> Result<Self::Policy, LabError>;

    /// Returns the current states of the first training environments, at most `most`.
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

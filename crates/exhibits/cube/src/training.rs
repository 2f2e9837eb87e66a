//! What is different between the cubes: what learns, how it judges moves, and what it is tried on.

use super::engines::CubeEngines;
use super::policy::CubePolicy;
use super::puzzle::CubePuzzle;
use crate::protocol::CubeEvaluation;
use crate::protocol::CubeInfo;
use crate::protocol::CubeRun;
use serde_json::Value;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Schema};
use vivarium_lab::protocol::{MetricRow, Progress};
#[cfg(feature = "gpu")]
use vivarium_lab::train::Slice;
use vivarium_lab::train::SliceError;

/// What learns to solve a cube.
pub(crate) trait CubeTraining: Sized + Send + 'static {
    type Cube: CubePuzzle;
    type Policy: CubePolicy<Cube = Self::Cube>;

    const NAME: &'static str;
    /// For a person, such as "Cube 2×2×2".
    const TITLE: &'static str;
    /// The paths of the step sizes, which the guard makes smaller.
    const LEARNING_RATES: [&'static str; 2];
    /// The path of the number of samples in a gradient step.
    #[cfg(feature = "gpu")]
    const BATCH: &'static str;
    /// Gradient steps after which a state is worth going back to.
    const GOOD_AFTER: u64;
    /// The most cubes of a wall.
    const LARGEST_WALL: u32 = 256;
    /// Whether it is evaluated in all states of its cube.
    const EXHAUSTIVE: bool;

    fn info() -> CubeInfo;
    /// What configs the experiment may have.
    fn schema() -> Schema;
    /// Everything about the experiment that does not change while it runs.
    fn experiment() -> ExperimentInfo;

    /// One that knows nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    fn new(config: &Value, seed: u64) -> Result<Self, LabError>;

    /// One in a state that [`save`](Self::save) gave; from a network alone, one that goes on from that.
    ///
    /// # Errors
    /// [`LabError`] naming what does not fit.
    fn restore(config: &Value, seed: u64, tensors: &[Tensor]) -> Result<Self, LabError>;

    /// All that it needs to go on exactly.
    fn save(&self) -> Vec<Tensor>;

    /// Takes over another config that differs in live fields alone.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where it cannot; nothing is changed then.
    fn set_config(&mut self, config: &Value) -> Result<(), LabError>;

    fn seed(&self) -> u64;

    /// How far it is, in samples.
    fn progress(&self) -> Progress;

    /// What the next slice will do.
    fn phase(&self) -> &'static str;

    /// Does one slice of work; where that ended an iteration, what it measured.
    ///
    /// # Errors
    /// [`SliceError`] saying whether it is worth going back.
    fn advance(&mut self, cpu: &Cpu) -> Result<Option<MetricRow>, SliceError>;

    /// The learner on a GPU.
    #[cfg(feature = "gpu")]
    type GpuTrainer: Send;

    /// The learner as it is now, moved to a GPU.
    ///
    /// # Errors
    /// [`SliceError`] saying why it cannot be there.
    #[cfg(feature = "gpu")]
    fn gpu_trainer(&self, gpu: &Gpu) -> Result<Self::GpuTrainer, SliceError>;

    /// Does one slice of work there; after an iteration this learner is what that one is.
    ///
    /// # Errors
    /// [`SliceError`] saying how it can go on.
    #[cfg(feature = "gpu")]
    fn advance_on_gpu(
        &mut self,
        cpu: &Cpu,
        trainer: &mut Self::GpuTrainer,
    ) -> Result<Slice<MetricRow>, SliceError>;

    /// Adds how the last iteration went.
    fn describe(&self, run: &mut CubeRun);

    /// The network as it is now.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a copy.
    fn network(&self) -> Result<Self::Policy, LabError>;

    /// Cubes that are learned from, at most so many.
    fn lanes(&self, most: usize) -> Vec<Self::Cube>;

    /// How well a network solves random cubes, one an episode, or all there are. Returns `None` if the episodes were stopped.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] where the GPU was lost.
    fn evaluate(
        engines: &CubeEngines<'_>,
        network: &Self::Policy,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, SliceError>;
}

//! Interface of the learners of control experiments.

use serde_json::Value;
use vivarium_agents::Episode;
use vivarium_agents::ppo::PolicyAndValue;
use vivarium_envs::World;
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Tensor, Tensors};
#[cfg(feature = "gpu")]
use vivarium_lab::device::AnyDevice;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::Progress;
use vivarium_lab::train::{Slice, SliceError};

/// Learner that can train on a GPU; the learner's part of [`vivarium_lab::train_on_gpu::TrainOnGpu`].
#[cfg(feature = "gpu")]
pub(crate) trait LearnerOnGpu: Send {
    /// Returns the training device, if any.
    fn device(&self) -> Option<&dyn AnyDevice>;

    /// Moves training to a GPU.
    ///
    /// # Errors
    /// [`SliceError`] if the learner does not fit; it stays on its present engine then.
    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError>;

    /// Returns training to the CPU. Returns the GPU, if any.
    fn leave(&mut self) -> Option<Gpu>;

    /// Does one slice of work on the GPU; `None` if training is on the CPU.
    fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Slice<IterationReport>, SliceError>>;

    /// Returns the field to reduce if a buffer exceeds a device limit, and its required value.
    fn too_large(&self, error: &GpuError) -> (&'static str, String);
}

#[cfg(not(feature = "gpu"))]
use Send as LearnerOnGpu;

/// Learner in environment `W`.
pub(crate) trait ControlLearner<W: World>: LearnerOnGpu {
    /// Returns the seed of the run.
    fn seed(&self) -> u64;

    /// Returns the environment's physical parameters.
    fn world(&self) -> &W::Params;

    /// Returns the progress, in steps of all environments together.
    fn progress(&self) -> Progress;

    /// Returns the name of the next slice's work.
    fn phase(&self) -> &'static str;

    /// Returns the number of environments.
    fn num_envs(&self) -> u32;

    /// Returns the number of iterations that an episode of `steps` steps takes.
    fn iterations(&self, steps: u32) -> u32;

    /// Does one slice of work, on the GPU if training is there. The learner adopts the GPU's state after each
    /// iteration.
    ///
    /// # Errors
    /// [`SliceError`] telling how the run can continue. Earlier progress is kept.
    fn advance(&mut self, cpu: &Cpu) -> Result<Slice<IterationReport>, SliceError>;

    /// Replaces the config. Only live fields may differ; the environment's are set by [`set_world`](Self::set_world).
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a field is invalid; the learner is unchanged then.
    fn set_config(&mut self, config: &Value) -> Result<(), LabError>;

    /// Changes the environment's physical parameters from the next step on.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a parameter is invalid; the learner is unchanged then.
    fn set_world(&mut self, world: W::Params) -> Result<(), LabError>;

    /// Returns the config paths of the learning rates that the guard halves.
    fn learning_rates(&self) -> [&'static str; 2];

    /// Returns the complete state.
    fn save(&self) -> Vec<Tensor>;

    /// Returns the learned part of [`save`](Self::save): weights, optimizer and normalizer, without environments,
    /// replay and totals.
    fn learned(&self) -> Vec<Tensor>;

    /// Returns whether [`save`](Self::save) captures the present moment instead of the start of the present iteration.
    fn saves_midway(&self) -> bool;

    /// Takes a state from the tensors of a checkpoint.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] naming the tensor that is missing or has the wrong shape.
    fn state_of(&self, tensors: &mut Tensors) -> Result<Vec<Tensor>, LabError>;

    /// Restores a learner of this kind and seed, with a complete and valid config.
    ///
    /// # Errors
    /// [`LabError`] naming the invalid tensor.
    fn restored(&self, config: &Value, tensors: &[Tensor]) -> Result<Box<dyn ControlLearner<W>>, LabError>;

    /// Returns actions for observations `[rows, observation]`, in the environment's format. Samples depend on seed,
    /// step and row alone.
    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32>;

    /// Returns policy and value of observations `[rows, observation]`.
    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue;

    /// Runs complete greedy episodes, independent of training.
    ///
    /// # Errors
    /// [`LabError`] if the number of episodes is invalid.
    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LabError>;
}

/// Metrics of an iteration.
pub(crate) struct IterationReport {
    /// [`Progress::steps`] at the end of the iteration.
    pub(crate) steps: u64,
    /// Number, mean return and mean length of the episodes that ended; `None` if none did.
    pub(crate) ended: Option<(u64, f64, f64)>,
    /// The learner's metrics by name.
    pub(crate) values: Vec<(String, f64)>,
}

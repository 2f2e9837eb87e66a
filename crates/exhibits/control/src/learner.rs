//! What a control experiment needs of whatever learns in it.

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

/// A learner that can train on a GPU, beside which it stays on the CPU; see [`vivarium_lab::train_on_gpu::TrainOnGpu`], of which
/// these are the learner's part.
#[cfg(feature = "gpu")]
pub(crate) trait LearnerOnGpu: Send {
    /// The device that trains, if one does.
    fn device(&self) -> Option<&dyn AnyDevice>;

    /// Puts it on a GPU as it is on the CPU.
    ///
    /// # Errors
    /// [`SliceError`] saying why it cannot be there; it then stays where it is.
    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError>;

    /// Goes on on the CPU; returns the GPU that trained, if one did.
    fn leave(&mut self) -> Option<Gpu>;

    /// Does one slice of work on the device, if one trains.
    fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Slice<IterationReport>, SliceError>>;

    /// The field to make smaller where it does not fit on a GPU, and what is needed.
    fn too_large(&self, error: &GpuError) -> (&'static str, String);
}

#[cfg(not(feature = "gpu"))]
use Send as LearnerOnGpu;

/// What learns in the world `W`.
pub(crate) trait ControlLearner<W: World>: LearnerOnGpu {
    /// The seed of the run.
    fn seed(&self) -> u64;

    /// The world's params.
    fn world(&self) -> &W::Params;

    /// How far it is, in steps of all environments together.
    fn progress(&self) -> Progress;

    /// What the next slice will do.
    fn phase(&self) -> &'static str;

    /// How many environments are stepped together.
    fn num_envs(&self) -> u32;

    /// How many iterations an episode of so many steps takes.
    fn iterations(&self, steps: u32) -> u32;

    /// Does one slice of work, on the device where one trains. After an iteration there this learner is what that one is.
    ///
    /// # Errors
    /// [`SliceError`] saying how the run can go on. What has been learned before is still there.
    fn advance(&mut self, cpu: &Cpu) -> Result<Slice<IterationReport>, SliceError>;

    /// Takes over a whole and checked config that differs in live fields alone; the world's are for
    /// [`set_world`](Self::set_world).
    ///
    /// # Errors
    /// [`LabError::Invalid`] where it cannot; nothing is changed then.
    fn set_config(&mut self, config: &Value) -> Result<(), LabError>;

    /// Changes the world from the next step on.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where it cannot; nothing is changed then.
    fn set_world(&mut self, world: W::Params) -> Result<(), LabError>;

    /// The paths of the step sizes, which the guard makes smaller.
    fn learning_rates(&self) -> [&'static str; 2];

    /// All that it needs to go on exactly.
    fn save(&self) -> Vec<Tensor>;

    /// Of [`save`](Self::save), what it has learned: all but the worlds it learns in, what it lived through and its totals.
    fn learned(&self) -> Vec<Tensor>;

    /// Whether [`save`](Self::save) gives the moment itself, rather than the start of the present iteration.
    fn saves_midway(&self) -> bool;

    /// Takes such a state out of a file's tensors.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for what is missing or not like this learner's.
    fn state_of(&self, tensors: &mut Tensors) -> Result<Vec<Tensor>, LabError>;

    /// A learner of this kind and seed in a saved state, under a whole and checked config.
    ///
    /// # Errors
    /// [`LabError`] naming what does not fit.
    fn restored(&self, config: &Value, tensors: &[Tensor]) -> Result<Box<dyn ControlLearner<W>>, LabError>;

    /// Actions for observations `[rows, observation]`, as the world takes them. What is drawn depends on seed,
    /// step and row alone.
    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32>;

    /// What it would do and what it expects, for observations `[rows, observation]`.
    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue;

    /// Runs whole episodes without trying anything out, apart from training.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be so many.
    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LabError>;
}

/// What an iteration measured.
pub(crate) struct IterationReport {
    /// [`Progress::steps`] at its end.
    pub(crate) steps: u64,
    /// How many episodes ended in it, their mean return and their mean length; `None` where none did.
    pub(crate) ended: Option<(u64, f64, f64)>,
    /// The learner's own measurements.
    pub(crate) values: Vec<(String, f64)>,
}

//! Training in slices (bounded amounts of work, one per call), on the CPU or on a GPU.
//!
//! If a GPU trains, a GPU trainer does the work of the learner, and its state is copied to the learner on the CPU after
//! each iteration. Frames, evaluations, checkpoints and rollbacks use only the learner on the CPU. If the GPU is lost,
//! only the iterations that the GPU has not finished are lost.

#[cfg(feature = "gpu")]
use crate::device::Device;
use crate::error::LabError;
use crate::protocol::{EngineInfo, Progress};
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_learn::{Advance, Learner, LearnerFault, TrainingProgress};

/// Error of a training slice (a bounded amount of work in one call).
pub enum SliceError {
    /// Training diverged; the text states the cause. Recovery: roll back to an earlier state.
    Diverged(String),
    /// GPU error. Recovery: continue on the CPU.
    #[cfg(feature = "gpu")]
    Gpu(vivarium_gpu::GpuError),
    /// Error after which the run cannot continue.
    Failed(LabError),
}

impl From<LabError> for SliceError {
    fn from(error: LabError) -> Self {
        Self::Failed(error)
    }
}

/// Converts an error of a learner to the [`SliceError`] variant that determines how the run recovers from the error.
impl<E: Into<LearnerFault>> From<E> for SliceError {
    fn from(error: E) -> Self {
        match error.into() {
            LearnerFault::Diverged(reason) => Self::Diverged(reason),
            #[cfg(feature = "gpu")]
            LearnerFault::Gpu(error) => Self::Gpu(error),
            fault => Self::Failed(fault.into()),
        }
    }
}

/// A learner together with the engine (CPU or GPU) on which its gradient steps are computed.
pub struct Training<L: Learner> {
    /// The learner on the CPU. While a GPU trains, the learner has the state at the end of the last finished iteration.
    pub learner: L,
    #[cfg(feature = "gpu")]
    device: Option<Device<L::GpuTrainer>>,
    /// Whether the last slice did no work because the GPU was computing.
    is_waiting: bool,
}

impl<L: Learner> Training<L> {
    /// Creates the training state of a learner that trains on the CPU.
    pub fn new(learner: L) -> Self {
        Self {
            learner,
            #[cfg(feature = "gpu")]
            device: None,
            is_waiting: false,
        }
    }

    /// Performs a training slice (a bounded amount of work) on the engine of the run.
    ///
    /// # Errors
    /// [`SliceError`], which determines the recovery; see [`Experiment::recover`](crate::Experiment::recover).
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Advance<L::Work, L::Report>, SliceError> {
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            let slice = self.learner.advance_on_gpu(&mut device.trainer, cpu);
            self.is_waiting = matches!(slice, Ok(Advance::Waiting));
            return Ok(slice?);
        }
        Ok(self.learner.advance(cpu)?)
    }

    /// Replaces the config of the learner, on both engines. The config may differ only in live fields: fields that may
    /// change during a run.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the invalid field; the learner is unchanged then.
    pub fn set_config(&mut self, config: L::Config) -> Result<(), LabError> {
        self.change(|learner| learner.set_config(config))
    }

    /// Calls `change`, which modifies the config or the task of the learner on the CPU. If a GPU trains, passes the new
    /// config and task to the GPU trainer as well.
    ///
    /// # Errors
    /// Any error that `change` returns.
    pub fn change(&mut self, change: impl FnOnce(&mut L) -> Result<(), L::Error>) -> Result<(), LabError> {
        change(&mut self.learner)?;
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            self.learner.update_gpu_trainer(&mut device.trainer)?;
        }
        Ok(())
    }

    /// Returns whether training runs on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.device.is_some();
        #[cfg(not(feature = "gpu"))]
        false
    }

    /// Returns the GPU that trains; `None` on the CPU.
    #[cfg(feature = "gpu")]
    pub fn gpu(&self) -> Option<&Gpu> {
        self.device.as_ref().map(Device::gpu)
    }

    /// Records that the present call of [`Experiment::advance`](crate::Experiment::advance) does other work than
    /// training and therefore does not wait for the GPU.
    pub fn stop_waiting(&mut self) {
        self.is_waiting = false;
    }
}

/// Interface of [`Training`] that does not depend on the type of the learner, for
/// [`Experiment::training`](crate::Experiment::training).
pub trait AnyTraining {
    /// Returns the training progress of the learner: numbers of steps, updates and episodes.
    fn progress(&self) -> Progress;

    /// Returns the engine (CPU or GPU) that trains the learner.
    fn engine(&self) -> EngineInfo;

    /// Returns whether the last training slice did no work because the GPU was computing ([`Advance::Waiting`]).
    fn is_waiting(&self) -> bool;

    /// Moves training to a GPU: uploads the state of the learner. The current iteration restarts there.
    ///
    /// # Errors
    /// [`SliceError`] if the learner cannot run on the GPU; training then stays on its current engine.
    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), SliceError>;

    /// Moves training to the CPU. Returns the GPU that trained, or `None` if training already ran on the CPU.
    #[cfg(feature = "gpu")]
    fn leave_gpu(&mut self) -> Option<Gpu>;
}

impl<L: Learner> AnyTraining for Training<L> {
    fn progress(&self) -> Progress {
        self.learner.progress().into()
    }

    fn engine(&self) -> EngineInfo {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device {
            return device.info();
        }
        EngineInfo::Cpu
    }

    fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        self.device = Some(Device::new(gpu, |gpu| self.learner.gpu_trainer(gpu))?);
        self.is_waiting = false;
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn leave_gpu(&mut self) -> Option<Gpu> {
        self.is_waiting = false;
        self.device.take().map(Device::leave)
    }
}

impl From<TrainingProgress> for Progress {
    fn from(progress: TrainingProgress) -> Self {
        let TrainingProgress { steps, updates, episodes, total_steps } = progress;
        Self { steps, updates, episodes, total_steps }
    }
}

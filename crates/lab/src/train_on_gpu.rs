//! How an experiment moves to a [device](crate::device) and back, starts anew there, and goes on without a lost one.

use crate::config;
use crate::device::{AnyDevice, SwitchEngine};
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::slice::SliceError;
use vivarium_gpu::{Gpu, GpuError};

/// An experiment whose learner can train on a GPU.
pub trait TrainOnGpu: Experiment {
    /// The device that trains, if one does.
    fn training_device(&self) -> Option<&dyn AnyDevice>;

    /// Puts the learner on a GPU as it is on the CPU; an iteration that is under way is begun again there.
    ///
    /// # Errors
    /// [`SliceError`] saying why it cannot be there; it then stays where it is.
    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError>;

    /// Goes on on the CPU. Returns the GPU that trained, if one did.
    ///
    /// # Errors
    /// [`LabError`] if the learner cannot go on there.
    fn leave(&mut self) -> Result<Option<Gpu>, LabError>;

    /// Where the learner on the CPU goes on once the device is lost, as the end of a sentence: "from the last finished epoch".
    fn resume_point(&self) -> String;

    /// The path of the config field to make smaller where the learner does not fit on a GPU, and what is needed, as the beginning
    /// of a sentence: "fewer boards are needed".
    fn too_large(&self, error: &GpuError) -> (&'static str, String);

    /// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
    fn placement_error(&self, gpu: &Gpu, error: &GpuError) -> LabError {
        match error {
            GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. } => {
                let (field, needed) = self.too_large(error);
                let value = config::get(self.run().config(), field).map(ToString::to_string);
                let allowed = format!("{needed} on {}: {error}", gpu.adapter_info().name);
                LabError::invalid(field, value.unwrap_or_default(), allowed)
            }
            error => LabError::engine(error.to_string()),
        }
    }

    /// Begins anew on the device, if one trains, with what the learner on the CPU is now.
    ///
    /// # Errors
    /// Those of [`leave`](Self::leave).
    fn restart_on_device(&mut self) -> Result<(), LabError> {
        let gpu = self.leave()?;
        self.return_to(gpu)
    }

    /// Goes on on a GPU that was left, or without it where that fails.
    ///
    /// # Errors
    /// Those of [`leave`](Self::leave).
    fn return_to(&mut self, gpu: Option<Gpu>) -> Result<(), LabError> {
        let Some(gpu) = gpu else { return Ok(()) };
        match self.place(&gpu) {
            Ok(()) => Ok(()),
            Err(SliceError::Gpu(error)) => self.fall_back_to_cpu(&error),
            Err(SliceError::Diverged(reason)) => self.fall_back_to_cpu(&GpuError::Device { reason }),
            Err(SliceError::Failed(error)) => {
                self.fall_back_to_cpu(&GpuError::Device { reason: error.to_string() })
            }
        }
    }

    /// Goes on without the device, and reports why and from where.
    ///
    /// # Errors
    /// Those of [`leave`](Self::leave).
    fn fall_back_to_cpu(&mut self, error: &GpuError) -> Result<(), LabError> {
        self.leave()?;
        self.notify(format!("{}. Training goes on on the CPU {}.", sentence(error), self.resume_point()));
        Ok(())
    }
}

impl<E: TrainOnGpu> SwitchEngine for E {
    fn device(&self) -> Option<&dyn AnyDevice> {
        self.training_device()
    }

    fn move_to(&mut self, gpu: &Gpu) -> Result<(), LabError> {
        self.place(gpu).map_err(|stopped| match stopped {
            SliceError::Gpu(error) => self.placement_error(gpu, &error),
            SliceError::Diverged(message) => LabError::Diverged { message },
            SliceError::Failed(error) => error,
        })
    }

    fn move_back(&mut self) -> Result<(), LabError> {
        self.leave().map(drop)
    }
}

/// An error as the beginning of a sentence.
fn sentence(error: &GpuError) -> String {
    let mut what = error.to_string();
    if let Some(first) = what.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    what
}

//! Moving an experiment to a [device](crate::device) and back, restarting there, and falling back to the CPU after
//! device loss.

use crate::config;
use crate::device::{AnyDevice, SwitchEngine};
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::slice::SliceError;
use vivarium_gpu::{Gpu, GpuError};

/// An experiment whose learner can train on a GPU.
pub trait TrainOnGpu: Experiment {
    /// Returns the device that trains, or `None` on the CPU.
    fn training_device(&self) -> Option<&dyn AnyDevice>;

    /// Moves training to a GPU: uploads the state of the CPU learner and restarts the current iteration on the GPU.
    ///
    /// # Errors
    /// [`SliceError`] if the learner cannot run on the GPU; the run then stays on its current engine.
    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError>;

    /// Drops the device learner and continues on the CPU. Returns the GPU that trained, or `None` if the run was
    /// already on the CPU.
    ///
    /// # Errors
    /// [`LabError`] if the learner cannot continue on the CPU.
    fn leave(&mut self) -> Result<Option<Gpu>, LabError>;

    /// Returns the state from which the CPU learner continues after device loss, as the end of a sentence: "from the
    /// last finished epoch".
    fn resume_point(&self) -> String;

    /// Returns the remedy if the learner does not fit on a GPU: the path of the config field to reduce, and the
    /// beginning of a sentence, such as "fewer boards are needed".
    fn too_large(&self, error: &GpuError) -> (&'static str, String);

    /// Converts an error of [`place`](Self::place) to a user-facing error, with the config field to reduce if memory is
    /// short.
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

    /// Uploads the CPU learner's state to the device again and restarts the iteration there. Does nothing on the CPU.
    ///
    /// # Errors
    /// Errors of [`leave`](Self::leave).
    fn restart_on_device(&mut self) -> Result<(), LabError> {
        let gpu = self.leave()?;
        self.return_to(gpu)
    }

    /// Uploads the CPU learner's state to `gpu` and continues training there. If the upload fails, training continues
    /// on the CPU. Does nothing if `gpu` is `None`.
    ///
    /// # Errors
    /// Errors of [`leave`](Self::leave).
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

    /// Continues on the CPU after device loss and reports the cause and the resume point.
    ///
    /// # Errors
    /// Errors of [`leave`](Self::leave).
    fn fall_back_to_cpu(&mut self, error: &GpuError) -> Result<(), LabError> {
        self.leave()?;
        self.notify(format!("{}. Training continues on the CPU {}.", sentence(error), self.resume_point()));
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

/// Formats an error as the beginning of a sentence.
fn sentence(error: &GpuError) -> String {
    let mut what = error.to_string();
    if let Some(first) = what.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    what
}

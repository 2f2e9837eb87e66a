//! Training that moves to a [device](vivarium_lab::device) and back.

use super::experiment::{LogicExperiment, refused};
use vivarium_config::Config;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::device::{self, lost};
use vivarium_lab::error::LabError;
use vivarium_logic_ca::LogicError;
use vivarium_logic_ca::gpu_trainer::{Advance, GpuTrainer};

/// A GPU at work on the experiment.
pub(super) type Device = device::Device<GpuTrainer>;

impl LogicExperiment {
    /// Moves training to a GPU; the epoch that is under way is begun again there.
    ///
    /// # Errors
    /// [`LabError`] saying why it does not fit there; it then stays where it is.
    pub(super) fn train_on(&mut self, gpu: Gpu) -> Result<(), LabError> {
        if self.learner.is_in_local_search() {
            return Err(LabError::engine(
                "gates are changed one by one now, on trial, which is the processor's work",
            ));
        }
        let make = |gpu: &Gpu| GpuTrainer::new(gpu, &self.learner).map_err(|error| self.unfit(gpu, &error));
        let device = Device::new(gpu, make)?;
        let state = self.learner.state();
        self.learner.adopt(&state).map_err(|error| refused(&error))?;
        self.device = Some(device);
        Ok(())
    }

    /// A slice of work on the device, if training is there.
    pub(super) fn advance_device(&mut self) -> Option<Result<(), LabError>> {
        let device = self.device.as_mut()?;
        let advanced = device.resident.advance();
        device.waiting = matches!(advanced, Ok(Advance::Waiting));
        Some(match advanced {
            Ok(Advance::Waiting) => Ok(()),
            Ok(Advance::Finished(report)) => match device.resident.hand_over(&mut self.learner) {
                Ok(()) => {
                    let booked = self.book(&report);
                    if self.learner.is_in_local_search() {
                        self.device = None;
                        self.run.notice(self.learner.epoch(), ON_TRIAL.into());
                    }
                    booked
                }
                Err(error) => self.break_down(&error.to_string()),
            },
            Err(LogicError::Gpu(error)) => {
                self.lose(&error);
                Ok(())
            }
            Err(error) => self.break_down(&error.to_string()),
        })
    }

    /// Begins anew on the device with what the learner on the CPU is now.
    pub(super) fn renew_device(&mut self) {
        let Some(device) = self.device.take() else { return };
        match device.renewed(|gpu| GpuTrainer::new(gpu, &self.learner)) {
            Ok(device) => self.device = Some(device),
            Err(LogicError::Gpu(error)) => self.lose(&error),
            Err(error) => self.lose(&GpuError::Device { reason: error.to_string() }),
        }
    }

    /// Goes on without the device, and says so.
    fn lose(&mut self, error: &GpuError) {
        self.device = None;
        let from = "from the last finished epoch; nothing learnt is lost";
        self.run.report(lost(error, from, self.learner.epoch()));
    }

    /// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
    fn unfit(&self, gpu: &Gpu, error: &LogicError) -> LabError {
        match error {
            LogicError::Gpu(error @ (GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. })) => {
                let allowed = format!(
                    "fewer boards, or fewer steps or channels, are needed on {}: {error}",
                    gpu.report().name
                );
                self.learner.config().refused("batch", allowed).into()
            }
            error => refused(error),
        }
    }
}

/// Why the device is left: there is no slope to follow any more.
const ON_TRIAL: &str = "From here on gates are changed one by one, on trial; that is the processor's work.";

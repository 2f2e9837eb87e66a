//! Training on a [device](vivarium_lab::device).

use super::experiment::LogicExperiment;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::Experiment;
use vivarium_lab::device::{AnyDevice, Device};
use vivarium_lab::error::LabError;
use vivarium_lab::train::{Slice, SliceError};
use vivarium_lab::train_on_gpu::TrainOnGpu;
use vivarium_logic_ca::Report;
use vivarium_logic_ca::gpu_trainer::{LogicAdvance, LogicGpuTrainer};

impl LogicExperiment {
    /// Does a slice of training on the device, if one trains; an iteration is an epoch.
    pub(super) fn slice_on_gpu(&mut self) -> Option<Result<Slice<Report>, SliceError>> {
        let learner = &mut self.state.learner;
        let slice = |trainer: &mut LogicGpuTrainer| match trainer.advance()? {
            LogicAdvance::Waiting => Ok(Slice::Waiting),
            LogicAdvance::Finished(report) => {
                trainer.copy_state_to(learner)?;
                Ok(Slice::Finished(report))
            }
        };
        Some(self.device.as_mut()?.advance(slice))
    }

    /// Leaves the device once there is no slope to follow any more.
    pub(super) fn leave_for_local_search(&mut self) {
        if self.state.learner.is_in_local_search() && self.device.take().is_some() {
            let notice = "From here on gates are changed one by one, on trial; that is the processor's work.";
            self.notify(notice.into());
        }
    }
}

impl TrainOnGpu for LogicExperiment {
    fn training_device(&self) -> Option<&dyn AnyDevice> {
        self.device.as_ref().map(|device| device as &dyn AnyDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        let learner = &mut self.state.learner;
        if learner.is_in_local_search() {
            let message = "gates are changed one by one now, on trial, which is the processor's work";
            return Err(SliceError::Failed(LabError::engine(message)));
        }
        let device = Device::new(gpu, |gpu| LogicGpuTrainer::new(gpu, learner))?;
        let state = learner.state();
        learner.restore(&state)?;
        self.device = Some(device);
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Gpu>, LabError> {
        Ok(self.device.take().map(Device::leave))
    }

    fn resume_point(&self) -> String {
        "from the last finished epoch; nothing learned is lost".into()
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("task.batch", "fewer boards, or fewer steps or channels, are needed".into())
    }
}

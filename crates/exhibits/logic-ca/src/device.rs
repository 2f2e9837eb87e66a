//! Training on a [device](vivarium_lab::device).

use super::experiment::LogicExperiment;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::Experiment;
use vivarium_lab::device::{Device, OnDevice};
use vivarium_lab::error::LabError;
use vivarium_lab::train::{Slice, Stopped};
use vivarium_lab::train_on_gpu::TrainOnGpu;
use vivarium_logic_ca::Report;
use vivarium_logic_ca::gpu_trainer::{Advance, GpuTrainer};

impl LogicExperiment {
    /// Does a slice of training on the device, if one trains; an iteration is an epoch.
    pub(super) fn slice_on_gpu(&mut self) -> Option<Result<Slice<Report>, Stopped>> {
        let learner = &mut self.state.learner;
        let slice = |trainer: &mut GpuTrainer| match trainer.advance()? {
            Advance::Waiting => Ok(Slice::Waiting),
            Advance::Finished(report) => {
                trainer.hand_over(learner)?;
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
    fn trains_on(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), Stopped> {
        let learner = &mut self.state.learner;
        if learner.is_in_local_search() {
            let message = "gates are changed one by one now, on trial, which is the processor's work";
            return Err(Stopped::Failed(LabError::engine(message)));
        }
        let device = Device::new(gpu, |gpu| GpuTrainer::new(gpu, learner))?;
        let state = learner.state();
        learner.adopt(&state)?;
        self.device = Some(device);
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Gpu>, LabError> {
        Ok(self.device.take().map(Device::leave))
    }

    fn resumes(&self) -> String {
        "from the last finished epoch; nothing learned is lost".into()
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("task.batch", "fewer boards, or fewer steps or channels, are needed".into())
    }
}

//! Training on the GPU.

use super::experiment::LogicExperiment;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::device::{AnyDevice, Device};
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;
use vivarium_lab::train_on_gpu::TrainOnGpu;
use vivarium_logic_ca::{Learner, Report};

impl LogicExperiment {
    /// Advances training on the GPU by at most one finished epoch. Returns `None` if the run is on the CPU.
    pub(super) fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Option<Report>, SliceError>> {
        Some(self.device.as_mut()?.advance(|trainer| self.state.learner.advance_on_gpu(trainer, cpu)))
    }

    /// Moves the run from the GPU to the CPU and notifies the user if local search has begun.
    pub(super) fn leave_for_local_search(&mut self) {
        if self.state.learner.is_in_local_search() && self.device.take().is_some() {
            let notice = "Local search has begun; it runs on the CPU.";
            self.notify(notice.into());
        }
    }
}

impl TrainOnGpu for LogicExperiment {
    fn training_device(&self) -> Option<&dyn AnyDevice> {
        self.device.as_ref().map(|device| device as &dyn AnyDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        self.device = Some(Device::new(gpu, |gpu| self.state.learner.gpu_trainer(gpu))?);
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Gpu>, LabError> {
        Ok(self.device.take().map(Device::leave))
    }

    fn resume_point(&self) -> String {
        "from the last finished epoch".into()
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("task.batch", "fewer boards, or fewer steps or channels, are needed".into())
    }
}

//! Training on a [device](vivarium_lab::device).

use super::evaluator::Evaluator;
use super::experiment::CubeExperiment;
use super::learner::Learner;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::device::{Device, OnDevice};
use vivarium_lab::error::LabError;
use vivarium_lab::train::Stopped;
use vivarium_lab::train_on_gpu::TrainOnGpu;

impl<L: Learner, E: Evaluator<L>> TrainOnGpu for CubeExperiment<L, E> {
    fn trains_on(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), Stopped> {
        self.device = Some(Device::new(gpu, |gpu| self.state.learner.gpu_trainer(gpu))?);
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Gpu>, LabError> {
        Ok(self.device.take().map(Device::leave))
    }

    fn resumes(&self) -> String {
        "with the network of the last finished iteration".into()
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        (L::BATCH, "fewer, or a smaller network, are needed".into())
    }
}

//! Training of the cube experiments on a GPU; see [`vivarium_lab::device`].

use super::background_evaluator::BackgroundEvaluator;
use super::experiment::CubeExperiment;
use super::training::CubeTraining;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::device::{AnyDevice, Device};
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;
use vivarium_lab::train_on_gpu::TrainOnGpu;

impl<L: CubeTraining, E: BackgroundEvaluator<L>> TrainOnGpu for CubeExperiment<L, E> {
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
        "from the last finished iteration".into()
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        (L::BATCH, "a smaller minibatch or network is needed".into())
    }
}

//! Training of the board games on a GPU; see [`vivarium_lab::device`].

use super::experiment::GameExperiment;
use super::rules::TableGame;
use vivarium_agents::Learner;
use vivarium_agents::alphazero::Report;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::{AnyDevice, Device};
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;
use vivarium_lab::train_on_gpu::TrainOnGpu;

impl<G: TableGame> GameExperiment<G> {
    /// Does a bounded amount of training on the GPU. Returns `None` if training runs on the CPU. An iteration is a
    /// generation.
    pub(super) fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Option<Report>, SliceError>> {
        Some(self.device.as_mut()?.advance(|trainer| self.state.learner.advance_on_gpu(trainer, cpu)))
    }
}

impl<G: TableGame> TrainOnGpu for GameExperiment<G> {
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
        "with the network that was read back last".into()
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("network.width", "reduce the network or learning.minibatch".into())
    }
}

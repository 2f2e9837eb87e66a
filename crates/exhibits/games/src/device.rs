//! Training of the board games on a GPU; see [`vivarium_lab::device`].

use super::experiment::GameExperiment;
use super::rules::TableGame;
use vivarium_agents::alphazero::Report;
use vivarium_agents::alphazero::gpu_trainer::{AlphaZeroAdvance, AlphaZeroGpuTrainer};
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::{AnyDevice, Device};
use vivarium_lab::error::LabError;
use vivarium_lab::train::{Slice, SliceError};
use vivarium_lab::train_on_gpu::TrainOnGpu;

impl<G: TableGame> GameExperiment<G> {
    /// Does a bounded amount of training on the GPU. Returns `None` if training runs on the CPU. An iteration is a
    /// generation.
    pub(super) fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Slice<Report>, SliceError>> {
        let learner = &mut self.state.learner;
        let slice = |trainer: &mut AlphaZeroGpuTrainer<G>| {
            Ok(match trainer.advance(cpu, learner)? {
                AlphaZeroAdvance::Waiting => Slice::Waiting,
                AlphaZeroAdvance::Done(_) => Slice::Unfinished,
                AlphaZeroAdvance::Finished(report) => Slice::Finished(*report),
            })
        };
        Some(self.device.as_mut()?.advance(slice))
    }
}

impl<G: TableGame> TrainOnGpu for GameExperiment<G> {
    fn training_device(&self) -> Option<&dyn AnyDevice> {
        self.device.as_ref().map(|device| device as &dyn AnyDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        let make = |gpu: &Gpu| AlphaZeroGpuTrainer::new(gpu, &self.state.learner);
        self.device = Some(Device::new(gpu, make)?);
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

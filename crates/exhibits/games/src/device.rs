//! Training on a [device](vivarium_lab::device).

use super::experiment::GameExperiment;
use super::rules::Playable;
use vivarium_agents::alphazero::Report;
use vivarium_agents::alphazero::gpu_trainer::{Advance, GpuTrainer};
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::{Device, OnDevice};
use vivarium_lab::error::LabError;
use vivarium_lab::train::{Slice, Stopped};
use vivarium_lab::train_on_gpu::TrainOnGpu;

impl<G: Playable> GameExperiment<G> {
    /// Does a slice of training on the device, if one trains; an iteration is a generation.
    pub(super) fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Slice<Report>, Stopped>> {
        let learner = &mut self.state.learner;
        let slice = |trainer: &mut GpuTrainer<G>| {
            Ok(match trainer.advance(cpu, learner)? {
                Advance::Waiting => Slice::Waiting,
                Advance::Done(_) => Slice::Unfinished,
                Advance::Finished(report) => Slice::Finished(*report),
            })
        };
        Some(self.device.as_mut()?.advance(slice))
    }
}

impl<G: Playable> TrainOnGpu for GameExperiment<G> {
    fn trains_on(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), Stopped> {
        let make = |gpu: &Gpu| GpuTrainer::new(gpu, &self.state.learner);
        self.device = Some(Device::new(gpu, make)?);
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Gpu>, LabError> {
        Ok(self.device.take().map(Device::leave))
    }

    fn resumes(&self) -> String {
        "with the network that was read back last".into()
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("network.width", "a smaller network or learning.minibatch is needed".into())
    }
}

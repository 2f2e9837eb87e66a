//! Training on a [device](vivarium_lab::device).

use super::entries::stopped;
use super::experiment::GameExperiment;
use super::rules::Playable;
use vivarium_agents::alphazero::gpu_trainer::{Advance, GpuTrainer};
use vivarium_agents::alphazero::{AlphaZero, Report};
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::{Device, OnDevice};
use vivarium_lab::error::LabError;
use vivarium_lab::train::{Slice, Stopped};
use vivarium_lab::train_on_gpu::TrainOnGpu;

/// Does a slice of work there; an iteration is a generation.
///
/// # Errors
/// [`Stopped`] saying how the run can go on.
pub(super) fn advance<G: Playable>(
    trainer: &mut GpuTrainer<G>,
    cpu: &Cpu,
    learner: &mut AlphaZero<G>,
) -> Result<Slice<Report>, Stopped> {
    Ok(match trainer.advance(cpu, learner).map_err(stopped)? {
        Advance::Waiting => Slice::Waiting,
        Advance::Done(_) => Slice::Unfinished,
        Advance::Finished(report) => Slice::Finished(*report),
    })
}

impl<G: Playable> TrainOnGpu for GameExperiment<G> {
    fn trains_on(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), Stopped> {
        let make = |gpu: &Gpu| GpuTrainer::new(gpu, &self.state.learner).map_err(stopped);
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

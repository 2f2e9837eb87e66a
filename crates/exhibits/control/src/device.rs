//! Training of PPO and DQN on a GPU; see [`vivarium_lab::device`].

use super::dqn::DqnLearner;
use super::experiment::ControlExperiment;
use super::learner::{IterationReport, LearnerOnGpu};
use super::ppo::PpoLearner;
use crate::entries::describe::ControlWorld;
use crate::entries::{dqn, ppo};
use vivarium_agents::Learner;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::{AnyDevice, Device};
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;
use vivarium_lab::train_on_gpu::TrainOnGpu;

impl<W: ControlWorld> TrainOnGpu for ControlExperiment<W> {
    fn training_device(&self) -> Option<&dyn AnyDevice> {
        self.state.learner.device()
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        self.state.learner.place(gpu)
    }

    fn leave(&mut self) -> Result<Option<Gpu>, LabError> {
        Ok(self.state.learner.leave())
    }

    fn resume_point(&self) -> String {
        "from the last finished iteration; no training progress is lost".into()
    }

    fn too_large(&self, error: &GpuError) -> (&'static str, String) {
        self.state.learner.too_large(error)
    }
}

impl<W: ControlWorld> LearnerOnGpu for PpoLearner<W> {
    fn device(&self) -> Option<&dyn AnyDevice> {
        self.device.as_ref().map(|device| device as &dyn AnyDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        self.device = Some(Device::new(gpu, |gpu| self.ppo.gpu_trainer(gpu))?);
        Ok(())
    }

    fn leave(&mut self) -> Option<Gpu> {
        self.device.take().map(Device::leave)
    }

    fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Option<IterationReport>, SliceError>> {
        let slice = self.device.as_mut()?.advance(|trainer| self.ppo.advance_on_gpu(trainer, cpu));
        Some(slice.map(|report| report.as_ref().map(ppo::iteration)))
    }

    fn too_large(&self, error: &GpuError) -> (&'static str, String) {
        let config = self.ppo.config();
        let GpuError::BufferTooLarge { what, needed, allowed } = error else {
            return ("ppo.num_envs", "reduce it or ppo.minibatch".into());
        };
        let of_a_minibatch = what.contains(&format!("for {} rows", config.minibatch));
        let (field, value) = if of_a_minibatch && config.minibatch != config.num_envs {
            ("ppo.minibatch", config.minibatch)
        } else {
            ("ppo.num_envs", config.num_envs)
        };
        // The buffer size is proportional to the field's value.
        let fits = (u128::from(value) * u128::from(*allowed) / u128::from(*needed)).max(1);
        (field, format!("at most about {fits} with the other fields unchanged"))
    }
}

impl<W: ControlWorld> LearnerOnGpu for DqnLearner<W> {
    fn device(&self) -> Option<&dyn AnyDevice> {
        self.device.as_ref().map(|device| device as &dyn AnyDevice)
    }

    fn place(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        self.device = Some(Device::new(gpu, |gpu| self.dqn.gpu_trainer(gpu))?);
        Ok(())
    }

    fn leave(&mut self) -> Option<Gpu> {
        self.device.take().map(Device::leave)
    }

    fn slice_on_gpu(&mut self, cpu: &Cpu) -> Option<Result<Option<IterationReport>, SliceError>> {
        let slice = self.device.as_mut()?.advance(|trainer| self.dqn.advance_on_gpu(trainer, cpu));
        Some(slice.map(|report| report.as_ref().map(dqn::iteration)))
    }

    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("dqn.minibatch", "reduce it or the size of the network".into())
    }
}

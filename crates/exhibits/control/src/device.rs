//! Training on a [device](vivarium_lab::device), by either learner.

use super::dqn::DqnLearner;
use super::learner::{Iteration, Movable};
use super::ppo::{PpoLearner, refused};
use crate::entries::describe::ControlWorld;
use crate::entries::{dqn, ppo};
use vivarium_agents::LearnerError;
use vivarium_agents::dqn::gpu_trainer::{Advance as Advanced, GpuTrainer as DqnTrainer};
use vivarium_agents::ppo::gpu_trainer::{Advance, GpuTrainer};
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::{Device, OnDevice, Slice};
use vivarium_lab::error::LabError;

impl<W: ControlWorld> Movable for PpoLearner<W> {
    fn device(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    /// The iteration that is under way is begun again there.
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), LearnerError> {
        let device = Device::new(gpu.clone(), |gpu| GpuTrainer::new(gpu, &self.ppo))?;
        let state = self.ppo.state().clone();
        self.ppo.adopt(&state)?;
        self.device = Some(device);
        Ok(())
    }

    fn unfit(&self, gpu: &Gpu, error: &LearnerError) -> LabError {
        let config = self.ppo.config();
        let name = &gpu.report().name;
        match error {
            LearnerError::Gpu(GpuError::BufferTooLarge { what, needed, allowed }) => {
                // Every one of these grows in proportion to the field.
                let fits =
                    |value: u32| (u128::from(value) * u128::from(*allowed) / u128::from(*needed)).max(1);
                let of_a_minibatch = what.contains(&format!("for {} rows", config.minibatch));
                let (field, value) = if of_a_minibatch && config.minibatch != config.num_envs {
                    ("minibatch", config.minibatch)
                } else {
                    ("num_envs", config.num_envs)
                };
                let allowed = format!(
                    "on {name} at most about {} are possible with the rest as it is, since {error}",
                    fits(value)
                );
                LabError::invalid(format!("ppo.{field}"), value.to_string(), allowed)
            }
            LearnerError::Gpu(GpuError::OutOfMemory { .. }) => LabError::invalid(
                "ppo.num_envs",
                config.num_envs.to_string(),
                format!("fewer of them, or a smaller ppo.minibatch, are needed on {name}: {error}"),
            ),
            error => refused(error),
        }
    }

    fn leave_gpu(&mut self) -> Option<Gpu> {
        self.device.take().map(|device| device.gpu().clone())
    }

    fn advance_device(&mut self, _: &Cpu) -> Option<Slice<Iteration>> {
        let device = self.device.as_mut()?;
        let advanced = device.trainer.advance();
        device.waiting = matches!(advanced, Ok(Advance::Waiting));
        Some(match advanced {
            Ok(Advance::Waiting) => Slice::Waiting,
            Ok(Advance::Finished(report)) => match self.ppo.adopt(device.trainer.state()) {
                Ok(()) => Slice::Finished(ppo::iteration(&report)),
                Err(error) => stopped(error),
            },
            Err(error) => stopped(error),
        })
    }
}

impl<W: ControlWorld> Movable for DqnLearner<W> {
    fn device(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    fn move_to(&mut self, gpu: &Gpu) -> Result<(), LearnerError> {
        self.device = Some(Device::new(gpu.clone(), |gpu| DqnTrainer::new(gpu, &self.dqn))?);
        Ok(())
    }

    fn unfit(&self, gpu: &Gpu, error: &LearnerError) -> LabError {
        match error {
            LearnerError::Gpu(GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. }) => {
                let allowed =
                    format!("fewer, or a smaller network, are needed on {}: {error}", gpu.report().name);
                LabError::invalid("dqn.minibatch", self.dqn.config().minibatch.to_string(), allowed)
            }
            error => refused(error),
        }
    }

    fn leave_gpu(&mut self) -> Option<Gpu> {
        self.device.take().map(|device| device.gpu().clone())
    }

    fn advance_device(&mut self, cpu: &Cpu) -> Option<Slice<Iteration>> {
        let device = self.device.as_mut()?;
        let advanced = device.trainer.advance(cpu, &mut self.dqn);
        device.waiting = matches!(advanced, Ok(Advanced::Waiting));
        Some(match advanced {
            Ok(Advanced::Waiting) => Slice::Waiting,
            Ok(Advanced::Done(_)) => Slice::Unfinished,
            Ok(Advanced::Finished(report)) => Slice::Finished(dqn::iteration(&report)),
            Err(error) => stopped(error),
        })
    }
}

/// What came of a slice of work that went wrong.
fn stopped(error: LearnerError) -> Slice<Iteration> {
    match error {
        LearnerError::Gpu(error) => Slice::Lost(error),
        error => Slice::Broken(error.to_string()),
    }
}

//! Training that moves to a [device](vivarium_lab::device) and back.

use super::experiment::ControlExperiment;
use super::ppo::refused;
use crate::entries::describe::ControlWorld;
use crate::entries::ppo::{iteration, read};
use serde_json::Value;
use vivarium_agents::LearnerError;
use vivarium_agents::ppo::Ppo;
use vivarium_agents::ppo::gpu_trainer::{Advance, GpuTrainer};
use vivarium_envs::World;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::device::{self, lost};
use vivarium_lab::error::LabError;

/// A GPU at work on the experiment.
pub(super) type Device<W> = device::Device<GpuTrainer<W>>;

impl<W: ControlWorld> ControlExperiment<W> {
    /// Moves training to a GPU; the iteration that is under way is begun again there.
    ///
    /// # Errors
    /// [`LabError`] saying why it does not fit there; it then stays where it is.
    pub(super) fn train_on(&mut self, gpu: Gpu) -> Result<(), LabError> {
        let Some(ppo) = self.learner.ppo() else {
            let message = "deep Q-learning is trained on the CPU alone; proximal policy optimisation, learner=ppo, on either";
            return Err(LabError::engine(message));
        };
        let make = |gpu: &Gpu| GpuTrainer::new(gpu, ppo).map_err(|error| unfit(ppo, gpu, &error));
        let device = Device::new(gpu, make)?;
        forget_iteration(ppo)?;
        self.device = Some(device);
        Ok(())
    }

    /// A slice of work on the device, if training is there.
    pub(super) fn advance_device(&mut self) -> Option<Result<(), LabError>> {
        let device = self.device.as_mut()?;
        let advanced = device.resident.advance();
        device.waiting = matches!(advanced, Ok(Advance::Waiting));
        Some(match advanced {
            Ok(Advance::Waiting) => Ok(()),
            Ok(Advance::Finished(report)) => {
                self.take_over().map_err(|error| refused(&error)).and_then(|()| self.book(iteration(&report)))
            }
            Err(LearnerError::Gpu(error)) => {
                self.lose(&error);
                Ok(())
            }
            Err(error) => {
                let verdict = self.guard.breakdown(error.to_string());
                self.follow(verdict)
            }
        })
    }

    /// Begins anew on the device with what the learner on the CPU is now.
    pub(super) fn renew_device(&mut self) {
        let (Some(device), Some(ppo)) = (self.device.take(), self.learner.ppo()) else { return };
        match device.renewed(|gpu| GpuTrainer::new(gpu, ppo)) {
            Ok(device) => self.device = Some(device),
            Err(LearnerError::Gpu(error)) => self.lose(&error),
            Err(error) => self.lose(&GpuError::Device { reason: error.to_string() }),
        }
    }

    /// Has the learner on the device take over live fields of a config, and the world.
    pub(super) fn set_on_device(&mut self, config: &Value, world: W::Params) -> Result<(), LabError> {
        let Some(device) = &mut self.device else { return Ok(()) };
        device.resident.set_config(read(config)?).map_err(|error| refused(&error))?;
        device.resident.set_world(world).map_err(|error| refused(&error))
    }

    /// The learner on the CPU becomes what the one on the device is.
    fn take_over(&mut self) -> Result<(), LearnerError> {
        match (&self.device, self.learner.ppo()) {
            (Some(device), Some(ppo)) => ppo.adopt(device.resident.state()),
            _ => Ok(()),
        }
    }

    /// Goes on without the device, and says so.
    fn lose(&mut self, error: &GpuError) {
        self.device = None;
        let from = "from the last finished iteration; nothing learnt is lost";
        self.run.report(lost(error, from, self.learner.progress().steps));
    }
}

/// Takes a learner back to the start of its iteration.
fn forget_iteration<W: World>(ppo: &mut Ppo<W>) -> Result<(), LabError> {
    let state = ppo.state().clone();
    ppo.adopt(&state).map_err(|error| refused(&error))
}

/// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
fn unfit<W: World>(ppo: &Ppo<W>, gpu: &Gpu, error: &LearnerError) -> LabError {
    let name = &gpu.report().name;
    let config = ppo.config();
    match error {
        LearnerError::Gpu(GpuError::BufferTooLarge { what, needed, allowed }) => {
            // Every one of these grows in proportion to the field.
            let fits = |value: u32| (u128::from(value) * u128::from(*allowed) / u128::from(*needed)).max(1);
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
        LearnerError::Gpu(error) => LabError::engine(error.to_string()),
        error => refused(error),
    }
}

//! Training on a [device](vivarium_lab::device).

use super::learner::Iteration;
use super::ppo::refused;
use crate::entries::describe::ControlWorld;
use crate::entries::ppo::{iteration, read};
use serde_json::Value;
use vivarium_agents::LearnerError;
use vivarium_agents::ppo::Ppo;
use vivarium_agents::ppo::gpu_trainer::{Advance, GpuTrainer};

use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::device::{self, Slice};
use vivarium_lab::error::LabError;

/// A GPU that trains.
pub(super) type Device<W> = device::Device<GpuTrainer<W>>;

/// Puts training on a GPU; the iteration that is under way is begun again there.
///
/// # Errors
/// [`LabError`] saying why it does not fit there; the learner then stays as it is.
pub(super) fn begin<W: ControlWorld>(gpu: Gpu, ppo: &mut Ppo<W>) -> Result<Device<W>, LabError> {
    let device = Device::new(gpu, |gpu| GpuTrainer::new(gpu, ppo).map_err(|error| unfit(ppo, gpu, &error)))?;
    let state = ppo.state().clone();
    ppo.adopt(&state).map_err(|error| refused(&error))?;
    Ok(device)
}

/// Does a slice of work; the learner on the CPU becomes what the one on the device is.
///
/// # Errors
/// [`LabError`] where it cannot.
pub(super) fn advance<W: ControlWorld>(
    device: &mut Device<W>,
    ppo: &mut Ppo<W>,
) -> Result<Slice<Iteration>, LabError> {
    let advanced = device.resident.advance();
    device.waiting = matches!(advanced, Ok(Advance::Waiting));
    Ok(match advanced {
        Ok(Advance::Waiting) => Slice::Waiting,
        Ok(Advance::Finished(report)) => {
            ppo.adopt(device.resident.state()).map_err(|error| refused(&error))?;
            Slice::Finished(iteration(&report))
        }
        Err(LearnerError::Gpu(error)) => Slice::Lost(error),
        Err(error) => Slice::Broken(error.to_string()),
    })
}

/// Begins anew with what the learner on the CPU is now.
///
/// # Errors
/// [`GpuError`] where the device is gone.
pub(super) fn renewed<W: ControlWorld>(device: Device<W>, ppo: &Ppo<W>) -> Result<Device<W>, GpuError> {
    device.renewed(|gpu| GpuTrainer::new(gpu, ppo)).map_err(|error| match error {
        LearnerError::Gpu(error) => error,
        error => GpuError::Device { reason: error.to_string() },
    })
}

/// Takes over live fields of a config, and the world.
///
/// # Errors
/// [`LabError`] naming what does not fit.
pub(super) fn set<W: ControlWorld>(
    device: &mut Device<W>,
    config: &Value,
    world: W::Params,
) -> Result<(), LabError> {
    device.resident.set_config(read(config)?).map_err(|error| refused(&error))?;
    device.resident.set_world(world).map_err(|error| refused(&error))
}

/// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
fn unfit<W: ControlWorld>(ppo: &Ppo<W>, gpu: &Gpu, error: &LearnerError) -> LabError {
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

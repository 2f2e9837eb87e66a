//! Training on a [device](vivarium_lab::device).

use crate::entries::refused;
use vivarium_config::Config;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_lab::device::{self, Slice};
use vivarium_lab::error::LabError;
use vivarium_logic_ca::gpu_trainer::{Advance, GpuTrainer};
use vivarium_logic_ca::{LogicCa, LogicError, Report};

/// A GPU that trains.
pub(super) type Device = device::Device<GpuTrainer>;

/// Puts training on a GPU; the epoch that is under way is begun again there.
///
/// # Errors
/// [`LabError`] saying why it does not fit there; the learner then stays as it is.
pub(super) fn begin(gpu: Gpu, learner: &mut LogicCa) -> Result<Device, LabError> {
    if learner.is_in_local_search() {
        return Err(LabError::engine(
            "gates are changed one by one now, on trial, which is the processor's work",
        ));
    }
    let make = |gpu: &Gpu| GpuTrainer::new(gpu, learner).map_err(|error| unfit(learner, gpu, &error));
    let device = Device::new(gpu, make)?;
    let state = learner.state();
    learner.adopt(&state).map_err(|error| refused(&error))?;
    Ok(device)
}

/// Does a slice of work; the learner on the CPU becomes what the one on the device is.
pub(super) fn advance(device: &mut Device, learner: &mut LogicCa) -> Slice<Report> {
    let advanced = device.trainer.advance();
    device.waiting = matches!(advanced, Ok(Advance::Waiting));
    match advanced {
        Ok(Advance::Waiting) => Slice::Waiting,
        Ok(Advance::Finished(report)) => match device.trainer.hand_over(learner) {
            Ok(()) => Slice::Finished(report),
            Err(error) => Slice::Broken(error.to_string()),
        },
        Err(LogicError::Gpu(error)) => Slice::Lost(error),
        Err(error) => Slice::Broken(error.to_string()),
    }
}

/// Begins anew with what the learner on the CPU is now.
///
/// # Errors
/// [`GpuError`] where the device is gone.
pub(super) fn renewed(device: Device, learner: &LogicCa) -> Result<Device, GpuError> {
    device.renewed(|gpu| GpuTrainer::new(gpu, learner)).map_err(|error| match error {
        LogicError::Gpu(error) => error,
        error => GpuError::Device { reason: error.to_string() },
    })
}

/// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
fn unfit(learner: &LogicCa, gpu: &Gpu, error: &LogicError) -> LabError {
    match error {
        LogicError::Gpu(error @ (GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. })) => {
            let allowed = format!(
                "fewer boards, or fewer steps or channels, are needed on {}: {error}",
                gpu.report().name
            );
            learner.config().refused("batch", allowed).into()
        }
        error => refused(error),
    }
}

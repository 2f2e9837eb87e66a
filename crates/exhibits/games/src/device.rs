//! Training on a GPU.

use super::entries::refused;
use super::rules::Playable;
use vivarium_agents::LearnerError;
use vivarium_agents::alphazero::gpu_trainer::{Advance, GpuTrainer};
use vivarium_agents::alphazero::{AlphaZero, Report};
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::Device;
use vivarium_lab::error::LabError;

/// Does a slice of work there; where it ended a generation, returns what that one measured.
///
/// # Errors
/// Those of [`GpuTrainer::advance`].
pub(super) fn advance<G: Playable>(
    device: &mut Device<GpuTrainer<G>>,
    cpu: &Cpu,
    learner: &mut AlphaZero<G>,
) -> Result<Option<Report>, LearnerError> {
    let advance = device.trainer.advance(cpu, learner)?;
    device.waiting = advance == Advance::Waiting;
    Ok(match advance {
        Advance::Waiting | Advance::Done(_) => None,
        Advance::Finished(report) => Some(*report),
    })
}

/// Why the learner cannot be on this GPU.
pub(super) fn unfit(gpu: &Gpu, error: LearnerError) -> LabError {
    match error {
        LearnerError::Gpu(error @ (GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. })) => {
            let allowed =
                format!("a smaller network or minibatch is needed on {}: {error}", gpu.report().name);
            LabError::invalid("network", "as given", allowed)
        }
        LearnerError::Gpu(error) => LabError::engine(error.to_string()),
        error => refused(&error),
    }
}

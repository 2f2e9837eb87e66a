//! Helpers of the GPU tests.

use std::sync::OnceLock;
use vivarium_agents::Advance;
use vivarium_agents::ppo::{PpoGpuTrainer, PpoReport};
use vivarium_envs::World;
use vivarium_gpu::Gpu;

#[path = "../../../gpu/tests/shared/open.rs"]
mod open;

pub use open::open;

/// Device shared by the tests.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

/// Runs an iteration.
pub fn iterate<W: World>(trainer: &mut PpoGpuTrainer<W>) -> PpoReport {
    loop {
        if let Advance::Finished(report) = trainer.advance().unwrap() {
            return report;
        }
    }
}

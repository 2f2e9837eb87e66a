//! Helpers of the GPU tests.

use std::sync::OnceLock;
use vivarium_agents::ppo::{PpoAdvance, PpoGpuTrainer, PpoReport};
use vivarium_gpu::Gpu;
use vivarium_gpu::worlds::GpuWorld;

#[path = "../../../gpu/tests/shared/open.rs"]
mod open;

pub use open::open;

/// Device shared by the tests.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

/// Runs an iteration.
pub fn iterate<W: GpuWorld>(trainer: &mut PpoGpuTrainer<W>) -> PpoReport {
    loop {
        if let PpoAdvance::Finished(report) = trainer.advance().unwrap() {
            return report;
        }
    }
}

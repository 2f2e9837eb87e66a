//! What the tests of learners on the GPU share.

use std::sync::OnceLock;
use vivarium_agents::ppo::{Advance, GpuTrainer, Report};
use vivarium_gpu::Gpu;
use vivarium_gpu::worlds::GpuWorld;

#[path = "../../../gpu/tests/shared/open.rs"]
mod open;

pub use open::open;

/// The device that the tests share.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

/// A whole iteration.
pub fn iterate<W: GpuWorld>(trainer: &mut GpuTrainer<W>) -> Report {
    loop {
        if let Advance::Finished(report) = trainer.advance().unwrap() {
            return report;
        }
    }
}

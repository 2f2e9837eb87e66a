//! Helpers of the GPU tests.

use std::fmt::Debug;
use std::sync::OnceLock;
use vivarium_agents::Advance;
use vivarium_agents::ppo::{PpoGpuTrainer, PpoReport};
use vivarium_gpu::Gpu;

#[path = "../../../gpu/tests/shared/open.rs"]
mod open;

pub use open::open;

/// Returns the GPU device that all tests share.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

/// Calls `advance` until an iteration is finished. Returns its report and the kinds of its work.
pub fn finish<W, R, E: Debug>(mut advance: impl FnMut() -> Result<Advance<W, R>, E>) -> (R, Vec<W>) {
    let mut kinds = Vec::new();
    loop {
        match advance().unwrap() {
            Advance::Waiting => {}
            Advance::Unfinished(work) => kinds.push(work),
            Advance::Finished(report) => return (report, kinds),
        }
    }
}

/// Runs an iteration of PPO on the GPU, and returns its report.
pub fn iterate(trainer: &mut PpoGpuTrainer) -> PpoReport {
    finish(|| trainer.advance()).0
}

//! What the tests of learners on the GPU share.

use std::sync::OnceLock;
use vivarium_agents::ppo::{Advance, GpuTrainer, Report};
use vivarium_gpu::worlds::GpuWorld;
use vivarium_gpu::{AdapterChoice, Gpu};

/// Names a piece of the adapter's name that tests must run on.
const ADAPTER: &str = "VIVARIUM_GPU_TEST_ADAPTER";

/// A device of its own, on the adapter that the environment names, or else the best one. A machine without an adapter
/// fails the test: to skip it would be to hide it.
pub fn open() -> Gpu {
    let choice = std::env::var(ADAPTER).map_or(AdapterChoice::Best, AdapterChoice::Named);
    Gpu::open_blocking(&choice).unwrap_or_else(|error| panic!("{error}"))
}

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

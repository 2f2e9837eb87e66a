//! The device of the tests.

use std::sync::OnceLock;

use vivarium_gpu::Gpu;

#[path = "../shared/open.rs"]
mod open;

pub use open::open;

/// Returns the GPU device that the tests share.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

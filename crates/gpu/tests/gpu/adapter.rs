//! The GPU device that the tests share.

use std::sync::OnceLock;

use vivarium_gpu::Gpu;

#[path = "../shared/open.rs"]
mod open;

pub use open::open;

/// Returns the GPU device that the tests share. Opens the device at the first call.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

//! Opens the test device, in this crate and its dependents.

use vivarium_gpu::{AdapterChoice, Gpu};

/// Environment variable with a part of the adapter's name.
const ADAPTER: &str = "VIVARIUM_GPU_TEST_ADAPTER";

/// Opens a device on the adapter that the environment variable selects, or else the best one. Without an adapter the
/// test fails instead of being skipped.
pub fn open() -> Gpu {
    let choice = std::env::var(ADAPTER).map_or(AdapterChoice::Best, AdapterChoice::Named);
    Gpu::open_blocking(&choice).unwrap_or_else(|error| panic!("{error}"))
}

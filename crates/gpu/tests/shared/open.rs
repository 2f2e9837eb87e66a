//! Opens the GPU device of the tests of this crate and of the crates that depend on it.

use vivarium_gpu::{AdapterChoice, Gpu};

/// Name of the environment variable that selects the adapter of the tests by a part of the adapter's name.
const ADAPTER: &str = "VIVARIUM_GPU_TEST_ADAPTER";

/// Opens a device on the adapter that the environment variable [`ADAPTER`] selects, or on the best adapter if the
/// variable is unset. Without an adapter the test fails instead of being skipped.
pub fn open() -> Gpu {
    let choice = std::env::var(ADAPTER).map_or(AdapterChoice::Best, AdapterChoice::Named);
    Gpu::open_blocking(&choice).unwrap_or_else(|error| panic!("{error}"))
}

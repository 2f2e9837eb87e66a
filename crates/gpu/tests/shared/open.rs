//! The device that tests run on, in this crate and in those above.

use vivarium_gpu::{AdapterChoice, Gpu};

/// Names a piece of the adapter's name that tests must run on.
const ADAPTER: &str = "VIVARIUM_GPU_TEST_ADAPTER";

/// A device of its own, on the adapter that the environment names, or else the best one. A machine without an adapter
/// fails the test: to skip it would be to hide it.
pub fn open() -> Gpu {
    let choice = std::env::var(ADAPTER).map_or(AdapterChoice::Best, AdapterChoice::Named);
    Gpu::open_blocking(&choice).unwrap_or_else(|error| panic!("{error}"))
}

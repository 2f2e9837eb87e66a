//! What the tests of experiments on a GPU share.

use vivarium_gpu::{AdapterChoice, Gpu};

/// Names a piece of the adapter's name that tests must run on.
const ADAPTER: &str = "VIVARIUM_GPU_TEST_ADAPTER";

/// A device of its own. A machine without an adapter fails the test: to skip it would be to hide it.
pub fn open() -> Gpu {
    let choice = std::env::var(ADAPTER).map_or(AdapterChoice::Best, AdapterChoice::Named);
    Gpu::open_blocking(&choice).unwrap_or_else(|error| panic!("{error}"))
}

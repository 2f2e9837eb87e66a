//! The suite of the graph crate (networks), on the device.

#[path = "../../graph/tests/common/mod.rs"]
mod common;
#[path = "common/mod.rs"]
mod device;
mod engine;
#[path = "../../graph/tests/suite/networks.rs"]
mod suite;

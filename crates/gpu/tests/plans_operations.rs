//! The suite of the graph crate (operations), on the device.

#[path = "../../graph/tests/common/mod.rs"]
mod common;
#[path = "common/mod.rs"]
mod device;
mod engine;
#[path = "../../graph/tests/suite/operations.rs"]
mod suite;

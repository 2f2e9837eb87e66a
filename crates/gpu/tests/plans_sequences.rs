//! The suite of the graph crate (sequences), on the device.

#[path = "../../graph/tests/common/mod.rs"]
mod common;
#[path = "common/mod.rs"]
mod device;
mod engine;
#[path = "../../graph/tests/suite/sequences.rs"]
mod suite;

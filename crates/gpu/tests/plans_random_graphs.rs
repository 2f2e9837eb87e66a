//! The suite of the graph crate (random_graphs), on the device.

#[path = "../../graph/tests/common/mod.rs"]
mod common;
#[path = "common/mod.rs"]
mod device;
mod engine;
#[path = "../../graph/tests/suite/random_graphs.rs"]
mod suite;

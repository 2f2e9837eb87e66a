//! Tests on one GPU adapter (see [`adapter`]), in one binary to reduce link time.

mod adapter;
#[path = "../../../graph/tests/common/mod.rs"]
mod common;
#[path = "../../../graph/tests/engine/mod.rs"]
mod cpu;
mod device;
mod engine;
mod layers;
mod matmul;
mod memory;
mod network;
mod numbers;
mod random;
mod random_steps;
mod self_check;
mod sequences;
// Engine test suite of the graph crate.
#[path = "../../../graph/tests/suite/mod.rs"]
mod suite;
mod tables;
mod worlds;

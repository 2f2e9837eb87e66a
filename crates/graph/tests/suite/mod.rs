//! Tests that every engine must pass. The test program that includes this file defines the modules `common` and
//! `engine`.

pub mod networks;
pub mod operations;
#[cfg(not(target_arch = "wasm32"))]
pub mod random_graphs;
pub mod sequences;

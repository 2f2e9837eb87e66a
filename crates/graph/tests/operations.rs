//! The gradient of every operation against central differences in f64, on the CPU.

mod common;
mod engine;
#[path = "suite/operations.rs"]
mod suite;

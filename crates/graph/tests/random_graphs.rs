//! Random graphs: whatever is fused, and wherever liveness puts the values, outputs are those of the f64 reference and
//! gradients point where it climbs.
#![cfg(not(target_arch = "wasm32"))]

mod common;
mod engine;
#[path = "suite/random_graphs.rs"]
mod suite;

//! The worlds on the device: their rules in WGSL, and lanes stepped there.

mod rules;

pub use rules::{GpuWorld, RANDOM_WGSL, action_key, reset_key, world_wgsl};

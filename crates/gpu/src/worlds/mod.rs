//! The worlds on the device: their rules in WGSL, and lanes stepped there.

mod check;
mod herd;
mod reading;
mod rules;
mod text;

pub use check::{RANDOM_TOLERANCE, STEP_TOLERANCE, random_error, world_error};
pub use herd::{Herd, HerdError};
pub use reading::{Made, Tally};
pub use rules::{GpuWorld, RANDOM_WGSL, action_key, reset_key, world_wgsl};

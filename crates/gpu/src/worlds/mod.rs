//! The worlds on the device: their rules in WGSL, and random steps under them.

mod check;
mod cubes;
mod random_steps;
mod rules;

pub use check::{RANDOM_TOLERANCE, STEP_TOLERANCE, random_error, world_error};
pub use cubes::{Cubes, RowOutput, Shown};
pub use random_steps::{RandomSteps, Stepped};
pub use rules::{GpuWorld, RANDOM_WGSL, action_key, reset_key, world_wgsl};

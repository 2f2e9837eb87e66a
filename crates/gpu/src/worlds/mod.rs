//! Environments on the device: dynamics in WGSL, random steps, and kernels of the 3×3×3 cube.

mod check;
mod cubes;
mod random_steps;
mod rules;

pub use check::{RANDOM_TOLERANCE, STEP_TOLERANCE, random_error, world_error};
pub use cubes::{CubeKernels, CubeRows, RowOutput};
pub use random_steps::{RandomSteps, RandomStepsResult};
pub use rules::{RANDOM_WGSL, action_key, constant_words, reset_key, step_key, world_wgsl};

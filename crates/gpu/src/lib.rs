//! The GPU engine, through wgpu: WebGPU in the page, Vulkan or Metal natively.
//!
//! - [`Gpu`]: an open adapter. [`Gpu::buffer`] takes memory from a pool, [`Gpu::kernel`] compiles WGSL once.
//! - [`Recorder`] writes a [`Program`], once; [`Gpu::submit`] has it done, any number of times, without making anything new
//!   on the device.
//! - [`Network`] is a graph's plan on the device; [`Optimizer`] steps its parameters.
//! - [`Ring`] brings numbers back without ever waiting for them.
//! - [`worlds`]: the environments, on the device.
//! - [`self_check`]: whether the device computes as the CPU does.
//!
//! Nothing here blocks in a browser, and nothing panics when a device goes away: [`Gpu::check`] reports it.

mod allocation;
mod compile;
mod device;
mod emit;
mod error;
mod kernel;
mod lock;
mod math;
mod memory;
mod network;
mod operand;
pub mod ops;
mod optimizer;
mod program;
mod readback;
mod self_check;
pub mod shader;
mod wgsl;
pub mod worlds;

pub use device::{AdapterChoice, Gpu, Report};
pub use error::GpuError;
pub use kernel::Kernel;
pub use math::MATH_WGSL;
pub use memory::{Buffer, MemoryReport};
pub use network::{Network, Slices};
pub use optimizer::{Control, Optimizer};
pub use program::{Cost, Encoder, Program, Recorder, spread};
pub use readback::{Ring, floats};
pub use self_check::{Checked, disagreement, self_check};
pub use wgsl::{constants, sum_wgsl};

//! GPU engine on wgpu: runs compiled plans and environments on WebGPU (browser), Vulkan or Metal (native).
//!
//! # Main types
//!
//! - [`Gpu`]: an open adapter. [`Gpu::buffer`] allocates from a memory pool.
//! - [`Shader`]: a WGSL kernel with named buffers, uniforms and constants. Compiled kernels are cached.
//! - [`GpuRecorder`] records a [`GpuProgram`] once; [`Gpu::submit`] submits recorded programs any number of times and
//!   creates no new device objects.
//! - [`GpuPlan`]: a [`vivarium_graph::Plan`] on the device. [`GpuOptimizer`]: AdamW on its parameters.
//! - [`ReadbackRing`]: a ring of staging buffers that copies results to the host without blocking.
//! - [`ops`]: the kernels of the graph's operations. [`worlds`]: environments that are stepped on the device.
//! - [`self_check()`]: compares a few kernels with the CPU engine.
//!
//! No function blocks in a browser, and no function panics if the device is lost: [`Gpu::check`] reports the loss.
//!
//! # Example
//!
//! ```
//! use vivarium_gpu::{AdapterChoice, Gpu, GpuRecorder, Shader, floats};
//!
//! # #[cfg(not(target_arch = "wasm32"))]
//! # fn main() -> Result<(), vivarium_gpu::GpuError> {
//! // Machines without a GPU driver have no adapter.
//! let Ok(gpu) = Gpu::open_blocking(&AdapterChoice::Best) else { return Ok(()) };
//! let numbers = gpu.upload("numbers", &[1.0f32, 2.0, 3.0])?;
//! let scale = "var<storage, read_write> numbers: array<f32>;
//!     fn each(i: u32) { numbers[i] *= f32(u.factor); }";
//! let mut recorder = GpuRecorder::new(&gpu);
//! let shader = Shader::new("scale", &[scale]).buffers([("numbers", &numbers)]).uniforms([("factor", 2)]);
//! shader.record_each(&mut recorder, numbers.len())?;
//! let program = recorder.finish()?;
//! gpu.submit(|encoder| encoder.run(&program))?;
//! assert_eq!(floats(&gpu.read_blocking(&numbers, 0..3)?), [2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! # #[cfg(target_arch = "wasm32")]
//! # fn main() {}
//! ```
//!
//! # Design
//!
//! **Programs.** A learner's work on the device is a sequence of kernels with bound buffers, recorded once. Buffers and
//! kernels are created during the first iteration only; tests count both. Compiled kernels stay cached for the next
//! run. A run that ends, moves to the CPU or loses the device releases all of its device memory.
//!
//! **Portability.** Kernels stay within the default limits of WebGPU. A kernel that is correct natively is therefore
//! correct in a browser. Kernels that use subgroups have a portable variant.
//!
//! **Plans.** All values of an execution plan lie in one buffer, the arena. Matrix products, layer norms and attention
//! are separate kernels. The element-wise operations between them, such as a whole loss with its gradient, become one
//! generated shader. Parameter gradients are partial sums over slices of the batch. They are added in a fixed order,
//! without atomics, so that repeated runs on one device are bitwise equal. CPU and GPU round differently, so their runs
//! diverge slowly.
//!
//! **Learners.** PPO runs completely on the device: environment steps, rollouts, GAE, minibatch shuffling and updates.
//! One iteration is one submission, and two submissions may be in flight. Logic cellular automata train in the same
//! way: one epoch is one submission. Other learners keep weights, optimizer state, weight averages and target networks
//! on the device and upload minibatches (`learn::GpuTrainer`). AlphaZero keeps games and search trees on the CPU; two
//! groups of games alternate, so that one group descends its trees while the device evaluates the batch of the other.
//!
//! **Responsiveness.** Long steps, such as an epoch of a large automaton, are submitted in parts of bounded work. The
//! native front end waits at most 50 ms at a time ([`Gpu::set_max_wait`]), so that a run can be interrupted within an
//! iteration.
//!
//! **Device loss.** Each iteration reads back a report and the learner's state. The CPU copy of the learner is the one
//! that is displayed, evaluated and saved. A lost device therefore costs the iterations in flight at most.
//!
//! **Attention** (Dao et al., 2022, [FlashAttention](https://arxiv.org/abs/2205.14135)). The vectors of a token stay in
//! registers while tiles of the other tokens pass through workgroup memory.

mod allocation;
mod builder;
mod compile;
mod constant;
mod device;
mod emit;
mod error;
mod kernel;
mod lock;
#[cfg(all(any(test, debug_assertions), not(target_arch = "wasm32")))]
mod loops;
mod math;
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod open_checked;
mod operand;
pub mod ops;
mod optimizer;
mod plan;
mod program;
mod readback;
mod self_check;
pub mod shader;
mod template;
mod wgsl;
pub mod worlds;

pub use builder::Shader;
pub use constant::{Constant, ShaderPart};
pub use device::{AdapterChoice, AdapterInfo, Gpu};
pub use error::GpuError;
pub use math::math_wgsl;
pub use memory::{Buffer, MemoryReport};
pub use optimizer::{GpuOptimizer, ONE_MINUS_EXP_WGSL, OptimizerControl};
pub use plan::{GpuPlan, GradientSlices};
pub use program::{Cost, Encoder, GpuProgram, GpuRecorder, dispatch_size};
pub use readback::{ReadbackRing, floats};
pub use self_check::{CheckResult, describe_failures, self_check};
pub use wgsl::sum_wgsl;

//! Self-check: compares a few kernels with the CPU before a device is used.

mod layers;
mod plan;
mod policy;
mod result;
#[cfg(feature = "sequences")]
mod sequences;
#[cfg(not(feature = "sequences"))]
#[path = "without_sequences.rs"]
mod sequences;

pub use result::{CheckResult, describe_failures};

use vivarium_envs::CartPole;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::worlds;

/// Compares computations on the device with the CPU: the three matrix products (natively also the largest tile), layer
/// norm and its gradient, tanh and exp, a small policy network with its gradient, random numbers, and an environment
/// step. Builds with sequences also compare a small transformer with its gradient. Compiles fewer than 20 kernels, or
/// about twice as many with sequences.
///
/// # Errors
/// [`GpuError`] if a kernel does not compile, memory is exhausted, or the device is lost.
pub async fn self_check(gpu: &Gpu) -> Result<Vec<CheckResult>, GpuError> {
    let mut checked = layers::check(gpu).await?;
    checked.extend(policy::check(gpu).await?);
    checked.extend(sequences::check(gpu).await?);
    let random = worlds::random_error(gpu).await?;
    checked.push(CheckResult::new("a random number", random, worlds::RANDOM_TOLERANCE));
    let step = worlds::world_error::<CartPole>(gpu).await?;
    checked.push(CheckResult::new("a step of CartPole", step, worlds::STEP_TOLERANCE));
    gpu.check()?;
    Ok(checked)
}

//! Whether this device computes as the CPU does: what a program asks before it trusts a device that it has never met.

mod layers;
mod policy;

use vivarium_envs::CartPole;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::worlds::{self, HerdError};

/// What came of comparing one thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked {
    /// What was computed on both.
    pub name: &'static str,
    /// The largest difference, relative to the larger of 1 and the number's size; infinite where one is not a number.
    pub worst_error: f32,
    /// What it may be.
    pub tolerance: f32,
    /// Whether it is within that.
    pub agrees: bool,
}

impl Checked {
    fn new(name: &'static str, worst_error: f32, tolerance: f32) -> Self {
        Self { name, worst_error, tolerance, agrees: worst_error <= tolerance }
    }

    fn compare(name: &'static str, found: &[f32], expected: &[f32], tolerance: f32) -> Self {
        let apart = |(&a, &b): (&f32, &f32)| {
            let apart = (a - b).abs() / a.abs().max(b.abs()).max(1.0);
            if apart.is_nan() { f32::INFINITY } else { apart }
        };
        let missing = if found.len() == expected.len() { 0.0 } else { f32::INFINITY };
        Self::new(name, found.iter().zip(expected).map(apart).fold(missing, f32::max), tolerance)
    }
}

impl std::fmt::Display for Checked {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { name, worst_error, tolerance, .. } = self;
        let verdict = if self.agrees { "agrees with" } else { "differs from" };
        write!(f, "{name} {verdict} the CPU's: off by {worst_error:.1e}, where {tolerance:.0e} is allowed")
    }
}

/// Why a device is not to be used, in words for a person; `None` where everything agrees.
pub fn disagreement(checked: &[Checked]) -> Option<String> {
    let wrong: Vec<String> = checked.iter().filter(|one| !one.agrees).map(Checked::to_string).collect();
    (!wrong.is_empty()).then(|| format!("this GPU computes wrongly: {}", wrong.join("; ")))
}

/// Computes a handful of things on the device and on the CPU and compares them: the three matrix products (natively the first
/// in the largest tile as well), layer norm and its gradient, tanh and eˣ, a small policy with its gradient, random numbers,
/// and a step of a world. Takes fewer than twenty kernels, which are compiled here if nobody asked for them before.
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel, has no room, or is lost.
pub async fn self_check(gpu: &Gpu) -> Result<Vec<Checked>, GpuError> {
    let mut checked = layers::check(gpu).await?;
    checked.extend(policy::check(gpu).await?);
    let random = worlds::random_error(gpu).await?;
    checked.push(Checked::new("a random number", random, worlds::RANDOM_TOLERANCE));
    let step = match worlds::world_error::<CartPole>(gpu).await {
        Ok(error) => error,
        Err(HerdError::Gpu(error)) => return Err(error),
        Err(HerdError::Env(error)) => return Err(GpuError::Device { reason: error.to_string() }),
    };
    checked.push(Checked::new("a step of CartPole", step, worlds::STEP_TOLERANCE));
    gpu.check()?;
    Ok(checked)
}

/// Numbers in [−1, 1): the CPU's own random ones.
fn numbers(stream: u32, len: usize) -> Vec<f32> {
    use vivarium_kernels::rng;
    (0..len as u32).map(|step| 2.0 * rng::uniform(rng::block(0x5e1f_c4ec, stream, step)[0]) - 1.0).collect()
}

#[cfg(test)]
mod tests {
    use super::{Checked, disagreement};

    #[test]
    fn what_is_wrong_is_named_with_its_numbers() {
        let right = Checked::compare("a sum", &[1.0, 200.0], &[1.0, 200.0001], 1e-5);
        assert!(right.agrees, "{right}");
        assert_eq!(disagreement(&[right]), None);
        let wrong = Checked::compare("a product", &[1.0], &[1.5], 1e-5);
        let message = disagreement(&[right, wrong]).unwrap();
        assert!(message.contains("a product differs from the CPU's: off by 3.3e-1"), "{message}");
        assert!(!message.contains("a sum"), "{message}");
    }

    #[test]
    fn no_number_and_no_answer_are_wrong() {
        assert!(!Checked::compare("", &[f32::NAN], &[1.0], 1.0).agrees);
        assert!(!Checked::compare("", &[], &[1.0], 1.0).agrees);
    }
}

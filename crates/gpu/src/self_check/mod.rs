//! Whether this device computes as the CPU does: what a program asks before it trusts a device that it has never met.

mod layers;
mod policy;
#[cfg(feature = "sequences")]
mod sequences;

use vivarium_envs::CartPole;
use vivarium_graph::{Batch, Gradients, GraphError, PackedParameters, Parameters, Plan, Weights, Workspace};
use vivarium_kernels::simd;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::network::Network;
use crate::program::Recorder;
use crate::readback::floats;
use crate::worlds;

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
/// and a step of a world; in builds with sequences also a small transformer with its gradient. Takes fewer than twenty kernels,
/// with sequences as many again and some, which are compiled here if nobody asked for them before.
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel, has no room, or is lost.
pub async fn self_check(gpu: &Gpu) -> Result<Vec<Checked>, GpuError> {
    let mut checked = layers::check(gpu).await?;
    checked.extend(policy::check(gpu).await?);
    #[cfg(feature = "sequences")]
    checked.extend(sequences::check(gpu).await?);
    let random = worlds::random_error(gpu).await?;
    checked.push(Checked::new("a random number", random, worlds::RANDOM_TOLERANCE));
    let step = worlds::world_error::<CartPole>(gpu).await?;
    checked.push(Checked::new("a step of CartPole", step, worlds::STEP_TOLERANCE));
    gpu.check()?;
    Ok(checked)
}

/// The outputs of a plan, and the gradients of the sum of its losses.
type Found = (Vec<Vec<f32>>, Vec<f32>);

/// What the device finds.
async fn on_the_device(
    gpu: &Gpu,
    plan: &Plan,
    parameters: &Parameters,
    rows: usize,
    inputs: &[&[f32]],
) -> Result<Found, GpuError> {
    let network = Network::new(gpu, plan, rows)?.with_row_weight(1.0);
    let flat = gpu.upload("the self-check's parameters", parameters.flat())?;
    let slices = network.slices()?;
    for (index, input) in inputs.iter().enumerate() {
        gpu.write(network.arena(), network.input(index).start, input);
    }
    let mut recorder = Recorder::new(gpu);
    network.record(&mut recorder, &flat, Some(&slices))?;
    let program = recorder.finish()?;
    gpu.submit(|encoder| encoder.run(&program))?;
    let found = gpu.read(network.arena(), 0..network.arena().len()).await?;
    let parts = gpu.read(&slices.buffer, 0..slices.count * slices.parameters_len).await?;
    let mut gradients = vec![0f32; slices.parameters_len];
    for slice in floats(&parts).chunks_exact(slices.parameters_len) {
        gradients.iter_mut().zip(slice).for_each(|(sum, part)| *sum += part);
    }
    let output = |index| floats(&found)[network.output(index)].to_vec();
    Ok(((0..plan.outputs().len()).map(output).collect(), gradients))
}

/// What the CPU finds.
fn on_the_processor(plan: &Plan, parameters: &Parameters, rows: usize, inputs: &[&[f32]]) -> Found {
    let mut outputs: Vec<Vec<f32>> =
        plan.outputs().iter().map(|shape| vec![0.0; rows * shape.size()]).collect();
    let mut gradients = Gradients::zeros(parameters);
    plan.gradients(
        Weights::new(parameters, &PackedParameters::new(simd::level(), parameters)),
        &mut Workspace::new(plan),
        Batch::new(rows, inputs).weighted(1.0),
        &mut outputs.iter_mut().map(Vec::as_mut_slice).collect::<Vec<_>>(),
        &mut gradients,
    );
    (outputs, gradients.flat().to_vec())
}

/// Compares two outputs and the gradient of a plan, which are named in this order.
async fn compare(
    gpu: &Gpu,
    defined: Result<(Plan, Parameters), GraphError>,
    rows: usize,
    inputs: &[&[f32]],
    tolerance: f32,
    names: [&'static str; 3],
) -> Result<Vec<Checked>, GpuError> {
    let (plan, parameters) = defined.map_err(|error| GpuError::Device { reason: error.to_string() })?;
    let (found, found_gradients) = on_the_device(gpu, &plan, &parameters, rows, inputs).await?;
    let (expected, gradients) = on_the_processor(&plan, &parameters, rows, inputs);
    Ok(vec![
        Checked::compare(names[0], &found[0], &expected[0], tolerance),
        Checked::compare(names[1], &found[1], &expected[1], tolerance),
        Checked::compare(names[2], &found_gradients, &gradients, tolerance),
    ])
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

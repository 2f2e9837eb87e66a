//! Self-check: compares a few kernels with the CPU before a device is used.

mod layers;
mod policy;
#[cfg(feature = "sequences")]
mod sequences;

use vivarium_envs::CartPole;
use vivarium_graph::{
    BatchInputs, Gradients, GraphError, PackedParameters, Parameters, Plan, PlanWeights, Workspace,
};
use vivarium_kernels::simd;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::plan::GpuPlan;
use crate::program::GpuRecorder;
use crate::readback::floats;
use crate::worlds;

/// Result of one comparison with the CPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckResult {
    /// Name of the compared computation.
    pub name: &'static str,
    /// Maximum error over all results, relative to the larger of 1 and the result's magnitude; infinite for NaN.
    pub worst_error: f32,
    /// Maximum allowed value of `worst_error`.
    pub tolerance: f32,
    /// Whether `worst_error` is within `tolerance`.
    pub agrees: bool,
}

impl CheckResult {
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

impl std::fmt::Display for CheckResult {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { name, worst_error, tolerance, .. } = self;
        let verdict = if self.agrees { "agrees with" } else { "differs from" };
        write!(f, "{name} {verdict} the CPU: error {worst_error:.1e}, tolerance {tolerance:.0e}")
    }
}

/// Describes the failed comparisons. Returns `None` if all comparisons agree.
pub fn describe_failures(checked: &[CheckResult]) -> Option<String> {
    let wrong: Vec<String> = checked.iter().filter(|one| !one.agrees).map(CheckResult::to_string).collect();
    (!wrong.is_empty()).then(|| format!("the GPU failed its self-check: {}", wrong.join("; ")))
}

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
    #[cfg(feature = "sequences")]
    checked.extend(sequences::check(gpu).await?);
    let random = worlds::random_error(gpu).await?;
    checked.push(CheckResult::new("a random number", random, worlds::RANDOM_TOLERANCE));
    let step = worlds::world_error::<CartPole>(gpu).await?;
    checked.push(CheckResult::new("a step of CartPole", step, worlds::STEP_TOLERANCE));
    gpu.check()?;
    Ok(checked)
}

/// Results of an execution plan: its outputs, and the flat parameter gradient of the sum of its losses.
type Found = (Vec<Vec<f32>>, Vec<f32>);

/// Evaluates an execution plan on the device, for a batch of `rows` rows.
async fn on_the_device(
    gpu: &Gpu,
    plan: &Plan,
    parameters: &Parameters,
    rows: usize,
    inputs: &[&[f32]],
) -> Result<Found, GpuError> {
    let network = GpuPlan::new(gpu, plan, rows)?.with_row_weight(1.0);
    let flat = gpu.upload("the self-check's parameters", parameters.flat())?;
    let slices = network.slices()?;
    for (index, input) in inputs.iter().enumerate() {
        gpu.write(network.arena(), network.input(index).start, input);
    }
    let mut recorder = GpuRecorder::new(gpu);
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

/// Evaluates an execution plan on the CPU, for a batch of `rows` rows.
fn on_the_processor(plan: &Plan, parameters: &Parameters, rows: usize, inputs: &[&[f32]]) -> Found {
    let mut outputs: Vec<Vec<f32>> =
        plan.outputs().iter().map(|shape| vec![0.0; rows * shape.size()]).collect();
    let mut gradients = Gradients::zeros(parameters);
    plan.gradients(
        PlanWeights::new(parameters, &PackedParameters::new(simd::level(), parameters)),
        &mut Workspace::new(plan),
        BatchInputs::new(rows, inputs).weighted(1.0),
        &mut outputs.iter_mut().map(Vec::as_mut_slice).collect::<Vec<_>>(),
        &mut gradients,
    );
    (outputs, gradients.flat().to_vec())
}

/// Compares the first two outputs and the gradient of an execution plan between device and CPU. `names` are the names
/// of these three results, in this order.
async fn compare(
    gpu: &Gpu,
    defined: Result<(Plan, Parameters), GraphError>,
    rows: usize,
    inputs: &[&[f32]],
    tolerance: f32,
    names: [&'static str; 3],
) -> Result<Vec<CheckResult>, GpuError> {
    let (plan, parameters) = defined.map_err(|error| GpuError::Device { reason: error.to_string() })?;
    let (found, found_gradients) = on_the_device(gpu, &plan, &parameters, rows, inputs).await?;
    let (expected, gradients) = on_the_processor(&plan, &parameters, rows, inputs);
    Ok(vec![
        CheckResult::compare(names[0], &found[0], &expected[0], tolerance),
        CheckResult::compare(names[1], &found[1], &expected[1], tolerance),
        CheckResult::compare(names[2], &found_gradients, &gradients, tolerance),
    ])
}

/// Returns `len` uniform random numbers in [−1, 1) from the random stream `stream`.
fn numbers(stream: u32, len: usize) -> Vec<f32> {
    use vivarium_kernels::rng;
    (0..len as u32).map(|step| 2.0 * rng::uniform(rng::block(0x5e1f_c4ec, stream, step)[0]) - 1.0).collect()
}

#[cfg(test)]
mod tests {
    use super::{CheckResult, describe_failures};

    #[test]
    fn failed_checks_are_reported_with_their_errors() {
        let right = CheckResult::compare("a sum", &[1.0, 200.0], &[1.0, 200.0001], 1e-5);
        assert!(right.agrees, "{right}");
        assert_eq!(describe_failures(&[right]), None);
        let wrong = CheckResult::compare("a product", &[1.0], &[1.5], 1e-5);
        let message = describe_failures(&[right, wrong]).unwrap();
        assert!(message.contains("a product differs from the CPU: error 3.3e-1"), "{message}");
        assert!(!message.contains("a sum"), "{message}");
    }

    #[test]
    fn nan_and_missing_results_fail() {
        assert!(!CheckResult::compare("", &[f32::NAN], &[1.0], 1.0).agrees);
        assert!(!CheckResult::compare("", &[], &[1.0], 1.0).agrees);
    }
}

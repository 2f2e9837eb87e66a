//! Evaluates an execution plan on the device and on the CPU, and compares outputs and gradients.

use vivarium_graph::{
    BatchInputs, Gradients, GraphError, PackedParameters, Parameters, Plan, PlanWeights, Workspace,
};
use vivarium_kernels::simd;

use super::result::CheckResult;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::plan::GpuPlan;
use crate::program::GpuRecorder;
use crate::readback::floats;

/// Results of an execution plan: its outputs, and the flat parameter gradient of the sum of its losses.
type Found = (Vec<Vec<f32>>, Vec<f32>);

/// Evaluates an execution plan on the device, for a batch of `rows` rows. Returns its outputs and the flat parameter
/// gradient.
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

/// Evaluates an execution plan on the CPU, for a batch of `rows` rows. Returns its outputs and the flat parameter
/// gradient.
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
pub(super) async fn compare(
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

/// Returns `len` uniform random numbers in [−1, 1), drawn from the random stream with index `stream`.
pub(super) fn numbers(stream: u32, len: usize) -> Vec<f32> {
    use vivarium_kernels::rng;
    (0..len as u32).map(|step| 2.0 * rng::uniform(rng::block(0x5e1f_c4ec, stream, step)[0]) - 1.0).collect()
}

//! A small policy and the gradient of its loss, as the engine compiles them from a graph, against the CPU engine.

use vivarium_graph::{Gradients, Graph, GraphError, PackedParameters, Parameters, Plan, Workspace};
use vivarium_kernels::simd;

use super::{Checked, numbers};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::network::Network;
use crate::program::Recorder;
use crate::readback::floats;

const ROWS: usize = 24;
const TOLERANCE: f32 = 2e-5;

/// The cross-entropy of a policy with one hidden layer, and its parameters.
fn policy() -> Result<(Plan, Parameters), GraphError> {
    let mut g = Graph::new();
    let observation = g.input("observation", &[4]);
    let action = g.input("action", &[1]);
    let hidden = g.linear("hidden", observation, 16);
    let hidden = g.tanh(hidden);
    let logits = g.linear("policy", hidden, 3);
    let probabilities = g.softmax(logits);
    let loss = g.cross_entropy(logits, action);
    Ok((Plan::compile(&g.gradient(loss), &[loss, probabilities], ROWS)?, Parameters::new(&g, 1)?))
}

pub(super) async fn check(gpu: &Gpu) -> Result<Vec<Checked>, GpuError> {
    let (plan, parameters) = policy().map_err(|error| GpuError::Device { reason: error.to_string() })?;
    let observations = numbers(6, ROWS * 4);
    let actions: Vec<f32> = (0..ROWS).map(|row| (row % 3) as f32).collect();

    let network = Network::new(gpu, &plan, ROWS)?.with_row_weight(1.0);
    let flat = gpu.upload("the self-check's parameters", parameters.flat())?;
    let slices = network.slices()?;
    gpu.write(network.arena(), network.input(0).start, &observations);
    gpu.write(network.arena(), network.input(1).start, &actions);
    let mut recorder = Recorder::new(gpu);
    network.record(&mut recorder, &flat, Some(&slices))?;
    let program = recorder.finish()?;
    gpu.submit(|encoder| encoder.run(&program))?;
    let found = gpu.read(network.arena(), 0..network.arena().len()).await?;
    let found_slices = gpu.read(&slices.buffer, 0..slices.count * slices.parameters_len).await?;
    let mut found_gradients = vec![0f32; slices.parameters_len];
    for slice in floats(&found_slices).chunks_exact(slices.parameters_len) {
        found_gradients.iter_mut().zip(slice).for_each(|(sum, part)| *sum += part);
    }

    let packed = PackedParameters::new(simd::level(), &parameters);
    let (mut losses, mut probabilities) = (vec![0.0; ROWS], vec![0.0; ROWS * 3]);
    let mut gradients = Gradients::zeros(&parameters);
    plan.gradients(
        simd::level(),
        &parameters,
        &packed,
        &mut Workspace::new(&plan),
        ROWS,
        1.0,
        &[&observations, &actions],
        &mut [&mut losses, &mut probabilities],
        &mut gradients,
    );
    let output = |index: usize| &floats(&found)[network.output(index)];
    Ok(vec![
        Checked::compare("a policy's loss", output(0), &losses, TOLERANCE),
        Checked::compare("a softmax", output(1), &probabilities, TOLERANCE),
        Checked::compare("a policy's gradient", &found_gradients, gradients.flat(), TOLERANCE),
    ])
}

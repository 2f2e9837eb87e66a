//! Environment stepping on the device without a learner, with uniformly random actions and resets.

use super::cost_model::CostModel;
use super::device::fastest;
use crate::bench::control::raw;
use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use vivarium_envs::{Autoreset, CompiledWorld, VectorEnv, each_world};
use vivarium_gpu::Gpu;
use vivarium_gpu::worlds::RandomSteps;
use vivarium_kernels::simd;

/// Work of a dispatch on a GPU: number of environments, and number of steps of each environment. The work occupies a
/// large GPU for several milliseconds.
const GPU_WORK: (usize, u32) = (1 << 20, 128);
/// Work of a dispatch on a software adapter: number of environments, and number of steps of each environment.
const SOFTWARE_WORK: (usize, u32) = (1 << 13, 128);

/// Measures and reports the environment steps per second of every environment on the device.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), CliError> {
    each_world!(world(reporter, gpu, cost_model)).into_iter().collect()
}

fn world<W: CompiledWorld>(
    reporter: &mut Reporter,
    gpu: &Gpu,
    cost_model: &CostModel<'_>,
) -> Result<(), CliError> {
    let name = format!("gpu/{}/raw", W::NAME);
    if !reporter.selects(&name) {
        return Ok(());
    }
    let (num_envs, steps) = if gpu.adapter_info().software { SOFTWARE_WORK } else { GPU_WORK };
    let env = VectorEnv::<W>::new(simd::level(), W::Params::default(), 1, 0, num_envs, Autoreset::SameStep)
        .map_err(CliError::failed_by)?;
    let program =
        RandomSteps::of(gpu, &env).and_then(|envs| envs.program(steps)).map_err(CliError::failed_by)?;
    let seconds = fastest(reporter.seconds(), || {
        gpu.submit(|encoder| encoder.run(&program))?;
        gpu.wait()
    })
    .map_err(CliError::failed_by)?;
    let bound = cost_model.seconds(program.cost()).map_err(CliError::failed_by)?;
    let all = num_envs as f64 * f64::from(steps);
    let figure = BenchFigure::new(name, all / seconds, "steps/s")
        .on_gpu(&gpu.adapter_info().name)
        .bounded_by(all / bound);
    // The default parameters are always valid.
    let on_cpu = raw::steps_per_second::<W>(crate::machine::cores(), reporter.seconds())
        .map_err(CliError::failed_by)?;
    reporter.report(figure.against("the CPU engine", on_cpu));
    Ok(())
}

//! Raw stepping on the device: environments alone, under uniformly random actions, resets included.

use super::device::fastest;
use super::floor::Floor;
use crate::bench::control::raw;
use crate::bench::{Figure, Reporter};
use crate::failure::Failure;
use vivarium_envs::{Autoreset, VectorEnv, each_world};
use vivarium_gpu::Gpu;
use vivarium_gpu::worlds::{GpuWorld, RandomSteps};

/// Lanes and steps of one dispatch: enough to fill a large GPU for some milliseconds.
const LARGE: (usize, u32) = (1 << 20, 128);
/// The same for a program on the processor.
const SMALL: (usize, u32) = (1 << 13, 128);

/// Measures and reports every world's figure.
///
/// # Errors
/// What the device reports.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, floor: &Floor<'_>) -> Result<(), Failure> {
    each_world!(world(reporter, gpu, floor)).into_iter().collect()
}

fn world<W: GpuWorld>(reporter: &mut Reporter, gpu: &Gpu, floor: &Floor<'_>) -> Result<(), Failure> {
    let name = format!("gpu/{}/raw", W::NAME);
    if !reporter.wants(&name) {
        return Ok(());
    }
    let (lanes, steps) = if gpu.adapter_info().software { SMALL } else { LARGE };
    let env = VectorEnv::<W>::new(W::Params::default(), 1, 0, lanes, Autoreset::SameStep)
        .map_err(Failure::failed_by)?;
    let program =
        RandomSteps::of(gpu, &env).and_then(|lanes| lanes.program(steps)).map_err(Failure::failed_by)?;
    let seconds = fastest(reporter.seconds(), || {
        gpu.submit(|encoder| encoder.run(&program))?;
        gpu.wait()
    })
    .map_err(Failure::failed_by)?;
    let bound = floor.seconds(program.cost()).map_err(Failure::failed_by)?;
    let all = lanes as f64 * f64::from(steps);
    let figure =
        Figure::new(name, all / seconds, "steps/s").on_gpu(&gpu.adapter_info().name).bounded_by(all / bound);
    // A world's own defaults are always in range.
    let on_cpu = raw::steps_per_second::<W>(crate::machine::cores(), reporter.seconds())
        .map_err(Failure::failed_by)?;
    reporter.report(figure.against("the CPU engine", on_cpu));
    Ok(())
}

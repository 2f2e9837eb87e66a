//! Benchmark suite `gpu`: device overheads and training speeds, compared with the CPU engine on the same machine.

mod alphazero_step;
mod cost_model;
mod cubes;
mod device;
mod games;
mod gemm;
mod language;
mod logic_ca;
mod ppo;
mod raw;
mod self_play;

use super::Reporter;
use super::args::BenchArgs;
use crate::error::CliError;
use cost_model::CostModel;
use vivarium_gpu::GpuError;

/// Runs the benchmark suite `gpu` and reports the results.
///
/// # Errors
/// [`CliError::Failed`] if the device fails, or if no adapter is found although the command line has the suite or
/// `--adapter`.
pub fn run(reporter: &mut Reporter, args: &BenchArgs) -> Result<(), CliError> {
    let gpu = match vivarium_gpu::Gpu::open_checked_blocking(args.adapter.as_deref()) {
        Ok(gpu) => gpu,
        Err(why) if args.suites.is_empty() && args.adapter.is_none() => {
            reporter.note(&format!("skipped: {why}"));
            return Ok(());
        }
        Err(why) => return Err(CliError::failed(format!("bench gpu: {why}"))),
    };
    let report = gpu.adapter_info();
    reporter.note(&format!("{} ({}, {})", report.name, report.backend, report.driver));
    if report.software {
        reporter.note(
            "This adapter is a software rasterizer. Its figures show that the kernels run, not the speed of a GPU.",
        );
    }
    reporter.note(
        "The bound of a figure is the time of its dispatches and copies alone, at the speeds measured here.",
    );
    let cost_model = CostModel::new(&gpu, reporter.seconds());
    cost_model::run(reporter, &gpu, &cost_model).map_err(broken)?;
    gemm::run(reporter, &gpu).map_err(broken)?;
    raw::run(reporter, &gpu, &cost_model)?;
    ppo::run(reporter, &gpu, &cost_model)?;
    logic_ca::run(reporter, &gpu, &cost_model)?;
    cubes::run(reporter, &gpu, &cost_model)?;
    games::run(reporter, &gpu)?;
    self_play::run(reporter, &gpu)?;
    alphazero_step::run(reporter, &gpu, &cost_model)?;
    language::run(reporter, &gpu, &cost_model)
}

fn broken(error: GpuError) -> CliError {
    CliError::failed(format!("bench gpu: {error}"))
}

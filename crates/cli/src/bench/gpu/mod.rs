//! The suite `gpu`: what a device costs and gives, beside the CPU engine on the same machine.

mod alphazero_step;
mod cubes;
mod device;
mod floor;
mod games;
mod gemm;
mod language;
mod logic_ca;
mod ppo;
mod raw;
mod self_play;

use super::Reporter;
use crate::command_line::BenchArgs;
use crate::failure::Failure;
use floor::Floor;
use vivarium_gpu::GpuError;

/// What follows the names of the figures that are measured together: the whole, and what it asks of the device.
const PARTS: [&str; 3] = ["", "/dispatches", "/bytes"];

/// Measures and reports every figure of the suite.
///
/// # Errors
/// [`Failure::Failed`] where there is no adapter although the suite was asked for by name, or where it breaks down.
pub fn run(reporter: &mut Reporter, args: &BenchArgs) -> Result<(), Failure> {
    let gpu = match crate::gpu::open(args.adapter.as_deref()) {
        Ok(gpu) => gpu,
        Err(why) if args.suites.is_empty() && args.adapter.is_none() => {
            reporter.note(&format!("left out: {why}"));
            return Ok(());
        }
        Err(why) => return Err(Failure::failed(format!("bench gpu: {why}"))),
    };
    let report = gpu.adapter_info();
    reporter.note(&format!("{} ({}, {})", report.name, report.backend, report.driver));
    if report.software {
        reporter.note(
            "This adapter is a program on the processor. Its figures say that the kernels run, and nothing of a GPU.",
        );
    }
    reporter.note("Beside what a learner reaches stands its bound: its dispatches and copies, each as quick as here measured.");
    let floor = Floor::new(&gpu, reporter.seconds());
    floor::run(reporter, &gpu, &floor).map_err(broken)?;
    gemm::run(reporter, &gpu).map_err(broken)?;
    raw::run(reporter, &gpu, &floor)?;
    ppo::run(reporter, &gpu, &floor)?;
    logic_ca::run(reporter, &gpu, &floor)?;
    cubes::run(reporter, &gpu, &floor)?;
    games::run(reporter, &gpu)?;
    self_play::run(reporter, &gpu)?;
    alphazero_step::run(reporter, &gpu, &floor)?;
    language::run(reporter, &gpu, &floor)
}

fn broken(error: GpuError) -> Failure {
    Failure::failed(format!("bench gpu: {error}"))
}

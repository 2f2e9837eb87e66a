//! Cubes on the device: a gradient step of deep Q-learning (DQN) for the 2×2×2 cube; training samples per second of
//! EfficientCube and a beam search for the 3×3×3 cube.

use super::cost_model::{CostModel, RESULT_SUFFIXES};
use super::device::fastest;
use crate::bench::cube2::train_step;
use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use std::time::Instant;
use vivarium_agents::LearnerError;
use vivarium_agents::cube3::{
    self, BeamSearch, BeamSearchSettings, Cube3Config, Cube3Learner, GpuBeamSearch,
};
use vivarium_agents::dqn::gpu_trainer::DqnGpuTrainer;
use vivarium_agents::dqn::{CubeParams, CubeProblem, Dqn, DqnConfig, DqnWork};
use vivarium_agents::{Advance, Learner};
use vivarium_envs::cube::Cube3;
use vivarium_gpu::{Cost, Gpu};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;

/// Runs the cube benchmarks on the device and reports the results.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), CliError> {
    dqn_step(reporter, gpu, cost_model).map_err(CliError::failed_by)?;
    efficient_cube_samples(reporter, gpu, cost_model).map_err(CliError::failed_by)?;
    beam_search(reporter, gpu, cost_model).map_err(CliError::failed_by)
}

/// Measures a gradient step of DQN with the default network on a minibatch of 8,192 (software adapter: 256),
/// including sampling, encoding and priority updates.
fn dqn_step(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), LearnerError> {
    let minibatch = if gpu.adapter_info().software { 256 } else { 8192 };
    let Some([name, more @ ..]) =
        reporter.select_group(&format!("gpu/cube2/train_step/{minibatch}"), RESULT_SUFFIXES)
    else {
        return Ok(());
    };
    let config = DqnConfig { minibatch, warm_up: minibatch, iteration: 1_000_000, ..DqnConfig::default() };
    let learner = || Dqn::<CubeProblem>::new(config.clone(), CubeParams::default(), 1);
    let (cpu, one, mut there, mut here) = (Cpu::new(machine::cores()), Cpu::new(1), learner()?, learner()?);
    let mut trainer = DqnGpuTrainer::new(gpu, &there)?;
    let on_device = train_step(reporter.seconds(), || {
        loop {
            if let Advance::Unfinished(work) = trainer.advance(&cpu, &mut there)? {
                return Ok::<DqnWork, LearnerError>(work);
            }
        }
    })?;
    let on_cpu = train_step(reporter.seconds(), || {
        let work = here.next_work();
        here.advance(&one).map(|_| work)
    })?;
    let step = BenchFigure::new(name, 1e3 * on_device, "ms").on_gpu(&gpu.adapter_info().name);
    let bound = 1e3 * cost_model.seconds(trainer.cost())?;
    reporter.report(step.bounded_by(bound).against("the CPU engine on one thread", 1e3 * on_cpu));
    report_costs(reporter, gpu, more, trainer.cost(), "a step");
    Ok(())
}

/// Measures the training samples per second of EfficientCube with the default config. A software adapter gets a
/// smaller network and batch. The time includes generation and encoding of scrambles.
fn efficient_cube_samples(
    reporter: &mut Reporter,
    gpu: &Gpu,
    cost_model: &CostModel<'_>,
) -> Result<(), LearnerError> {
    let Some([name, more @ ..]) = reporter.select_group("gpu/cube3/samples", RESULT_SUFFIXES) else {
        return Ok(());
    };
    let usual = Cube3Config { iteration: 8, ..Cube3Config::default() };
    let config = match gpu.adapter_info().software {
        true => Cube3Config { width: 64, scrambles: 4, iteration: 2, ..usual },
        false => usual,
    };
    let samples = f64::from(config.iteration) * config.batch() as f64;
    let learner = || Cube3Learner::new(config.clone(), 1);
    let (cpu, mut there, mut here) = (Cpu::new(machine::cores()), learner()?, learner()?);
    let mut trainer = cube3::gpu_trainer::Cube3GpuTrainer::new(gpu, &there)?;
    let on_device = fastest(reporter.seconds(), || {
        loop {
            if let Advance::Finished(_) = trainer.advance(&cpu, &mut there)? {
                return Ok::<(), LearnerError>(());
            }
        }
    })?;
    let on_cpu = fastest(reporter.seconds(), || here.iterate(&cpu).map(drop))?;
    let rate = BenchFigure::new(name, samples / on_device, "samples/s").on_gpu(&gpu.adapter_info().name);
    let bound = samples / cost_model.seconds(trainer.cost() * u64::from(config.iteration))?;
    reporter.report(rate.bounded_by(bound).against("the CPU engine", samples / on_cpu));
    report_costs(reporter, gpu, more, trainer.cost(), "a step");
    Ok(())
}

/// Depth of the measured beam search in moves: the typical solution length of a random cube at a large beam width.
const SEARCH_DEPTH: usize = 25;

/// Measures a beam search with the untrained default network. The network does not solve the cube; therefore every
/// search reaches the depth [`SEARCH_DEPTH`].
fn beam_search(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), LearnerError> {
    let usual = Cube3Config::default();
    let (width, config) = match gpu.adapter_info().software {
        true => (256, Cube3Config { width: 64, ..usual }),
        false => (65_536, usual),
    };
    let Some([name, more @ ..]) = reporter.select_group(&format!("gpu/cube3/beam/{width}"), RESULT_SUFFIXES)
    else {
        return Ok(());
    };
    let network = Cube3Learner::new(config.clone(), 1)?.averaged_network()?;
    let settings = BeamSearchSettings { metric: config.metric, width, max_moves: SEARCH_DEPTH };
    let cube = Cube3::random(&mut Stream::new(1, 0));
    let cpu = Cpu::new(machine::cores());
    let mut search = BeamSearch::new(settings, cube);
    let mut device = GpuBeamSearch::new(gpu, &network, config.metric, width)?;
    let on_device = fastest(reporter.seconds(), || {
        search.restart(cube);
        device.run(&cpu, &mut search)
    })?;
    let start = Instant::now();
    search.restart(cube);
    search.run(&cpu, &network);
    let on_cpu = start.elapsed().as_secs_f64();
    let figure = BenchFigure::new(name, on_device, "s").on_gpu(&gpu.adapter_info().name);
    let bound = cost_model.seconds(device.cost(width) * SEARCH_DEPTH as u64)?;
    reporter.report(figure.bounded_by(bound).against("the CPU engine", on_cpu));
    report_costs(reporter, gpu, more, device.cost(width), "a move");
    Ok(())
}

/// Reports the numbers of dispatches and of copied bytes per gradient step, or per move of a beam search. `each` is
/// the unit of the number of dispatches: "a step" or "a move".
fn report_costs(
    reporter: &mut Reporter,
    gpu: &Gpu,
    [dispatches, bytes]: [String; 2],
    cost: Cost,
    each: &'static str,
) {
    let adapter = &gpu.adapter_info().name;
    reporter.report(BenchFigure::new(dispatches, cost.dispatches as f64, each).on_gpu(adapter));
    let megabytes = if each == "a move" { "MB a move" } else { "MB a step" };
    reporter.report(BenchFigure::new(bytes, cost.bytes_copied as f64 * 1e-6, megabytes).on_gpu(adapter));
}

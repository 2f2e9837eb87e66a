//! Self-play of backgammon with a large network: search simulations per second. The device evaluates the network, all
//! CPU cores search.

use super::cost_model::RESULT_SUFFIXES;
use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use std::time::Instant;
use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::alphazero::gpu_trainer::AlphaZeroGpuTrainer;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroConfig, SelfPlayGame};
use vivarium_envs::backgammon::State;
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;

/// Benchmarks MCTS self-play of backgammon with 100 simulations per decision and without gradient steps, and reports
/// simulations per second. A software adapter gets fewer games and simulations.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu) -> Result<(), CliError> {
    match reporter.select_group(&format!("gpu/{}/self_play/256x5", State::NAME), RESULT_SUFFIXES) {
        Some(names) => measure(reporter, gpu, names).map_err(CliError::failed_by),
        None => Ok(()),
    }
}

fn measure(
    reporter: &mut Reporter,
    gpu: &Gpu,
    [name, dispatches, bytes]: [String; 3],
) -> Result<(), LearnerError> {
    let (threads, adapter) = (machine::cores(), &gpu.adapter_info().name);
    // Two groups of games: the cores search in one group while the device evaluates leaves of the other group.
    let config = AlphaZeroConfig {
        width: 256,
        blocks: 5,
        workers: 2 * threads as u32,
        games: if gpu.adapter_info().software { 8 } else { 64 },
        simulations: if gpu.adapter_info().software { 8 } else { 100 },
        search_share: 1.0,
        games_before_search: 0,
        trace: 1.0,
        final_trace: 1.0,
        replay_ratio: 0.0,
        generation: 1 << 26,
        ..State::config()
    };
    let learner = || AlphaZero::<State>::new(config.clone(), 1);
    let (cpu, mut there, mut here) = (Cpu::new(threads), learner()?, learner()?);
    let mut trainer = AlphaZeroGpuTrainer::new(gpu, &there)?;
    let on_device = simulations_per_second(reporter.seconds(), || {
        trainer.advance(&cpu, &mut there)?;
        Ok(there.counters().simulations)
    })?;
    let on_cpu = simulations_per_second(reporter.seconds(), || {
        here.advance(&cpu)?;
        Ok(here.counters().simulations)
    })?;
    let rate = BenchFigure::new(name, on_device, "simulations/s").on(threads).on_gpu(adapter);
    reporter.report(rate.against("the CPU engine", on_cpu));
    let [kernels, copied] = trainer.cost_of_batch();
    reporter.report(BenchFigure::new(dispatches, kernels, "a batch").on_gpu(adapter));
    reporter.report(BenchFigure::new(bytes, copied * 1e-3, "kB a batch").on_gpu(adapter));
    Ok(())
}

/// Returns the number of simulations per second over complete self-play iterations, excluding the first iteration.
/// Each call of `advance` does a bounded amount of self-play and returns the total number of simulations in completed
/// iterations.
fn simulations_per_second(
    seconds: f64,
    mut advance: impl FnMut() -> Result<u64, LearnerError>,
) -> Result<f64, LearnerError> {
    let mut round = |before: u64| {
        loop {
            let made = advance()?;
            if made > before {
                return Ok::<u64, LearnerError>(made);
            }
        }
    };
    let warm = round(0)?;
    let (start, mut made) = (Instant::now(), warm);
    while made == warm || start.elapsed().as_secs_f64() < seconds {
        made = round(made)?;
    }
    Ok((made - warm) as f64 / start.elapsed().as_secs_f64())
}

//! Duration of a gradient step of AlphaZero for backgammon, with the network of the benchmark
//! `gpu/backgammon/self_play`.

use super::cost_model::{CostModel, RESULT_SUFFIXES};
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

/// Benchmarks a gradient step on the device and on the CPU: sampling and upload of a minibatch, forward and backward
/// pass, and Adam. No self-play runs at the same time. A software adapter gets a smaller minibatch and network.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), CliError> {
    let minibatch = if gpu.adapter_info().software { 64 } else { 2048 };
    match reporter.select_group(&format!("gpu/{}/train_step/{minibatch}", State::NAME), RESULT_SUFFIXES) {
        Some(names) => measure(reporter, gpu, cost_model, (minibatch, names)).map_err(CliError::failed_by),
        None => Ok(()),
    }
}

fn measure(
    reporter: &mut Reporter,
    gpu: &Gpu,
    cost_model: &CostModel<'_>,
    (minibatch, [name, dispatches, bytes]): (u32, [String; 3]),
) -> Result<(), LearnerError> {
    let (software, threads, adapter) =
        (gpu.adapter_info().software, machine::cores(), &gpu.adapter_info().name);
    // Only gradient steps are measured: an iteration has many gradient steps, and moves are chosen without search.
    let config = AlphaZeroConfig {
        width: if software { 64 } else { 256 },
        blocks: if software { 1 } else { 5 },
        workers: threads as u32,
        games: if software { 4 } else { 64 },
        search_share: 0.0,
        minibatch,
        replay_ratio: 16.0,
        generation: 1 << 26,
        ..State::config()
    };
    let learner = || AlphaZero::<State>::new(config.clone(), 1);
    let (cpu, mut there, mut here) = (Cpu::new(threads), learner()?, learner()?);
    let mut trainer = AlphaZeroGpuTrainer::new(gpu, &there)?;
    let on_device = seconds_per_step(reporter.seconds(), &mut there, |there| {
        trainer.advance(&cpu, there)?;
        Ok(trainer.updates())
    })?;
    let on_cpu = seconds_per_step(reporter.seconds(), &mut here, |here| {
        here.advance(&cpu)?;
        Ok(here.updates())
    })?;
    let cost = trainer.cost();
    let step = BenchFigure::new(name, 1e3 * on_device, "ms").on(threads).on_gpu(adapter);
    let bound = 1e3 * cost_model.seconds(cost)?;
    reporter.report(step.bounded_by(bound).against("the CPU engine", 1e3 * on_cpu));
    reporter.report(BenchFigure::new(dispatches, cost.dispatches as f64, "a step").on_gpu(adapter));
    reporter.report(BenchFigure::new(bytes, cost.bytes_copied as f64 * 1e-3, "kB a step").on_gpu(adapter));
    Ok(())
}

/// Returns the mean duration of a gradient step in seconds, over about `seconds` seconds of gradient steps. Each call
/// of `advance` does a bounded amount of work and returns the total number of gradient steps. Calls that do self-play
/// are not timed.
fn seconds_per_step(
    seconds: f64,
    learner: &mut AlphaZero<State>,
    mut advance: impl FnMut(&mut AlphaZero<State>) -> Result<u64, LearnerError>,
) -> Result<f64, LearnerError> {
    let (mut made, mut steps, mut spent) = (0, 0, 0.0);
    while steps == 0 || spent < seconds {
        let (learns, start) = (learner.is_played(), Instant::now());
        let now = advance(learner)?;
        if learns {
            spent += start.elapsed().as_secs_f64();
            steps += now - made;
        }
        made = now;
    }
    Ok(spent / steps as f64)
}

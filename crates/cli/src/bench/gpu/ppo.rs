//! PPO training on the device: cost of an iteration, environment steps per second, and an upper bound of this speed.

use super::cost_model::{CostModel, DeviceCosts};
use super::device::overlapping_call_seconds;
use super::gemm;
use crate::bench::control::ppo::{self, default_config};
use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::{machine, text};
use vivarium_agents::ppo::gpu_trainer::PpoGpuTrainer;
use vivarium_agents::ppo::{Ppo, PpoConfig};
use vivarium_envs::{CartPole, Environment};
use vivarium_gpu::{Gpu, GpuError};

/// Size of an `f32` in bytes.
const BYTES_PER_F32: f64 = 4.0;

/// Runs the PPO benchmarks on the device and reports the results.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), CliError> {
    let names = reporter.select_group("gpu/cartpole/ppo", ["", "/dispatches", "/bytes", "/bound"]);
    let Some([name, dispatches, bytes, limit]) = names else { return Ok(()) };
    let config = config(gpu.adapter_info().software);
    let learner = Ppo::new(config.clone(), Environment::of::<CartPole>(), 1).map_err(CliError::failed_by)?;
    let mut trainer = PpoGpuTrainer::new(gpu, &learner).map_err(CliError::failed_by)?;
    let seconds = reporter.seconds();
    let iteration = overlapping_call_seconds(gpu, seconds, || trainer.advance().map(drop))
        .map_err(CliError::failed_by)?;
    let on_cpu = ppo::steps_per_second(&config, machine::cores(), seconds).map_err(CliError::failed_by)?;
    let work = IterationCost::of(&config, &learner, trainer.cost());
    let bound = TimeBound::of(&work, gpu, cost_model, seconds).map_err(CliError::failed_by)?;

    let adapter = &gpu.adapter_info().name;
    let (rate, at_best) = (work.steps / iteration, work.steps / bound.seconds());
    let figure = BenchFigure::new(name, rate, "steps/s").on_gpu(adapter).bounded_by(at_best);
    reporter.report(figure.against("the CPU engine", on_cpu));
    reporter.report(BenchFigure::new(dispatches, work.dispatches, "an iteration").on_gpu(adapter));
    reporter.report(BenchFigure::new(bytes, work.bytes() * 1e-6, "MB/iteration").on_gpu(adapter));
    reporter.report(BenchFigure::new(limit, at_best, "steps/s").on_gpu(adapter));
    for line in notes(&config, &work, &bound) {
        reporter.note(&line);
    }
    Ok(())
}

/// Returns the default PPO config of CartPole with batch sizes for a GPU; `software` selects smaller batch sizes for
/// a software adapter.
fn config(software: bool) -> PpoConfig {
    let usual = default_config::<CartPole>();
    if software {
        PpoConfig { num_envs: 64, horizon: 16, minibatch: 256, ..usual }
    } else {
        PpoConfig { num_envs: 32_768, horizon: 32, minibatch: 131_072, ..usual }
    }
}

/// Amount of work in a PPO training iteration (rollout and update).
struct IterationCost {
    steps: f64,
    dispatches: f64,
    /// Floating-point operations of all matrix products in an iteration.
    operations: f64,
    /// Bytes of network activations that an iteration reads and writes.
    bytes_of_values: f64,
    /// Bytes copied within the device, plus bytes read back to the host.
    bytes_copied: f64,
}

impl IterationCost {
    fn of(config: &PpoConfig, learner: &Ppo, cost: vivarium_gpu::Cost) -> Self {
        let steps = config.batch() as f64;
        let learned = steps * f64::from(config.epochs);
        let weights = learner.parameter_count() as f64;
        let networks = if config.shared_torso { 1.0 } else { 2.0 };
        let values = networks * config.hidden.iter().map(|&units| f64::from(units)).sum::<f64>();
        Self {
            steps,
            dispatches: cost.dispatches as f64,
            // Per weight: two operations forward, four backward.
            operations: weights * (2.0 * steps + 6.0 * learned),
            // Rollout: each hidden activation is written and read once. Training: each activation is written once and
            // read three times (next layer, weight gradient, activation derivative); its gradient is written once and
            // read twice.
            bytes_of_values: BYTES_PER_F32 * values * (2.0 * steps + 7.0 * learned),
            bytes_copied: cost.bytes_copied as f64,
        }
    }

    fn bytes(&self) -> f64 {
        self.bytes_of_values + self.bytes_copied
    }
}

/// Estimate of the shortest duration of an iteration, in which dispatches, computation and memory traffic overlap
/// completely. Includes the peak rates of the device, which determine the estimate.
struct TimeBound {
    dispatch: f64,
    /// Measured peak rate of matrix products on the device, in floating-point operations per second.
    operations: f64,
    /// Measured memory bandwidth of the device in bytes per second.
    bytes: f64,
    parts: [f64; 3],
}

impl TimeBound {
    fn of(
        work: &IterationCost,
        gpu: &Gpu,
        cost_model: &CostModel<'_>,
        seconds: f64,
    ) -> Result<Self, GpuError> {
        let DeviceCosts { dispatch, copy: bytes, .. } = cost_model.measured()?;
        let operations =
            gemm::flops_per_second(gpu, if gpu.adapter_info().software { 256 } else { 4096 }, seconds)?;
        let parts = [work.dispatches * dispatch, work.operations / operations, work.bytes() / bytes];
        Ok(Self { dispatch, operations, bytes, parts })
    }

    fn seconds(&self) -> f64 {
        self.parts.into_iter().fold(0.0, f64::max)
    }
}

fn notes(config: &PpoConfig, work: &IterationCost, bound: &TimeBound) -> Vec<String> {
    let number = text::number;
    let [dispatches, operations, bytes] = bound.parts.map(|seconds| format!("{} ms", number(seconds * 1e3)));
    vec![
        format!(
            "Iteration: {} environments × {} steps, {} epochs of minibatches of {}, networks {:?}; {} dispatches, {} \
             operations in matrix products, {} bytes of activations, {} bytes of copies.",
            config.num_envs,
            config.horizon,
            config.epochs,
            config.minibatch,
            config.hidden,
            number(work.dispatches),
            number(work.operations),
            number(work.bytes_of_values),
            number(work.bytes_copied),
        ),
        format!(
            "Bound: the longest of {dispatches} of dispatches at {} µs, {operations} of products at {} GFLOP/s, {bytes} of \
             memory traffic at {} GB/s.",
            number(bound.dispatch * 1e6),
            number(bound.operations * 1e-9),
            number(bound.bytes * 1e-9),
        ),
    ]
}

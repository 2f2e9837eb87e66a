//! Whole training on the device: what an iteration asks of it, how fast it is, and how fast it could be.

use super::device::one_of_many;
use super::floor::{Floor, Measured};
use super::gemm;
use crate::bench::control::ppo;
use crate::bench::{Figure, Reporter};
use crate::failure::Failure;
use crate::{machine, text};
use vivarium_agents::ppo::gpu_trainer::PpoGpuTrainer;
use vivarium_agents::ppo::{Ppo, PpoConfig};
use vivarium_envs::{CartPole, World};
use vivarium_gpu::{Gpu, GpuError};

/// Bytes of a number.
const NUMBER: f64 = 4.0;

/// Measures and reports the figures.
///
/// # Errors
/// What the device reports.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, floor: &Floor<'_>) -> Result<(), Failure> {
    let names = reporter.wants_any("gpu/cartpole/ppo", ["", "/dispatches", "/bytes", "/bound"]);
    let Some([name, dispatches, bytes, limit]) = names else { return Ok(()) };
    let config = config(gpu.adapter_info().software);
    let learner = Ppo::<CartPole>::new(config.clone(), Default::default(), 1).map_err(Failure::failed_by)?;
    let mut trainer = PpoGpuTrainer::new(gpu, &learner).map_err(Failure::failed_by)?;
    let seconds = reporter.seconds();
    let iteration = one_of_many(gpu, seconds, || trainer.advance().map(drop)).map_err(Failure::failed_by)?;
    let on_cpu = ppo::steps_per_second(&config, machine::cores(), seconds).map_err(Failure::failed_by)?;
    let work = Work::of(&config, &learner, trainer.cost());
    let bound = Bound::of(&work, gpu, floor, seconds).map_err(Failure::failed_by)?;

    let adapter = &gpu.adapter_info().name;
    let (rate, at_best) = (work.steps / iteration, work.steps / bound.seconds());
    let figure = Figure::new(name, rate, "steps/s").on_gpu(adapter).bounded_by(at_best);
    reporter.report(figure.against("the CPU engine", on_cpu));
    reporter.report(Figure::new(dispatches, work.dispatches, "an iteration").on_gpu(adapter));
    reporter.report(Figure::new(bytes, work.bytes() * 1e-6, "MB/iteration").on_gpu(adapter));
    reporter.report(Figure::new(limit, at_best, "steps/s").on_gpu(adapter));
    for line in notes(&config, &work, &bound) {
        reporter.note(&line);
    }
    Ok(())
}

/// The config that CartPole is solved with, at the size of a GPU, or small enough for a program on the processor.
fn config(software: bool) -> PpoConfig {
    let usual = PpoConfig::default_for(CartPole::NAME);
    if software {
        PpoConfig { num_envs: 64, horizon: 16, minibatch: 256, ..usual }
    } else {
        PpoConfig { num_envs: 32_768, horizon: 32, minibatch: 131_072, ..usual }
    }
}

/// What an iteration asks of the device.
struct Work {
    steps: f64,
    dispatches: f64,
    /// Floating-point operations of the products.
    operations: f64,
    /// That the networks' values take to and from memory.
    bytes_of_values: f64,
    /// Copied on the device and back to the program.
    bytes_copied: f64,
}

impl Work {
    fn of(config: &PpoConfig, learner: &Ppo<CartPole>, cost: vivarium_gpu::Cost) -> Self {
        let steps = config.batch() as f64;
        let learned = steps * f64::from(config.epochs);
        let weights = learner.parameter_count() as f64;
        let networks = if config.shared_torso { 1.0 } else { 2.0 };
        let values = networks * config.hidden.iter().map(|&units| f64::from(units)).sum::<f64>();
        Self {
            steps,
            dispatches: cost.dispatches as f64,
            // A weight takes two operations forward, and four more backward.
            operations: weights * (2.0 * steps + 6.0 * learned),
            // Acting, each hidden value is written and read once. Learning, it is written once and read three times (by the
            // next layer, by that layer's weights' gradient, by the activation's slope), and its gradient is written once and
            // read twice.
            bytes_of_values: NUMBER * values * (2.0 * steps + 7.0 * learned),
            bytes_copied: cost.bytes_copied as f64,
        }
    }

    fn bytes(&self) -> f64 {
        self.bytes_of_values + self.bytes_copied
    }
}

/// The least time of that work, if nothing of it overlaps.
struct Bound {
    dispatch: f64,
    /// Of products, a second.
    operations: f64,
    /// A second.
    bytes: f64,
    parts: [f64; 3],
}

impl Bound {
    fn of(work: &Work, gpu: &Gpu, floor: &Floor<'_>, seconds: f64) -> Result<Self, GpuError> {
        let Measured { dispatch, copy: bytes, .. } = floor.measured()?;
        let operations = gemm::rate(gpu, if gpu.adapter_info().software { 256 } else { 4096 }, seconds)?;
        let parts = [work.dispatches * dispatch, work.operations / operations, work.bytes() / bytes];
        Ok(Self { dispatch, operations, bytes, parts })
    }

    fn seconds(&self) -> f64 {
        self.parts.iter().sum()
    }
}

fn notes(config: &PpoConfig, work: &Work, bound: &Bound) -> Vec<String> {
    let number = text::number;
    let [dispatches, operations, bytes] = bound.parts.map(|seconds| format!("{} ms", number(seconds * 1e3)));
    vec![
        format!(
            "An iteration is {} lanes × {} steps, {} epochs of minibatches of {}, networks of {:?}. It asks for {} \
             dispatches, {} operations in products, {} bytes of hidden values and {} bytes of copies.",
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
            "Its bound: {dispatches} of dispatches at {} µs, {operations} of products at {} GFLOP/s, {bytes} of memory at \
             {} GB/s, as measured here, with nothing overlapping.",
            number(bound.dispatch * 1e6),
            number(bound.operations * 1e-9),
            number(bound.bytes * 1e-9),
        ),
    ]
}

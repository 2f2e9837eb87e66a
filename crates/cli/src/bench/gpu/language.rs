//! Transformers on the device: training tokens per second of each preset, and the reached share of the device's
//! matrix-product rate.

use super::cost_model::CostModel;
use super::device::fastest;
use super::gemm;
use crate::bench::language::{learner, tokens_per_second};
use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use vivarium_gpu::Gpu;
use vivarium_kernels::rng::Stream;
use vivarium_lm::gpu_trainer::LanguageGpuTrainer;
use vivarium_lm::{LanguageError, LanguagePreset, LanguageTrainer};

/// Presets that are benchmarked on a software adapter. Larger presets take too long on a software adapter; they are
/// skipped unless the full benchmark name is on the command line.
const SOFTWARE_PRESETS: [LanguagePreset; 2] = [LanguagePreset::Tiny, LanguagePreset::ShakespeareChar];

/// Benchmarks gradient steps of each preset on random tokens, and reports training tokens per second. The time
/// includes upload of the tokens and readback of the losses.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), CliError> {
    let adapter = gpu.adapter_info();
    for preset in LanguagePreset::ALL {
        let name = format!("gpu/language/{}", preset.name());
        let too_slow = adapter.software && !SOFTWARE_PRESETS.contains(&preset) && !reporter.is_named(&name);
        if too_slow {
            continue;
        }
        let names = reporter.select_group(&name, ["", "/share", "/dispatches"]);
        let Some([name, share, dispatches]) = names else { continue };
        let (seconds, steps) = (reporter.seconds(), if adapter.software { 2 } else { 16 });
        let trainer = learner(preset).map_err(CliError::failed_by)?;
        let mut trainer_on_gpu = LanguageGpuTrainer::new(gpu, &trainer).map_err(CliError::failed_by)?;
        let step =
            seconds_per_step(&mut trainer_on_gpu, &trainer, steps, seconds).map_err(CliError::failed_by)?;
        let on_cpu = tokens_per_second(preset, machine::cores(), seconds).map_err(CliError::failed_by)?;
        let peak = gemm::flops_per_second(gpu, if adapter.software { 256 } else { 4096 }, seconds);
        let peak = peak.map_err(CliError::failed_by)?;

        let tokens = f64::from(trainer.config().batch * trainer.config().context);
        let bound = tokens / cost_model.seconds(trainer_on_gpu.cost()).map_err(CliError::failed_by)?;
        let figure =
            BenchFigure::new(name, tokens / step, "tokens/s").on_gpu(&adapter.name).bounded_by(bound);
        reporter.report(figure.against("the CPU engine", on_cpu));
        let operations = trainer.config().flops_per_token(trainer.model().vocabulary());
        let reached = 100.0 * tokens * operations / step / peak;
        reporter.report(BenchFigure::new(share, reached, "%").on_gpu(&adapter.name));
        let started = trainer_on_gpu.cost().dispatches as f64;
        reporter.report(BenchFigure::new(dispatches, started, "a step").on_gpu(&adapter.name));
    }
    Ok(())
}

/// Returns the mean duration of a gradient step in seconds, in a sequence of `steps` overlapping steps. The sequence
/// is repeated for about `seconds` seconds; the fastest repetition counts.
fn seconds_per_step(
    trainer_on_gpu: &mut LanguageGpuTrainer,
    trainer: &LanguageTrainer,
    steps: u64,
    seconds: f64,
) -> Result<f64, LanguageError> {
    let (config, vocabulary) = (trainer.config(), trainer.model().vocabulary() as u32);
    let mut random = Stream::new(1, 1);
    let mut sequences = vec![0; config.batch as usize * (config.context as usize + 1)];
    let all = fastest(seconds, || {
        let last = trainer_on_gpu.updates() + steps;
        while trainer_on_gpu.updates() < last {
            while trainer_on_gpu.can_submit() && trainer_on_gpu.submitted() < last {
                sequences.fill_with(|| random.below(vocabulary));
                trainer_on_gpu.submit(&sequences)?;
            }
            trainer_on_gpu.advance()?;
        }
        Ok::<(), LanguageError>(())
    })?;
    Ok(all / steps as f64)
}

//! `--engine auto`: chooses the faster engine for a run by measurement.
//!
//! Each engine trains a copy of the run for at most one second. The measured speeds are cached per device and config,
//! so that later runs skip the measurement.

use super::args::EngineRequest;
use super::speed_cache::{SpeedCache, SpeedCacheKey};
use super::verdict::{SpeedLabels, compare_speeds};
use crate::error::CliError;
use crate::{corpus, machine, terminal};
use std::time::Instant;
use vivarium_exhibits::{REGISTRY, info};
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_lab::speed::{self, EngineSpeeds};
use vivarium_lab::{Engine, Experiment};

/// Chooses the faster engine for a run, by a new or a cached measurement. Prints the reason if both engines are
/// available.
///
/// # Errors
/// [`CliError`] if the preparation before training (such as tokenizer training) fails.
pub fn choose(request: EngineRequest, experiment: &mut dyn Experiment) -> Result<Engine, CliError> {
    if experiment.is_cpu_only() {
        return Ok(Engine::Cpu);
    }
    let gpu = match Gpu::open_hardware_blocking(request.adapter) {
        Ok(Some(gpu)) => gpu.with_limited_waits(),
        // A missing GPU is an error only if an adapter was requested.
        Err(why) if request.adapter.is_some() => return Ok(fall_back_to_cpu(&why)),
        Ok(None) | Err(_) => return Ok(Engine::Cpu),
    };
    let mut known = SpeedCache::read();
    let key = cache_key(&gpu, request, experiment);
    let speeds = match known.get(&key) {
        Some(speeds) => speeds,
        None => {
            let cpu = Cpu::new(request.threads);
            // The run completes its preparation before it is copied, so that the copies do not repeat it.
            while experiment.is_preparing() {
                cpu.install(|| experiment.advance(&cpu)).map_err(CliError::failed_by)?;
            }
            match measure(&gpu, &cpu, experiment) {
                Ok(speeds) => {
                    // Do not cache a measurement if neither engine finished any work: the machine may have been busy.
                    if speeds.has_progress() {
                        known.insert(key, speeds);
                    }
                    speeds
                }
                Err(why) => return Ok(fall_back_to_cpu(&why)),
            }
        }
    };
    let unit = info(experiment.name()).map_err(CliError::failed_by)?.readings.unit;
    let names = SpeedLabels { adapter: &gpu.adapter_info().name, threads: request.threads, unit };
    let (takes_gpu, why) = compare_speeds(speeds, &names);
    terminal::print_message(&why);
    Ok(if takes_gpu { Engine::Gpu(gpu) } else { Engine::Cpu })
}

fn fall_back_to_cpu(why: &str) -> Engine {
    terminal::print_message(&format!("Training on the CPU: {why}."));
    Engine::Cpu
}

/// Returns the cache key of a run: all inputs on which the training speeds depend.
fn cache_key(gpu: &Gpu, request: EngineRequest, experiment: &dyn Experiment) -> SpeedCacheKey {
    let report = gpu.adapter_info();
    SpeedCacheKey {
        program: concat!("vivarium ", env!("CARGO_PKG_VERSION")).to_owned(),
        adapter: report.name.clone(),
        driver: format!("{}, {}", report.backend, report.driver),
        processor: machine::processor(),
        threads: request.threads,
        experiment: experiment.name().to_owned(),
        config: experiment.config().to_string(),
    }
}

/// Measures the training speed of both engines, for at most one second each, on a copy of the run.
///
/// # Errors
/// A message with the cause, as a clause without final punctuation.
fn measure(gpu: &Gpu, cpu: &Cpu, experiment: &dyn Experiment) -> Result<EngineSpeeds, String> {
    let mut copy = REGISTRY.open(&experiment.pack()).map_err(|error| error.to_string())?;
    corpus::supply(copy.as_mut())?;
    let start = Instant::now();
    speed::measure_engines(copy.as_mut(), gpu, cpu, &mut || start.elapsed().as_secs_f64())
}

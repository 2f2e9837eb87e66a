//! `--engine auto`: the GPU where a real one is the faster engine for this very run.
//!
//! Both engines train a copy of the run for a moment, each for a second at most. What came of it is kept for the device and the
//! config, so that the next run begins at once.

use super::known_speeds::{KnownSpeeds, Setting, Speeds};
use super::verdict::{Names, verdict};
use super::{Wish, for_training};
use crate::failure::Failure;
use crate::language::text;
use crate::{gpu, machine, terminal};
use serde_json::json;
use std::time::Instant;
use vivarium_exhibits::{REGISTRY, measures};
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_lab::{Engine, Experiment, speed};

/// The engine for a run; says why it is that one where there is a choice.
///
/// # Errors
/// [`Failure`] where what comes before training fails, whichever engine it would be.
pub fn choose(wish: Wish, experiment: &mut dyn Experiment) -> Result<Engine, Failure> {
    if experiment.is_cpu_only() {
        return Ok(Engine::Cpu);
    }
    let gpu = match gpu::open_real(wish.adapter) {
        Ok(Some(gpu)) => for_training(gpu),
        // A missing GPU is not an error unless the user asked for one.
        Err(why) if wish.adapter.is_some() => return Ok(on_the_cpu(&why)),
        Ok(None) | Err(_) => return Ok(Engine::Cpu),
    };
    let mut known = KnownSpeeds::read();
    let setting = setting(&gpu, wish, experiment);
    let speeds = match known.get(&setting) {
        Some(speeds) => speeds,
        None => {
            let cpu = Cpu::new(wish.threads);
            // What has been prepared in the run itself is not done twice.
            while experiment.is_preparing() {
                cpu.install(|| experiment.advance(&cpu)).map_err(Failure::failed_by)?;
            }
            match measure(&gpu, &cpu, experiment) {
                Ok(speeds) => {
                    // What finished nothing may have met a busy machine.
                    if speeds.finished() {
                        known.keep(setting, speeds);
                    }
                    speeds
                }
                Err(why) => return Ok(on_the_cpu(&why)),
            }
        }
    };
    let unit = measures(experiment.name()).unwrap_or_default().readings.unit;
    let names = Names { adapter: &gpu.adapter_info().name, threads: wish.threads, unit };
    let (takes_gpu, why) = verdict(speeds, &names);
    terminal::aside(&why);
    Ok(if takes_gpu { Engine::Gpu(gpu) } else { Engine::Cpu })
}

fn on_the_cpu(why: &str) -> Engine {
    terminal::aside(&format!("Training on the CPU: {why}."));
    Engine::Cpu
}

/// What the speeds depend on.
fn setting(gpu: &Gpu, wish: Wish, experiment: &dyn Experiment) -> Setting {
    let report = gpu.adapter_info();
    Setting {
        program: concat!("vivarium ", env!("CARGO_PKG_VERSION")).to_owned(),
        adapter: report.name.clone(),
        driver: format!("{}, {}", report.backend, report.driver),
        processor: machine::processor(),
        threads: wish.threads,
        experiment: experiment.name().to_owned(),
        config: experiment.config().to_string(),
    }
}

/// Measures both engines on a copy of the run.
///
/// # Errors
/// Why the GPU cannot be compared, as words that a sentence can go on with.
fn measure(gpu: &Gpu, cpu: &Cpu, experiment: &dyn Experiment) -> Result<Speeds, String> {
    let mut copy = REGISTRY.open(&experiment.pack()).map_err(|error| error.to_string())?;
    let copy: &mut dyn Experiment = copy.as_mut();
    text::bring(copy)?;
    // Where there are evaluations beside training, they take the same time on both engines.
    let _ = copy.set("evaluation.every", &json!(0));
    let start = Instant::now();
    let mut clock = || start.elapsed().as_secs_f64();
    if !speed::prepare(copy, cpu, &mut clock) {
        return Err("what comes before training takes too long to compare it with the GPU".into());
    }
    copy.set_engine(Engine::Gpu(gpu.clone())).map_err(|error| error.to_string())?;
    let on_gpu = speed::measure(copy, cpu, &mut clock);
    copy.set_engine(Engine::Cpu).map_err(|error| error.to_string())?;
    Ok(Speeds { gpu: on_gpu, cpu: speed::measure(copy, cpu, &mut clock) })
}

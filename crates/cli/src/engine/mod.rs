//! Engine choice: `--engine cpu`, `gpu` or `auto`.

pub mod args;
#[cfg(feature = "gpu")]
mod auto;
mod speed_cache;
mod verdict;

use crate::error::CliError;
use args::{EngineChoice, EngineRequest};
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_lab::{Engine, Experiment};

/// Returns the text of `vivarium info` that explains how `--engine auto` chooses the engine.
pub fn auto_rule() -> String {
    let cached =
        speed_cache::cache_file().map_or_else(String::new, |file| format!(" (cached in {})", file.display()));
    format!(
        "gpu if a hardware GPU passes its self-check and is faster; else cpu
              both engines train a copy of the run for up to a second when a config is trained first{cached}"
    )
}

/// Chooses the engine of a training run. The training data of the experiment must be loaded. If `auto` compares
/// engines, this function first completes the preparation of the run (such as tokenizer training).
///
/// # Errors
/// [`CliError`] with cause and remedy if the requested engine is unavailable. `auto` fails only if the preparation
/// fails.
pub fn choose(request: EngineRequest, experiment: &mut dyn Experiment) -> Result<Engine, CliError> {
    match requested_engine(request)? {
        Some(engine) => Ok(engine),
        None => auto(request, experiment),
    }
}

/// Opens the engine that the command line requests with `--engine cpu` or `--engine gpu`. Returns `None` for `auto`.
fn requested_engine(request: EngineRequest) -> Result<Option<Engine>, CliError> {
    match request.engine {
        EngineChoice::Cpu if request.adapter.is_some() => {
            Err(CliError::usage("--adapter selects a GPU; use it with --engine gpu or auto"))
        }
        EngineChoice::Cpu => Ok(Some(Engine::Cpu)),
        EngineChoice::Gpu => gpu(request).map(Some),
        EngineChoice::Auto => Ok(None),
    }
}

/// Chooses the engine of a single search. With `--engine auto`, the search uses a hardware GPU if available; a
/// comparison of the engines would take longer than the search.
///
/// # Errors
/// [`CliError`] with cause and remedy if the requested engine is unavailable. With `auto` there are no errors.
pub fn choose_for_search(request: EngineRequest) -> Result<Engine, CliError> {
    Ok(requested_engine(request)?.unwrap_or_else(|| hardware_gpu_or_cpu(request)))
}

#[cfg(feature = "gpu")]
fn hardware_gpu_or_cpu(request: EngineRequest) -> Engine {
    match Gpu::open_hardware_blocking(request.adapter) {
        Ok(Some(gpu)) => Engine::Gpu(gpu),
        // A missing GPU is an error only if an adapter was requested.
        Ok(None) | Err(_) => Engine::Cpu,
    }
}

#[cfg(not(feature = "gpu"))]
fn hardware_gpu_or_cpu(_: EngineRequest) -> Engine {
    Engine::Cpu
}

#[cfg(feature = "gpu")]
fn gpu(request: EngineRequest) -> Result<Engine, CliError> {
    let gpu = Gpu::open_checked_blocking(request.adapter).map_err(|why| {
        CliError::failed(format!(
            "--engine gpu: {why}. `vivarium info` lists the adapters; --engine cpu needs none"
        ))
    })?;
    Ok(Engine::Gpu(gpu.with_limited_waits()))
}

#[cfg(not(feature = "gpu"))]
fn gpu(_: EngineRequest) -> Result<Engine, CliError> {
    Err(CliError::usage(
        "--engine gpu: this build has no GPU engine; use cpu or auto, or build without --no-default-features",
    ))
}

#[cfg(feature = "gpu")]
fn auto(request: EngineRequest, experiment: &mut dyn Experiment) -> Result<Engine, CliError> {
    auto::choose(request, experiment)
}

#[cfg(not(feature = "gpu"))]
fn auto(_: EngineRequest, _: &mut dyn Experiment) -> Result<Engine, CliError> {
    Ok(Engine::Cpu)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use vivarium_exhibits::REGISTRY;

    #[test]
    fn an_adapter_is_no_part_of_the_cpu() {
        let request = EngineRequest { engine: EngineChoice::Cpu, adapter: Some("H200"), threads: 1 };
        let mut experiment = REGISTRY.create("cartpole", &json!({}), 1).unwrap();
        let refused = choose(request, experiment.as_mut()).unwrap_err();
        assert!(refused.code() == 2 && refused.message().unwrap().contains("--engine gpu or auto"));
    }
}

//! Which engine a run gets.

#[cfg(feature = "gpu")]
mod auto;
mod known_speeds;
mod verdict;

use crate::command_line::Engine as Wanted;
use crate::failure::Failure;
use vivarium_lab::{Engine, Experiment};

/// What `--engine auto` goes by, for a person.
pub fn rule() -> String {
    let kept = known_speeds::file().map_or_else(String::new, |file| format!(" (kept in {})", file.display()));
    format!(
        "gpu where there is a real one, its self-check passes, and it is the faster one; else cpu
              both train a copy of the run for up to a second, the first time that its config is trained{kept}"
    )
}

/// What the command line asks for.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// `--engine`.
    pub engine: Wanted,
    /// `--adapter`.
    pub adapter: Option<&'a str>,
    /// `--threads`, or every core.
    #[cfg_attr(
        not(feature = "gpu"),
        expect(dead_code, reason = "there is nothing to compare the threads with")
    )]
    pub threads: usize,
}

/// The engine for a run, which has what it learns from. `auto` does what comes before training, if it compares engines.
///
/// # Errors
/// [`Failure`] saying why the engine asked for cannot be had, and what to do. `auto` always finds one, unless what comes before
/// training fails.
pub fn choose(wish: Wish, experiment: &mut dyn Experiment) -> Result<Engine, Failure> {
    match named(wish)? {
        Some(engine) => Ok(engine),
        None => auto(wish, experiment),
    }
}

/// The engine that is asked for by name; none for `auto`.
fn named(wish: Wish) -> Result<Option<Engine>, Failure> {
    match wish.engine {
        Wanted::Cpu if wish.adapter.is_some() => {
            Err(Failure::usage("--adapter names a GPU: it goes with --engine gpu or auto"))
        }
        Wanted::Cpu => Ok(Some(Engine::Cpu)),
        Wanted::Gpu => gpu(wish).map(Some),
        Wanted::Auto => Ok(None),
    }
}

/// The engine for work that is not training, such as one search: `auto` takes a real GPU where there is one, for to compare
/// engines would take longer than the work.
///
/// # Errors
/// [`Failure`] saying why the engine asked for cannot be had, and what to do; `auto` always finds one.
pub fn choose_for_search(wish: Wish) -> Result<Engine, Failure> {
    Ok(named(wish)?.unwrap_or_else(|| real(wish)))
}

#[cfg(feature = "gpu")]
fn real(wish: Wish) -> Engine {
    match crate::gpu::open_real(wish.adapter) {
        Ok(Some(gpu)) => Engine::Gpu(gpu),
        // A missing GPU is not an error unless the user asked for one.
        Ok(None) | Err(_) => Engine::Cpu,
    }
}

#[cfg(not(feature = "gpu"))]
fn real(_: Wish) -> Engine {
    Engine::Cpu
}

#[cfg(feature = "gpu")]
fn gpu(wish: Wish) -> Result<Engine, Failure> {
    let gpu = crate::gpu::open(wish.adapter).map_err(|why| {
        Failure::failed(format!(
            "--engine gpu: {why}. `vivarium info` lists the adapters that there are; --engine cpu trains without one"
        ))
    })?;
    Ok(Engine::Gpu(for_training(gpu)))
}

/// A GPU which looks between short waits whether a run is to end.
#[cfg(feature = "gpu")]
fn for_training(gpu: vivarium_gpu::Gpu) -> vivarium_gpu::Gpu {
    gpu.set_max_wait(std::time::Duration::from_millis(50));
    gpu
}

#[cfg(not(feature = "gpu"))]
fn gpu(_: Wish) -> Result<Engine, Failure> {
    Err(Failure::usage(
        "--engine gpu: this build has no GPU engine; allowed here are cpu and auto (which takes the cpu), or build \
         without --no-default-features",
    ))
}

#[cfg(feature = "gpu")]
fn auto(wish: Wish, experiment: &mut dyn Experiment) -> Result<Engine, Failure> {
    auto::choose(wish, experiment)
}

#[cfg(not(feature = "gpu"))]
fn auto(_: Wish, _: &mut dyn Experiment) -> Result<Engine, Failure> {
    Ok(Engine::Cpu)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use vivarium_exhibits::REGISTRY;

    #[test]
    fn an_adapter_is_no_part_of_the_cpu() {
        let wish = Wish { engine: Wanted::Cpu, adapter: Some("H200"), threads: 1 };
        let mut experiment = REGISTRY.create("cartpole", &json!({}), 1).unwrap();
        let refused = choose(wish, experiment.as_mut()).unwrap_err();
        assert!(refused.code() == 2 && refused.message().unwrap().contains("--engine gpu or auto"));
    }
}

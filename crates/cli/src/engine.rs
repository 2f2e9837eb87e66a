//! Which engine a run gets.

use crate::command_line::Engine as Wanted;
use crate::failure::Failure;
use serde_json::Value;
use vivarium_lab::Engine;

/// Samples of a minibatch for each CPU thread from which a GPU is expected to be the faster one. A gradient step is some
/// thirty kernels for a GPU however small the minibatch is, about 0.2 ms; a core does a thousand samples of the usual
/// network forward and backward in 0.4 ms.
const WORTH_A_GPU: usize = 1024;

/// What `--engine auto` goes by, for a person.
pub fn rule() -> String {
    format!(
        "gpu where there is a real one, its self-check passes and ppo.minibatch is at least {WORTH_A_GPU} a thread; \
         else cpu"
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
    pub threads: usize,
}

/// The engine for a run with this config.
///
/// # Errors
/// [`Failure`] saying why the engine asked for cannot be had, and what to do; `auto` always finds one.
pub fn choose(wish: Wish, config: &Value) -> Result<Engine, Failure> {
    match wish.engine {
        Wanted::Cpu if wish.adapter.is_some() => {
            Err(Failure::usage("--adapter names a GPU: it goes with --engine gpu or auto"))
        }
        Wanted::Cpu => Ok(Engine::Cpu),
        Wanted::Gpu => gpu(wish),
        Wanted::Auto => Ok(auto(wish, config)),
    }
}

/// Whether a minibatch of this config keeps a GPU busier than so many threads.
fn is_worth_a_gpu(config: &Value, threads: usize) -> bool {
    let minibatch = config.pointer("/ppo/minibatch").and_then(Value::as_u64).unwrap_or(0);
    let is_ppo = config.get("learner").is_none_or(|learner| learner == "ppo");
    is_ppo && minibatch >= (WORTH_A_GPU * threads) as u64
}

#[cfg(feature = "gpu")]
fn gpu(wish: Wish) -> Result<Engine, Failure> {
    let gpu = crate::gpu::open(wish.adapter).map_err(|why| {
        Failure::failed(format!(
            "--engine gpu: {why}. `vivarium info` lists the adapters that there are; --engine cpu trains without one"
        ))
    })?;
    Ok(trained_on(gpu))
}

/// A GPU as the engine of a run, which looks between short waits whether it is to end.
#[cfg(feature = "gpu")]
fn trained_on(gpu: vivarium_gpu::Gpu) -> Engine {
    gpu.wait_at_most(std::time::Duration::from_millis(50));
    Engine::Gpu(gpu)
}

#[cfg(not(feature = "gpu"))]
fn gpu(_: Wish) -> Result<Engine, Failure> {
    Err(Failure::usage(
        "--engine gpu: this build has no GPU engine; allowed here are cpu and auto (which takes the cpu), or build \
         without --no-default-features",
    ))
}

#[cfg(feature = "gpu")]
fn auto(wish: Wish, config: &Value) -> Engine {
    if !is_worth_a_gpu(config, wish.threads) {
        return Engine::Cpu;
    }
    match crate::gpu::open(wish.adapter) {
        Ok(gpu) if !gpu.report().software => trained_on(gpu),
        // A missing GPU is not an error unless the user asked for one.
        Err(why) if wish.adapter.is_some() => {
            crate::terminal::aside(&format!("Training on the CPU: {why}."));
            Engine::Cpu
        }
        _ => Engine::Cpu,
    }
}

#[cfg(not(feature = "gpu"))]
fn auto(wish: Wish, config: &Value) -> Engine {
    // The same question in every build, so that the answer is tested in every build.
    let _ = is_worth_a_gpu(config, wish.threads);
    Engine::Cpu
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn large_minibatches_are_worth_a_gpu() {
        let config = |minibatch: u32| json!({"ppo": {"minibatch": minibatch}});
        assert!(!is_worth_a_gpu(&config(1024), 2));
        assert!(is_worth_a_gpu(&config(2048), 2));
        assert!(!is_worth_a_gpu(&config(8192), 16));
        assert!(!is_worth_a_gpu(&json!({}), 1));
        let other = json!({"learner": "dqn", "ppo": {"minibatch": 8192}});
        assert!(!is_worth_a_gpu(&other, 1), "deep Q-learning is not trained there");
    }

    #[test]
    fn what_is_small_is_trained_on_the_cpu_without_asking_for_adapters() {
        let wish = Wish { engine: Wanted::Auto, adapter: Some("no such adapter"), threads: 1 };
        assert!(matches!(choose(wish, &json!({"ppo": {"minibatch": 64}})), Ok(Engine::Cpu)));
    }

    #[test]
    fn an_adapter_is_no_part_of_the_cpu() {
        let wish = Wish { engine: Wanted::Cpu, adapter: Some("H200"), threads: 1 };
        let refused = choose(wish, &json!({})).unwrap_err();
        assert!(refused.code() == 2 && refused.message().unwrap().contains("--engine gpu or auto"));
    }
}

//! Benchmarks of control environments: stepping without a learner, and PPO training.

use super::measurement::{CpuBenchmark, MEASUREMENT_MS, mean_rate, on_cpu, training};
use crate::clock::now;
use crate::error::SessionError;
use serde_json::{Value, json};
use vivarium_envs::{Autoreset, CartPole, EnvError, StepBuffers, VectorEnv, World};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_kernels::{Level, simd};
use vivarium_lab::{AnyExhibit, LabError};

/// Duration of the measurement of PPO training, in milliseconds.
const TRAINING_MS: f64 = 5000.0;
/// Seeds of the runs in the time-to-solve benchmark, which reports the median and the maximum training time.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// Name of the result with the maximum training time of the time-to-solve benchmark.
const WORST: &str = "control/cartpole/seconds_to_475/all/worst";

pub const BENCHMARKS: &[CpuBenchmark] = &[
    CpuBenchmark {
        name: "control/cartpole/raw/1",
        run: |name, cpu, _| Ok(vec![on_cpu(name, raw_steps(cpu.level())?, "steps/s", 1)]),
    },
    CpuBenchmark {
        name: "control/cartpole/ppo/all",
        run: |name, cpu, _| Ok(vec![on_cpu(name, training_speed(cpu, json!({}))?, "steps/s", cpu.threads())]),
    },
    CpuBenchmark {
        name: "control/cartpole/seconds_to_475/all",
        run: |name, cpu, _| {
            let seconds = seconds_to_solve(cpu)?;
            let (median, worst) = (seconds[seconds.len() / 2], seconds[seconds.len() - 1]);
            Ok([(name, median), (WORST, worst)].map(|(name, s)| on_cpu(name, s, "s", cpu.threads())).into())
        },
    },
    CpuBenchmark {
        name: "gpu/cartpole/raw",
        run: |name, cpu, _| Ok(vec![on_cpu(name, raw_steps_on_all(cpu)?, "steps/s", cpu.threads())]),
    },
    CpuBenchmark {
        name: "gpu/cartpole/ppo",
        run: |name, cpu, large| {
            Ok(vec![on_cpu(name, training_speed(cpu, training(large))?, "steps/s", cpu.threads())])
        },
    },
];

const NUM_ENVS: usize = 8192;
const STEPS: u64 = 16;

/// Vectorized CartPole environments, with the buffers for the results of a step.
struct BenchEnvs {
    env: VectorEnv<CartPole>,
    out: StepBuffers,
}

fn failed(error: EnvError) -> SessionError {
    SessionError::new(format!("{error}"), "")
}

impl BenchEnvs {
    fn new(first: u32) -> Result<Self, EnvError> {
        let defaults = <CartPole as World>::Params::default();
        let env =
            VectorEnv::<CartPole>::new(simd::level(), defaults, 1, first, NUM_ENVS, Autoreset::SameStep)?;
        Ok(Self { env, out: StepBuffers::new::<CartPole>(NUM_ENVS) })
    }
}

/// Measures CartPole with random actions on one thread, and returns environment steps per second, including resets.
fn raw_steps(level: Level) -> Result<f64, SessionError> {
    let BenchEnvs { mut env, mut out } = BenchEnvs::new(0).map_err(failed)?;
    let mut best = 0.0f64;
    let end = now() + MEASUREMENT_MS;
    while now() < end {
        let mut outcome = Ok(());
        let rate = mean_rate(20.0, || {
            outcome = env.random_steps(level, STEPS, &mut out.out());
            NUM_ENVS as f64 * STEPS as f64
        });
        outcome.map_err(failed)?;
        best = best.max(rate);
    }
    Ok(best * 1e3)
}

/// Measures CartPole with random actions on all threads, and returns environment steps per second, including resets.
fn raw_steps_on_all(cpu: &Cpu) -> Result<f64, SessionError> {
    let envs: Result<Vec<BenchEnvs>, EnvError> =
        (0..cpu.threads()).map(|thread| BenchEnvs::new((thread * NUM_ENVS) as u32)).collect();
    let mut envs = envs.map_err(failed)?;
    let level = cpu.level();
    let mut best = 0.0f64;
    let end = now() + MEASUREMENT_MS;
    while now() < end {
        best = best.max(mean_rate(20.0, || {
            // The errors are ignored: `raw_steps` reports errors of such environments, and a failed step affects only
            // the measured rate.
            cpu.for_each(&mut envs, |_, BenchEnvs { env, out }| {
                let _ = env.random_steps(level, 8 * STEPS, &mut out.out());
            });
            (envs.len() * NUM_ENVS) as f64 * (8 * STEPS) as f64
        }));
    }
    Ok(best * 1e3)
}

fn cartpole(config: Value, seed: u64) -> Result<Box<dyn AnyExhibit>, LabError> {
    REGISTRY.create("cartpole", &config, seed)
}

/// Trains PPO on CartPole for a fixed duration after a warm-up, and returns environment steps per second. Rollouts and
/// gradient steps are included.
fn training_speed(cpu: &Cpu, config: Value) -> Result<f64, SessionError> {
    let mut experiment = cartpole(config, 1)?;
    let mut advance_for = |milliseconds: f64| -> Result<f64, SessionError> {
        let (before, start) = (experiment.progress().steps, now());
        while now() - start < milliseconds {
            experiment.advance(cpu)?;
        }
        Ok((experiment.progress().steps - before) as f64 / (now() - start) * 1e3)
    };
    // Warm-up: V8 compiles optimized code in the background.
    advance_for(1000.0)?;
    advance_for(TRAINING_MS)
}

/// Trains PPO on CartPole with each seed until the greedy policy reaches a mean return of 475 over 100 episodes.
/// Returns the training times in seconds, including evaluations, in ascending order.
fn seconds_to_solve(cpu: &Cpu) -> Result<Vec<f64>, SessionError> {
    let mut seconds = Vec::new();
    for seed in SEEDS {
        seconds.push(seconds_to_solve_once(cpu, seed)?);
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds)
}

fn seconds_to_solve_once(cpu: &Cpu, seed: u64) -> Result<f64, SessionError> {
    const LONGEST: f64 = 60_000.0;
    let start = now();
    let mut experiment = cartpole(json!({}), seed)?;
    let mut next_look = start;
    while now() - start < LONGEST {
        experiment.advance(cpu)?;
        // Evaluations take about a tenth of the time.
        if !experiment.take_metrics().is_empty() && now() >= next_look {
            let before = now();
            let evaluation = experiment.evaluate(cpu, 100, seed)?;
            if evaluation.quality().is_some_and(|mean| mean >= 475.0) {
                return Ok((now() - start) / 1e3);
            }
            next_look = now() + 10.0 * (now() - before);
        }
    }
    Err(SessionError::new(format!("CartPole was not solved within {} s.", LONGEST / 1e3), ""))
}

//! Benchmarks of the 2×2×2 cube: a DQN gradient step, training, and the evaluation of the greedy policy in all states.

use super::measurement::{CpuBenchmark, on_cpu};
use crate::clock::now;
use serde_json::{Value, json};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::{Experiment, LabError};

/// Duration of the measurement of gradient steps, in milliseconds.
const STEPPING_MS: f64 = 4000.0;
/// Duration of the measurement of DQN training, in milliseconds.
const TRAINING_MS: f64 = 10_000.0;
/// Duration of the training that fills the replay buffer before the measurement, in milliseconds.
const WARM_UP_MS: f64 = 3000.0;

pub const BENCHMARKS: &[CpuBenchmark] = &[
    CpuBenchmark {
        name: "cube2/train_step/1",
        run: |name, _, _| Ok(vec![on_cpu(name, train_step()?, "ms", 1)]),
    },
    CpuBenchmark {
        name: "cube2/train/all",
        run: |name, cpu, _| Ok(vec![on_cpu(name, samples_per_second(cpu)?, "samples/s", cpu.threads())]),
    },
    CpuBenchmark {
        name: "cube2/examine/all",
        run: |name, cpu, _| Ok(vec![on_cpu(name, evaluate(cpu)?, "s", cpu.threads())]),
    },
];

/// Returns the DQN config of the benchmark, with the network and minibatch that `vivarium bench` uses for the 2×2×2
/// cube. A high replay ratio gives many consecutive gradient steps, because one gradient step is too short for the
/// browser's clock.
fn reference_config() -> Value {
    json!({
        "cube": { "symmetries": false, "features": "stickers" },
        "dqn": {
            "hidden": [128, 64], "num_envs": 32, "minibatch": 64, "warm_up": 2048, "replay_capacity": 65_536,
            "replay_ratio": 32.0, "demonstrations": 0,
        },
    })
}

/// Returns the duration of a DQN gradient step on one thread, in milliseconds: the mean over the consecutive gradient
/// steps between two environment steps, and the minimum of these means.
fn train_step() -> Result<f64, LabError> {
    let (cpu, mut experiment) = (Cpu::new(1), REGISTRY.create("cube2", &reference_config(), 1)?);
    let (mut best, end) = (f64::INFINITY, now() + STEPPING_MS);
    while best.is_infinite() || now() < end {
        let (start, mut steps) = (now(), 0);
        while experiment.phase() == "update" {
            experiment.advance(&cpu)?;
            steps += 1;
        }
        if steps > 0 {
            best = best.min((now() - start) / f64::from(steps));
        }
        experiment.advance(&cpu)?;
    }
    Ok(best)
}

/// Trains DQN with the default config of the 2×2×2 cube for a fixed duration, and returns the number of training
/// samples per second.
fn samples_per_second(cpu: &Cpu) -> Result<f64, LabError> {
    let mut experiment = REGISTRY.create("cube2", &json!({}), 1)?;
    train(cpu, &mut *experiment, WARM_UP_MS)?;
    let (start, before) = (now(), experiment.progress().steps);
    train(cpu, &mut *experiment, TRAINING_MS)?;
    Ok(1e3 * (experiment.progress().steps - before) as f64 / (now() - start))
}

fn train(cpu: &Cpu, experiment: &mut dyn Experiment, milliseconds: f64) -> Result<(), LabError> {
    let end = now() + milliseconds;
    while now() < end {
        experiment.advance(cpu)?;
    }
    Ok(())
}

/// Returns the duration in seconds of an evaluation of the greedy policy in all states of the 2×2×2 cube. An earlier
/// evaluation, which also computes the distances of all states, is not measured.
fn evaluate(cpu: &Cpu) -> Result<f64, LabError> {
    let mut experiment = REGISTRY.create("cube2", &reference_config(), 1)?;
    experiment.evaluate(cpu, 1, 0)?;
    let start = now();
    experiment.evaluate(cpu, 1, 0)?;
    Ok((now() - start) / 1e3)
}

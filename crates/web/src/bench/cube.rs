//! The cube of 2×2×2: a step of deep Q-learning, its speed as the page learns, and the evaluation of a network in all states.

use super::{Figure, on_cpu};
use crate::clock::now;
use crate::problem::Refusal;
use serde_json::{Value, json};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::{Experiment, LabError};

/// How long gradient steps are measured, in milliseconds.
const STEPPING: f64 = 4000.0;
/// How long the learner runs for its speed, in milliseconds, and before that: its replay has to fill first.
const TRAINING: f64 = 10_000.0;
const WARMING: f64 = 3000.0;

/// Measures one of these figures; nothing where the name is another's.
pub fn measure(name: &str, cpu: &Cpu) -> Result<Vec<Figure>, Refusal> {
    let threads = cpu.threads();
    Ok(match name {
        "cube2/train_step/1" => vec![on_cpu(name, train_step()?, "ms", 1)],
        "cube2/train/all" => vec![on_cpu(name, samples_per_second(cpu)?, "samples/s", threads)],
        "cube2/examine/all" => vec![on_cpu(name, evaluate(cpu)?, "s", threads)],
        _ => Vec::new(),
    })
}

/// The reference network and its minibatch, as `vivarium bench` has them. Many steps follow on each other, as one alone is
/// short for the browser's clock.
fn reference() -> Value {
    json!({
        "cube": { "symmetries": false, "features": "stickers" },
        "dqn": {
            "hidden": [128, 64], "num_envs": 32, "minibatch": 64, "warm_up": 2048, "replay": 65_536, "replay_ratio": 32.0, "demonstrations": 0,
        },
    })
}

/// Milliseconds of a gradient step on one thread: the mean over those between two steps of the lanes, at its best.
fn train_step() -> Result<f64, LabError> {
    let (cpu, mut experiment) = (Cpu::new(1), REGISTRY.create("cube2", &reference(), 1)?);
    let (mut best, end) = (f64::INFINITY, now() + STEPPING);
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

/// Samples a second as the exhibit learns.
fn samples_per_second(cpu: &Cpu) -> Result<f64, LabError> {
    let mut experiment = REGISTRY.create("cube2", &json!({}), 1)?;
    train(cpu, &mut *experiment, WARMING)?;
    let (start, before) = (now(), experiment.progress().steps);
    train(cpu, &mut *experiment, TRAINING)?;
    Ok(1e3 * (experiment.progress().steps - before) as f64 / (now() - start))
}

fn train(cpu: &Cpu, experiment: &mut dyn Experiment, milliseconds: f64) -> Result<(), LabError> {
    let end = now() + milliseconds;
    while now() < end {
        experiment.advance(cpu)?;
    }
    Ok(())
}

/// Seconds of an evaluation in all states. The first one finds out the distances of all states as well.
fn evaluate(cpu: &Cpu) -> Result<f64, LabError> {
    let mut experiment = REGISTRY.create("cube2", &reference(), 1)?;
    experiment.evaluate(cpu, 1, 0)?;
    let start = now();
    experiment.evaluate(cpu, 1, 0)?;
    Ok((now() - start) / 1e3)
}

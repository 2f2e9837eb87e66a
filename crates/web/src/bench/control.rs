//! Worlds of control: stepping them, and learning in them.

use super::{Figure, PATIENCE, best_rate, on_cpu, training};
use crate::clock::now;
use crate::problem::Refusal;
use serde_json::{Value, json};
use vivarium_envs::{Autoreset, CartPole, EnvError, StepBuffers, VectorEnv, World};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_kernels::Level;
use vivarium_lab::{AnyExhibit, LabError};

/// How long the learner runs for its speed, in milliseconds.
const TRAINING: f64 = 5000.0;
/// The figures for solving cartpole are the median and the worst over these seeds.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// The figure under which the worst seed is reported, beside the median.
const WORST: &str = "control/cartpole/seconds_to_475/all/worst";

/// Measures one of these figures, or what is measured with it; nothing where the name is another's.
pub fn measure(name: &str, large: bool, cpu: &Cpu) -> Result<Vec<Figure>, Refusal> {
    let figure = |name: &str, value, unit, threads| on_cpu(name, value, unit, threads);
    let threads = cpu.threads();
    Ok(vec![match name {
        "control/cartpole/raw/1" => figure(name, raw_steps(cpu.level())?, "steps/s", 1),
        "control/cartpole/ppo/all" => figure(name, training_speed(cpu, json!({}))?, "steps/s", threads),
        "control/cartpole/seconds_to_475/all" => {
            let seconds = seconds_to_solve(cpu)?;
            let [median, worst] = [seconds.len() / 2, seconds.len() - 1].map(|at| seconds[at]);
            return Ok(vec![figure(name, median, "s", threads), figure(WORST, worst, "s", threads)]);
        }
        "gpu/cartpole/raw" => figure(name, raw_steps_on_all(cpu)?, "steps/s", threads),
        "gpu/cartpole/ppo" => figure(name, training_speed(cpu, training(large))?, "steps/s", threads),
        _ => return Ok(Vec::new()),
    }])
}

const LANES: usize = 8192;
const STEPS: u64 = 16;

/// Environments in a row, and where their steps go.
struct Lanes {
    env: VectorEnv<CartPole>,
    out: StepBuffers,
}

fn failed(error: EnvError) -> Refusal {
    Refusal::new(format!("{error}"), "")
}

impl Lanes {
    fn new(first: u32) -> Result<Self, EnvError> {
        let defaults = <CartPole as World>::Params::default();
        let env = VectorEnv::<CartPole>::new(defaults, 1, first, LANES, Autoreset::SameStep)?;
        Ok(Self { env, out: StepBuffers::new::<CartPole>(LANES) })
    }
}

/// Environment steps a second on one thread, random actions, resets included.
fn raw_steps(level: Level) -> Result<f64, Refusal> {
    let Lanes { mut env, mut out } = Lanes::new(0).map_err(failed)?;
    let mut best = 0.0f64;
    let end = now() + PATIENCE;
    while now() < end {
        let mut outcome = Ok(());
        let rate = best_rate(20.0, || {
            outcome = env.random_steps(level, STEPS, &mut out.out());
            LANES as f64 * STEPS as f64
        });
        outcome.map_err(failed)?;
        best = best.max(rate);
    }
    Ok(best * 1e3)
}

/// The same on every thread.
fn raw_steps_on_all(cpu: &Cpu) -> Result<f64, Refusal> {
    let lanes: Result<Vec<Lanes>, EnvError> =
        (0..cpu.threads()).map(|thread| Lanes::new((thread * LANES) as u32)).collect();
    let mut lanes = lanes.map_err(failed)?;
    let level = cpu.level();
    let mut best = 0.0f64;
    let end = now() + PATIENCE;
    while now() < end {
        best = best.max(best_rate(20.0, || {
            // What can fail has just not failed for the same lanes; and a figure is all that comes of it.
            cpu.for_each(&mut lanes, |_, Lanes { env, out }| {
                let _ = env.random_steps(level, 8 * STEPS, &mut out.out());
            });
            (lanes.len() * LANES) as f64 * (8 * STEPS) as f64
        }));
    }
    Ok(best * 1e3)
}

fn cartpole(config: Value, seed: u64) -> Result<Box<dyn AnyExhibit>, LabError> {
    REGISTRY.create("cartpole", &config, seed)
}

/// Environment steps a second of the whole learner.
fn training_speed(cpu: &Cpu, config: Value) -> Result<f64, Refusal> {
    let mut experiment = cartpole(config, 1)?;
    let mut advance_for = |milliseconds: f64| -> Result<f64, Refusal> {
        let (before, start) = (experiment.progress().steps, now());
        while now() - start < milliseconds {
            experiment.advance(cpu)?;
        }
        Ok((experiment.progress().steps - before) as f64 / (now() - start) * 1e3)
    };
    // Compiling to the fast code takes V8 a while.
    advance_for(1000.0)?;
    advance_for(TRAINING)
}

/// Seconds until the greedy policy reaches a mean return of 475 over 100 episodes: for each seed, the shortest first.
fn seconds_to_solve(cpu: &Cpu) -> Result<Vec<f64>, Refusal> {
    let mut seconds = Vec::new();
    for seed in SEEDS {
        seconds.push(seconds_to_solve_once(cpu, seed)?);
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds)
}

fn seconds_to_solve_once(cpu: &Cpu, seed: u64) -> Result<f64, Refusal> {
    const LONGEST: f64 = 60_000.0;
    let start = now();
    let mut experiment = cartpole(json!({}), seed)?;
    let mut next_look = start;
    while now() - start < LONGEST {
        experiment.advance(cpu)?;
        // Looking costs about a tenth of the time.
        if !experiment.take_metrics().is_empty() && now() >= next_look {
            let before = now();
            let evaluation = experiment.evaluate(cpu, 100, seed)?;
            if evaluation.quality().is_some_and(|mean| mean >= 475.0) {
                return Ok((now() - start) / 1e3);
            }
            next_look = now() + 10.0 * (now() - before);
        }
    }
    Err(Refusal::new(format!("Cartpole was not solved within {} s.", LONGEST / 1e3), ""))
}

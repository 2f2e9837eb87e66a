//! Figures of the benchmark page, named as those of `vivarium bench`.

use crate::clock::now;
use crate::problem::Problem;
use serde::Serialize;
use serde_json::json;
use vivarium_envs::{Autoreset, CartPole, StepBuffers, VectorEnv, World};
use vivarium_graph::Cpu;
use vivarium_kernels::{Level, PackedMatrix, gemm::gemm, peak, rng};
use vivarium_lab::{Experiment, LabError, registry};

/// A measured figure.
#[derive(Serialize)]
pub struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    rival: Option<Rival>,
}

/// What a figure is held against, measured in the same run.
#[derive(Serialize)]
struct Rival {
    name: &'static str,
    value: f64,
}

/// Rows, inputs and outputs of the products measured.
const SHAPES: [[usize; 3]; 4] = [[64, 128, 128], [64, 344, 128], [256, 128, 128], [256, 256, 1024]];
/// How long a figure is measured, in milliseconds.
const PATIENCE: f64 = 2000.0;
/// How long the learner runs for its speed, in milliseconds.
const TRAINING: f64 = 5000.0;
/// The figures for solving cartpole are the median and the worst over these seeds.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// The names of a suite's figures.
pub fn names(suite: &str) -> Result<Vec<String>, Problem> {
    match suite {
        "kernels" => Ok(SHAPES.iter().map(gemm_name).collect()),
        "control" => Ok(CONTROL.map(String::from).into()),
        _ => Err(unknown(suite)),
    }
}

const CONTROL: [&str; 4] = [
    "control/cartpole/raw/1",
    "control/cartpole/ppo/all",
    "control/cartpole/seconds_to_475/all",
    "control/cartpole/seconds_to_475/all/worst",
];

/// Measures one figure.
pub fn measure(name: &str, cpu: &Cpu) -> Result<Figure, Problem> {
    if let Some(shape) = SHAPES.iter().find(|shape| gemm_name(shape) == name) {
        return Ok(products(cpu.level(), shape));
    }
    let figure = |value, unit, threads| Figure { name: name.into(), value, unit, threads, rival: None };
    match name {
        "control/cartpole/raw/1" => Ok(figure(raw_steps(cpu.level())?, "steps/s", 1)),
        "control/cartpole/ppo/all" => Ok(figure(training_speed(cpu)?, "steps/s", cpu.threads())),
        "control/cartpole/seconds_to_475/all" => {
            let seconds = seconds_to_solve(cpu)?;
            Ok(figure(seconds[seconds.len() / 2], "s", cpu.threads()))
        }
        "control/cartpole/seconds_to_475/all/worst" => {
            let seconds = seconds_to_solve(cpu)?;
            Ok(figure(seconds[seconds.len() - 1], "s", cpu.threads()))
        }
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Problem {
    Problem::new(format!("There is no benchmark called {name}."), "The suites are kernels and control.")
}

fn gemm_name([rows, k, n]: &[usize; 3]) -> String {
    format!("kernels/gemm/{rows}x{k}x{n}")
}

/// A product's speed beside the peak of the multiply-add units, taking turns, each at its best.
fn products(level: Level, shape: &[usize; 3]) -> Figure {
    let [rows, k, n] = *shape;
    let (mut x, mut w) = (vec![0.0; rows * k], vec![0.0; k * n]);
    rng::fill_uniform(level, 1, 0, 0, &mut x);
    rng::fill_uniform(level, 1, 1, 0, &mut w);
    let packed = PackedMatrix::pack(level, &w, k, n);
    let mut y = vec![0.0; rows * n];
    let operations = (2 * rows * k * n) as f64;
    let mut calls = 1;
    let (mut ours, mut limit) = (0.0f64, 0.0f64);
    let end = now() + PATIENCE;
    while now() < end {
        let start = now();
        for _ in 0..calls {
            gemm(level, rows, &x, k, &packed, &mut y, n, 0.0);
        }
        let milliseconds = now() - start;
        // The browser's clock is coarse: only what took long enough counts.
        if milliseconds < 4.0 {
            calls *= 2;
            continue;
        }
        ours = ours.max(calls as f64 * operations / milliseconds);
        // Called again and again, since V8 leaves the first long call in its slower compiler's code.
        limit = limit.max(best_rate(4.0, || peak::multiply_adds(level, 20_000) as f64));
    }
    // Operations a millisecond are thousands a second.
    let rival = Some(Rival { name: "multiply-add peak", value: limit / 1e6 });
    Figure { name: gemm_name(shape), value: ours / 1e6, unit: "GFLOP/s", threads: 1, rival }
}

/// Amount of work a millisecond over about so many milliseconds.
fn best_rate(milliseconds: f64, mut work: impl FnMut() -> f64) -> f64 {
    let start = now();
    let mut done = 0.0;
    loop {
        done += work();
        let passed = now() - start;
        if passed >= milliseconds {
            return done / passed;
        }
    }
}

/// Environment steps a second on one thread, random actions, resets included.
fn raw_steps(level: Level) -> Result<f64, Problem> {
    const LANES: usize = 8192;
    const STEPS: u64 = 16;
    let defaults = <CartPole as World>::Params::default();
    let failed = |error| Problem::new(format!("{error}"), "");
    let mut env = VectorEnv::<CartPole>::new(defaults, 1, 0, LANES, Autoreset::SameStep).map_err(failed)?;
    let mut out = StepBuffers::new::<CartPole>(LANES);
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

fn cartpole(seed: u64) -> Result<Box<dyn Experiment>, LabError> {
    registry::create("cartpole", json!({}), seed)
}

/// Environment steps a second of the whole learner.
fn training_speed(cpu: &Cpu) -> Result<f64, Problem> {
    let mut experiment = cartpole(1)?;
    let mut advance_for = |milliseconds: f64| -> Result<f64, Problem> {
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
fn seconds_to_solve(cpu: &Cpu) -> Result<Vec<f64>, Problem> {
    let mut seconds = Vec::new();
    for seed in SEEDS {
        seconds.push(seconds_to_solve_once(cpu, seed)?);
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds)
}

fn seconds_to_solve_once(cpu: &Cpu, seed: u64) -> Result<f64, Problem> {
    const LONGEST: f64 = 60_000.0;
    let start = now();
    let mut experiment = cartpole(seed)?;
    let mut next_look = start;
    while now() - start < LONGEST {
        experiment.advance(cpu)?;
        // Looking costs about a tenth of the time.
        if !experiment.take_metrics().is_empty() && now() >= next_look {
            let before = now();
            if experiment.evaluate(cpu, 100, seed)?.mean >= 475.0 {
                return Ok((now() - start) / 1e3);
            }
            next_look = now() + 10.0 * (now() - before);
        }
    }
    Err(Problem::new(format!("Cartpole was not solved within {} s.", LONGEST / 1e3), ""))
}

//! The processor's figures, named as those of `vivarium bench`; and, beside the GPU's, what the processor makes of the
//! same work.

use super::{Figure, Rival, SHAPES, SIDES, gemm_name, side_name, training, unknown};
use crate::clock::now;
use crate::problem::Problem;
use serde_json::{Value, json};
use vivarium_envs::{Autoreset, CartPole, EnvError, StepBuffers, VectorEnv, World};
use vivarium_graph::Cpu;
use vivarium_kernels::{Level, PackedMatrix, gemm::gemm, peak, rng};
use vivarium_lab::{Experiment, LabError, registry};

/// How long a figure is measured, in milliseconds.
const PATIENCE: f64 = 2000.0;
/// How long the learner runs for its speed, in milliseconds.
const TRAINING: f64 = 5000.0;
/// The figures for solving cartpole are the median and the worst over these seeds.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// Measures one figure on the processor; `None` for what a GPU alone has.
pub fn measure(name: &str, large: bool, cpu: &Cpu) -> Result<Option<Figure>, Problem> {
    if let Some(shape) = SHAPES.iter().find(|shape| gemm_name(shape) == name) {
        return Ok(Some(products(cpu.level(), shape)));
    }
    if let Some(&side) = SIDES.iter().find(|&&side| side_name(side) == name) {
        return Ok(Some(square(cpu, side)));
    }
    let figure = |value, unit, threads| {
        Ok(Some(Figure { name: name.into(), value, unit, threads: Some(threads), rival: None }))
    };
    match name {
        "control/cartpole/raw/1" => figure(raw_steps(cpu.level())?, "steps/s", 1),
        "control/cartpole/ppo/all" => figure(training_speed(cpu, json!({}))?, "steps/s", cpu.threads()),
        "control/cartpole/seconds_to_475/all" => {
            let seconds = seconds_to_solve(cpu)?;
            figure(seconds[seconds.len() / 2], "s", cpu.threads())
        }
        "control/cartpole/seconds_to_475/all/worst" => {
            let seconds = seconds_to_solve(cpu)?;
            figure(seconds[seconds.len() - 1], "s", cpu.threads())
        }
        "gpu/cartpole/raw" => figure(raw_steps_on_all(cpu)?, "steps/s", cpu.threads()),
        "gpu/cartpole/ppo" => figure(training_speed(cpu, training(large))?, "steps/s", cpu.threads()),
        "gpu/dispatch" | "gpu/readback" => Ok(None),
        _ => Err(unknown(name)),
    }
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
    Figure { name: gemm_name(shape), value: ours / 1e6, unit: "GFLOP/s", threads: Some(1), rival }
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

/// A square product's speed, its rows spread over the threads.
fn square(cpu: &Cpu, side: usize) -> Figure {
    let level = cpu.level();
    let (mut x, mut w) = (vec![0.0; side * side], vec![0.0; side * side]);
    rng::fill_uniform(level, 1, 0, 0, &mut x);
    rng::fill_uniform(level, 1, 1, 0, &mut w);
    let packed = PackedMatrix::pack(level, &w, side, side);
    let mut y = vec![0.0; side * side];
    // Rows enough to be worth packing their stripes, few enough that no thread waits long for the last one.
    let stripe = 64 * side;
    let operations = 2.0 * (side as f64).powi(3);
    let mut best = 0.0f64;
    let end = now() + PATIENCE;
    loop {
        best = best.max(best_rate(20.0, || {
            let mut stripes: Vec<_> = y.chunks_mut(stripe).zip(x.chunks(stripe)).collect();
            cpu.for_each(&mut stripes, |_, (y, x)| {
                gemm(level, y.len() / side, x, side, &packed, y, side, 0.0)
            });
            operations
        }));
        if now() >= end {
            let threads = Some(cpu.threads());
            return Figure {
                name: side_name(side),
                value: best / 1e6,
                unit: "GFLOP/s",
                threads,
                rival: None,
            };
        }
    }
}

const LANES: usize = 8192;
const STEPS: u64 = 16;

/// Environments in a row, and where their steps go.
struct Lanes {
    env: VectorEnv<CartPole>,
    out: StepBuffers,
}

fn failed(error: EnvError) -> Problem {
    Problem::new(format!("{error}"), "")
}

impl Lanes {
    fn new(first: u32) -> Result<Self, EnvError> {
        let defaults = <CartPole as World>::Params::default();
        let env = VectorEnv::<CartPole>::new(defaults, 1, first, LANES, Autoreset::SameStep)?;
        Ok(Self { env, out: StepBuffers::new::<CartPole>(LANES) })
    }
}

/// Environment steps a second on one thread, random actions, resets included.
fn raw_steps(level: Level) -> Result<f64, Problem> {
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
fn raw_steps_on_all(cpu: &Cpu) -> Result<f64, Problem> {
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

fn cartpole(config: Value, seed: u64) -> Result<Box<dyn Experiment>, LabError> {
    registry::create("cartpole", config, seed)
}

/// Environment steps a second of the whole learner.
fn training_speed(cpu: &Cpu, config: Value) -> Result<f64, Problem> {
    let mut experiment = cartpole(config, 1)?;
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
    let mut experiment = cartpole(json!({}), seed)?;
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

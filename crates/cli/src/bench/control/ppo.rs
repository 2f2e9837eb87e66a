//! PPO: environment steps per second of complete training, and wall-clock time to solve an environment.

use crate::bench::{BenchFigure, Reporter, timing};
use serde_json::json;
use std::time::Instant;
use vivarium_agents::Learner;
use vivarium_agents::ppo::{Ppo, PpoConfig};
use vivarium_agents::{LearnerError, mean_return};
use vivarium_config::Config;
use vivarium_envs::{CartPole, CompiledWorld, Environment, each_world};
use vivarium_graph::Cpu;

/// Number of training runs per environment, with the seeds 1 to `SEEDS`. The benchmark reports the median and the
/// maximum time.
const SEEDS: u64 = 5;
/// Number of greedy episodes per evaluation. An environment counts as solved when the mean return of these episodes
/// reaches the threshold [`World::SOLVED`](vivarium_envs::World::SOLVED).
const EPISODES: u32 = 100;
/// Time limit of a training run, in seconds. A run that exceeds the limit counts as not solved.
const TIME_LIMIT: f64 = 120.0;

/// Runs the PPO benchmarks: training speed on CartPole, and time to solve each environment. Reports the results.
pub fn run(reporter: &mut Reporter) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for (suffix, threads) in [("1", 1), ("all", all)] {
        let name = format!("control/cartpole/ppo/{suffix}");
        if reporter.selects(&name)
            && let Ok(rate) = steps_per_second(&default_config::<CartPole>(), threads, reporter.seconds())
        {
            reporter.report(BenchFigure::new(name, rate, "steps/s").on(threads));
        }
    }
    each_world!(time_to_solve(reporter, all));
}

/// Returns the default PPO config of the experiment that trains in environment `W`.
///
/// # Panics
/// Panics if no experiment has this environment.
pub fn default_config<W: CompiledWorld>() -> PpoConfig {
    let config = vivarium_exhibits::REGISTRY.configure(W::NAME, &json!({}));
    config
        .and_then(|config| Ok(PpoConfig::from_json(&config)?))
        .unwrap_or_else(|error| panic!("{}: {error}", W::NAME))
}

/// Returns the environment steps per second of the fastest PPO iteration on CartPole (rollout, GAE and all epochs),
/// measured for about `seconds` seconds.
///
/// # Errors
/// [`LearnerError`] for an invalid config, or if training diverged.
pub fn steps_per_second(config: &PpoConfig, threads: usize, seconds: f64) -> Result<f64, LearnerError> {
    let cpu = Cpu::new(threads);
    let steps = config.batch() as f64;
    let mut learner = Ppo::new(config.clone(), Environment::of::<CartPole>(), 1)?;
    let mut outcome = Ok(());
    let iteration = timing::fastest(seconds, || {
        if outcome.is_ok() {
            outcome = learner.iterate(&cpu).map(drop);
        }
    });
    outcome.map(|()| steps / iteration)
}

/// Measures and reports the wall-clock time in seconds until PPO solves environment `W`: median and maximum over the
/// seeds.
fn time_to_solve<W: CompiledWorld>(reporter: &mut Reporter, threads: usize) {
    let target = f64::from(W::SOLVED);
    let name = format!("control/{}/seconds_to_{target}/all", W::NAME);
    let worst = format!("{name}/worst");
    if !reporter.selects(&name) && !reporter.selects(&worst) {
        return;
    }
    let cpu = Cpu::new(threads);
    let mut seconds: Vec<f64> =
        (1..=SEEDS).map(|seed| seconds_to_solve::<W>(&cpu, target, seed).unwrap_or(f64::NAN)).collect();
    seconds.sort_by(f64::total_cmp);
    reporter.report(BenchFigure::new(name, seconds[seconds.len() / 2], "s").on(threads));
    reporter.report(BenchFigure::new(worst, seconds[seconds.len() - 1], "s").on(threads));
}

/// Returns the wall-clock time in seconds until the mean return of [`EPISODES`] greedy episodes reaches `target`; NaN
/// if the time limit passes first. The time includes initialization and an evaluation after every iteration.
fn seconds_to_solve<W: CompiledWorld>(cpu: &Cpu, target: f64, seed: u64) -> Result<f64, LearnerError> {
    let start = Instant::now();
    let mut learner = Ppo::new(default_config::<W>(), Environment::of::<W>(), seed)?;
    loop {
        let report = learner.iterate(cpu)?;
        let episodes = learner.evaluate(cpu, EPISODES, report.counters.iterations)?;
        let seconds = start.elapsed().as_secs_f64();
        if mean_return(&episodes) >= target {
            return Ok(seconds);
        }
        if seconds > TIME_LIMIT {
            return Ok(f64::NAN);
        }
    }
}

//! Environment stepping without a learner, with uniformly random actions from the environments' random streams.
//!
//! A step is a complete step of a vector environment: observations, rewards, termination and truncation flags, final
//! observations of ended episodes, and same-step autoreset.

use crate::bench::{BenchFigure, Reporter, timing};
use vivarium_envs::{Autoreset, CompiledWorld, EnvError, StepBuffers, VectorEnv, each_world};
use vivarium_kernels::simd;

/// Number of environments in the vector environment of each thread.
const NUM_ENVS: usize = 4096;
/// Number of steps of each environment in a timed call on one thread. The number is small, because the benchmark
/// reports the fastest of many calls.
const STEPS_ONE_THREAD: u64 = 200;
/// Number of steps of each environment in a timed call on several threads. The number is larger, to amortize the
/// start of the threads.
const STEPS_ALL_THREADS: u64 = 2000;
/// Measurements shorter than this duration, in seconds, use [`STEPS_ONE_THREAD`] on several threads as well.
const SHORT_MEASUREMENT: f64 = 0.1;

/// Measures and reports the stepping speed of every environment, on one thread and on all threads.
pub fn run(reporter: &mut Reporter) {
    each_world!(world(reporter));
}

fn world<W: CompiledWorld>(reporter: &mut Reporter) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for (suffix, threads) in [("1", 1), ("all", all)] {
        let name = format!("control/{}/raw/{suffix}", W::NAME);
        if !reporter.selects(&name) {
            continue;
        }
        // The default parameters are always valid.
        let Ok(rate) = steps_per_second::<W>(threads, reporter.seconds()) else { continue };
        reporter.report(BenchFigure::new(name, rate, "steps/s").on(threads));
    }
}

/// Returns the environment steps per second, summed over all threads, measured for about `seconds` seconds. Each
/// thread steps a vector environment of its own.
///
/// # Errors
/// [`EnvError`] if the environment rejects an action or its parameters.
pub fn steps_per_second<W: CompiledWorld>(threads: usize, seconds: f64) -> Result<f64, EnvError> {
    let level = simd::level();
    let mut parts = Vec::new();
    for thread in 0..threads {
        let first_env = (thread * NUM_ENVS) as u32;
        let env =
            VectorEnv::<W>::new(level, W::Params::default(), 1, first_env, NUM_ENVS, Autoreset::SameStep)?;
        parts.push((env, StepBuffers::new::<W>(NUM_ENVS)));
    }
    let is_short = threads == 1 || seconds < SHORT_MEASUREMENT;
    let steps = if is_short { STEPS_ONE_THREAD } else { STEPS_ALL_THREADS };
    let mut outcome = Ok(());
    let call = timing::fastest(seconds, || {
        outcome = std::thread::scope(|scope| {
            let step =
                |(env, out): &mut (VectorEnv<W>, StepBuffers)| env.random_steps(level, steps, &mut out.out());
            let (first, others) = parts.split_at_mut(1);
            let others: Vec<_> = others.iter_mut().map(|part| scope.spawn(move || step(part))).collect();
            let first = step(&mut first[0]);
            others.into_iter().filter_map(|thread| thread.join().ok()).fold(first, Result::and)
        });
    });
    outcome.map(|()| (threads * NUM_ENVS) as f64 * steps as f64 / call)
}

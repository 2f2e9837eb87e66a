//! Raw stepping: environments alone, under uniformly random actions from the lanes' own random numbers.
//!
//! Every step is a whole step of a vector environment: observations written row by row, rewards, both flags, the final
//! observation of each lane that ended, and its reset in the same step.

use crate::bench::{BenchFigure, Reporter, timing};
use vivarium_envs::{Autoreset, EnvError, StepBuffers, VectorEnv, World, each_world};
use vivarium_kernels::simd;

/// Lanes of one thread.
const LANES: usize = 4096;
/// Steps of one call on one thread: short, so that some calls are left alone by whatever else the machine does.
const STEPS: u64 = 200;
/// Steps of one call on several threads: some milliseconds' worth, against which starting the threads costs little.
const STEPS_OF_EACH: u64 = 2000;

/// Measures and reports the raw figures of every world.
pub fn run(reporter: &mut Reporter) {
    each_world!(world(reporter));
}

fn world<W: World>(reporter: &mut Reporter) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for (suffix, threads) in [("1", 1), ("all", all)] {
        let name = format!("control/{}/raw/{suffix}", W::NAME);
        if !reporter.wants(&name) {
            continue;
        }
        // A world's own defaults are always in range, so this cannot fail.
        let Ok(rate) = steps_per_second::<W>(threads, reporter.seconds()) else { continue };
        reporter.report(BenchFigure::new(name, rate, "steps/s").on(threads));
    }
}

/// Steps a second of all lanes together, each thread stepping lanes of its own.
///
/// # Errors
/// Those of [`VectorEnv::new`].
pub fn steps_per_second<W: World>(threads: usize, seconds: f64) -> Result<f64, EnvError> {
    let level = simd::level();
    let mut parts = Vec::new();
    for thread in 0..threads {
        let first_lane = (thread * LANES) as u32;
        let env = VectorEnv::<W>::new(W::Params::default(), 1, first_lane, LANES, Autoreset::SameStep)?;
        parts.push((env, StepBuffers::new::<W>(LANES)));
    }
    let steps = if threads == 1 { STEPS } else { STEPS_OF_EACH };
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
    outcome.map(|()| (threads * LANES) as f64 * steps as f64 / call)
}

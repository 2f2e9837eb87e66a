//! Benchmark suite `cube2`: a gradient step of deep Q-learning, and an evaluation of the greedy policy in all states
//! of the 2×2×2 cube.

use super::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use std::sync::Arc;
use std::time::Instant;
use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::cube2::{GreedyPolicy, NetworkEvaluation};
use vivarium_agents::dqn::{CubeFeatures, CubeParams, CubeProblem, Dqn, DqnConfig, DqnWork};
use vivarium_envs::cube::{DistanceTable, TurnMetric};
use vivarium_graph::Cpu;

/// Runs the benchmark suite `cube2` and reports the results. The benchmark `train_step` measures a gradient step:
/// sampling a minibatch of 64, double-DQN targets, forward and backward pass, Adam and priority updates. The
/// benchmark `examine` measures the evaluation of the greedy policy in all 3,674,160 states. The Q-network has layers
/// of 144→128→64 units and dueling heads.
///
/// # Errors
/// [`CliError::Failed`] if training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), CliError> {
    let name = "cube2/train_step/1";
    if reporter.selects(name) {
        let (cpu, mut learner) = (Cpu::new(1), benchmark_learner().map_err(CliError::failed_by)?);
        let advance = || {
            let work = learner.next_work();
            learner.advance(&cpu).map(|_| work)
        };
        let seconds = train_step(reporter.seconds(), advance).map_err(CliError::failed_by)?;
        reporter.report(BenchFigure::new(name, 1e3 * seconds, "ms").on(1));
    }
    let (name, threads) = ("cube2/examine/all", machine::cores());
    if reporter.selects(name) {
        let seconds = evaluate(threads).map_err(CliError::failed_by)?;
        reporter.report(BenchFigure::new(name, seconds, "s").on(threads));
    }
    Ok(())
}

/// Creates the measured DQN learner for the 2×2×2 cube. The Q-network has 144 inputs, layers of 128 and 64 units, and
/// dueling heads.
fn benchmark_learner() -> Result<Dqn<CubeProblem>, LearnerError> {
    let config = DqnConfig { iteration: 1_000_000, ..DqnConfig::default() };
    Dqn::new(config, CubeParams { symmetries: false, features: CubeFeatures::Stickers }, 1)
}

/// Returns the duration in seconds of the fastest gradient step of DQN within `seconds` seconds. Each call of
/// `advance` does one environment step or one gradient step and returns the kind; only gradient steps are timed.
pub fn train_step(
    seconds: f64,
    mut advance: impl FnMut() -> Result<DqnWork, LearnerError>,
) -> Result<f64, LearnerError> {
    let (mut best, start) = (f64::INFINITY, Instant::now());
    while best.is_infinite() || start.elapsed().as_secs_f64() < seconds {
        let begin = Instant::now();
        if advance()? == DqnWork::Learn {
            best = best.min(begin.elapsed().as_secs_f64());
        }
    }
    Ok(best)
}

/// Returns the duration in seconds of one evaluation of the greedy policy in all states of the cube.
fn evaluate(threads: usize) -> Result<f64, LearnerError> {
    let (cpu, learner) = (Cpu::new(threads), benchmark_learner()?);
    let greedy = GreedyPolicy { network: learner.network(), params: *learner.params() };
    let mut evaluation = NetworkEvaluation::new(Arc::new(DistanceTable::new(TurnMetric::Quarter)));
    let start = Instant::now();
    while !evaluation.advance(&cpu, greedy) {}
    Ok(start.elapsed().as_secs_f64())
}

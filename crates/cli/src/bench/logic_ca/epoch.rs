//! Duration of a training epoch of the preset `checkerboard`: 20 automaton steps on two 16×16 boards, backward pass,
//! AdamW, and the evaluation of the hard (Boolean) circuit on the same boards. The script in `benches/rivals/jax`
//! measures the same epoch.

use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::{LogicCa, LogicConfig, LogicError, LogicPreset};

/// Measures the duration of an epoch on one thread and on all threads, and reports both.
///
/// # Errors
/// [`CliError::Failed`] if training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), CliError> {
    for (suffix, threads) in [("1", 1), ("all", machine::cores())] {
        let name = format!("logic-ca/checkerboard/epoch/{suffix}");
        if reporter.selects(&name) {
            let seconds = seconds_per_epoch(LogicPreset::Checkerboard, threads, reporter.seconds())
                .map_err(CliError::failed_by)?;
            reporter.report(BenchFigure::new(name, 1e3 * seconds, "ms").on(threads));
        }
    }
    Ok(())
}

/// Returns the duration in seconds of the fastest training epoch of a preset, measured for about `seconds` seconds.
///
/// # Errors
/// [`LogicError`] if training diverged.
pub fn seconds_per_epoch(preset: LogicPreset, threads: usize, seconds: f64) -> Result<f64, LogicError> {
    let cpu = Cpu::new(threads);
    let new = || LogicCa::new(LogicConfig::of(preset), 1);
    let (mut learner, mut best, start) = (new()?, f64::INFINITY, Instant::now());
    while best.is_infinite() || start.elapsed().as_secs_f64() < seconds {
        let begin = Instant::now();
        if learner.iterate(&cpu)?.hard_loss > 0.0 {
            best = best.min(begin.elapsed().as_secs_f64());
        } else {
            // Restart the training when the automaton has no errors, because such an epoch skips the backward pass.
            learner = new()?;
        }
    }
    Ok(best)
}

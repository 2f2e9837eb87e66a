//! Milliseconds of one epoch of learning the checkerboard: 20 steps of two boards of 16×16 cells forward and back, AdamW,
//! and the evaluation of the hard circuit on the same boards. `benches/rivals/jax` does the same.

use crate::bench::{Figure, Reporter};
use crate::failure::Failure;
use crate::machine;
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_logic_ca::{LogicCa, LogicConfig, LogicError, LogicPreset};

/// Measures and reports an epoch on one thread and on all.
///
/// # Errors
/// [`Failure::Failed`] where training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), Failure> {
    for (suffix, threads) in [("1", 1), ("all", machine::cores())] {
        let name = format!("logic-ca/checkerboard/epoch/{suffix}");
        if reporter.wants(&name) {
            let seconds = seconds_per_epoch(LogicPreset::Checkerboard, threads, reporter.seconds())
                .map_err(Failure::failed_by)?;
            reporter.report(Figure::new(name, 1e3 * seconds, "ms").on(threads));
        }
    }
    Ok(())
}

/// Seconds of one epoch of a preset, at its best: the fastest of those that learn.
///
/// # Errors
/// [`LogicError`] where training diverged.
pub fn seconds_per_epoch(preset: LogicPreset, threads: usize, seconds: f64) -> Result<f64, LogicError> {
    let cpu = Cpu::new(threads);
    let new = || LogicCa::new(LogicConfig::of(preset), 1);
    let (mut learner, mut best, start) = (new()?, f64::INFINITY, Instant::now());
    while best.is_infinite() || start.elapsed().as_secs_f64() < seconds {
        let begin = Instant::now();
        if learner.train_epoch(&cpu)?.hard_loss > 0.0 {
            best = best.min(begin.elapsed().as_secs_f64());
        } else {
            // An epoch without a mistake is spared the way back.
            learner = new()?;
        }
    }
    Ok(best)
}

//! Milliseconds of one epoch of learning the checkerboard: 20 steps of two boards of 16×16 cells forward and back, AdamW,
//! and the evaluation of the hard circuit on the same boards. `benches/rivals/jax` does the same.

use crate::bench::{Figure, Reporter, timing};
use crate::failure::Failure;
use crate::machine;
use vivarium_graph::Cpu;
use vivarium_logic_ca::{LogicCa, LogicConfig, LogicError, Preset};

/// Measures and reports an epoch on one thread and on all.
///
/// # Errors
/// [`Failure::Failed`] where training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), Failure> {
    for (suffix, threads) in [("1", 1), ("all", machine::cores())] {
        let name = format!("logic-ca/checkerboard/epoch/{suffix}");
        if reporter.wants(&name) {
            let seconds = seconds_per_epoch(Preset::Checkerboard, threads, reporter.seconds())
                .map_err(Failure::failed_by)?;
            reporter.report(Figure::new(name, 1e3 * seconds, "ms").on(threads));
        }
    }
    Ok(())
}

/// Seconds of one epoch of a preset.
///
/// # Errors
/// [`LogicError`] where training diverged.
pub fn seconds_per_epoch(preset: Preset, threads: usize, seconds: f64) -> Result<f64, LogicError> {
    let cpu = Cpu::new(threads);
    let mut learner = LogicCa::new(LogicConfig::of(preset), 1)?;
    let mut outcome = Ok(());
    let epoch = timing::fastest(seconds, || {
        if outcome.is_ok() {
            outcome = learner.learn(&cpu).map(drop);
        }
    });
    outcome.map(|()| epoch)
}

//! Hard circuits: cell updates per second of the trained checkerboard circuit.
//!
//! The circuit is trained first, because its size after pruning depends on the training. Seed and number of epochs are
//! fixed; the circuit is therefore always the same (up to rounding differences between SIMD levels).

use crate::bench::{BenchFigure, Reporter, timing};
use crate::error::CliError;
use crate::{machine, text};
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::hard::{Boards, Circuit, CompiledCircuit};
use vivarium_logic_ca::{Grid, LogicCa, LogicConfig, LogicPreset};

/// Side length of the square board in cells: the maximum of the web page.
const SIDE: usize = 1024;
/// Time limit for training the circuit, in seconds.
const PATIENCE: f64 = 120.0;
/// Number of training epochs between two evaluations of the circuit.
const EPOCHS_BETWEEN_EVALUATIONS: u64 = 50;

/// Trains the checkerboard circuit and reports its cell updates per second before and after pruning.
///
/// # Errors
/// [`CliError::Failed`] if training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), CliError> {
    let all = machine::cores();
    let figures = [
        ("logic-ca/hard/unpruned/1", false, 1),
        ("logic-ca/hard/pruned/1", true, 1),
        ("logic-ca/hard/pruned/all", true, all),
    ];
    if !figures.iter().any(|(name, ..)| reporter.wants(name)) {
        return Ok(());
    }
    let (unpruned, learned) = learn()?;
    let pruned = unpruned.simplified();
    reporter.note(&format!(
        "the checkerboard's circuit {learned}: {} gates, {} after pruning",
        unpruned.gates().len(),
        pruned.gates().len()
    ));
    for (name, is_pruned, threads) in figures {
        if reporter.wants(name) {
            let circuit = if is_pruned { &pruned } else { &unpruned };
            let rate = cell_steps_per_second(circuit, threads, reporter.seconds())?;
            reporter.report(BenchFigure::new(name, rate, "cell-steps/s").on(threads));
        }
    }
    Ok(())
}

/// Trains the checkerboard preset until the circuit has no errors, or until the last epoch. Returns the circuit and a
/// description of the training.
fn learn() -> Result<(Circuit, String), CliError> {
    let (cpu, start) = (Cpu::new(machine::cores()), Instant::now());
    let config = LogicConfig::of(LogicPreset::Checkerboard);
    let epochs = u64::from(config.epochs);
    let mut learner = LogicCa::new(config, 1).map_err(CliError::failed_by)?;
    let accuracy = loop {
        learner.iterate(&cpu).map_err(CliError::failed_by)?;
        let is_over = learner.epoch() >= epochs || start.elapsed().as_secs_f64() > PATIENCE;
        if is_over || learner.epoch().is_multiple_of(EPOCHS_BETWEEN_EVALUATIONS) {
            let evaluation = learner.evaluate(&cpu, 64, 0).map_err(CliError::failed_by)?;
            if is_over || evaluation.wrong_bits == 0 {
                break evaluation.accuracy;
            }
        }
    };
    let learned =
        format!("after {} epochs, {} of cells correct on new boards", learner.epoch(), text::share(accuracy));
    Ok((learner.hard_circuit(), learned))
}

/// Returns the cell updates per second of a circuit on one large, randomly initialized board.
///
/// # Errors
/// [`CliError::Failed`] if the board cannot be allocated.
pub fn cell_steps_per_second(circuit: &Circuit, threads: usize, seconds: f64) -> Result<f64, CliError> {
    let cpu = Cpu::new(threads);
    let border = LogicConfig::of(LogicPreset::Checkerboard).border;
    let grid = Grid { boards: 1, height: SIDE, width: SIDE, border };
    let mut boards = Boards::new(grid, circuit.channels()).map_err(CliError::failed_by)?;
    let mut stream = Stream::new(1, 0);
    for channel in 0..circuit.channels() {
        boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
    }
    let mut code = CompiledCircuit::new(circuit);
    let mut step = 0;
    let one = timing::fastest(seconds, || {
        code.step(&cpu, &mut boards, None, step);
        step += 1;
    });
    Ok(grid.lanes() as f64 / one)
}

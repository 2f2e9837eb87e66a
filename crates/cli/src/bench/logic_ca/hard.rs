//! Cell updates per second of the trained hard (Boolean) circuit of the preset `checkerboard`.
//!
//! The suite trains the circuit first, because the size of the pruned circuit depends on training. Seed and number of
//! epochs are fixed. Therefore every run measures the same circuit, up to rounding differences between SIMD levels.

use crate::bench::{BenchFigure, Reporter, timing};
use crate::error::CliError;
use crate::{machine, text};
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::hard::{Boards, Circuit, CompiledCircuit};
use vivarium_logic_ca::{Grid, LogicCa, LogicConfig, LogicPreset};

/// Side length of the measured square board in cells; equals the maximum in the web page.
const BOARD_SIDE: usize = 1024;
/// Time limit for training the circuit, in seconds.
const TIME_LIMIT: f64 = 120.0;
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
    if !figures.iter().any(|(name, ..)| reporter.selects(name)) {
        return Ok(());
    }
    let (unpruned, training) = train_circuit()?;
    let pruned = unpruned.simplified();
    reporter.note(&format!(
        "the checkerboard's circuit {training}: {} gates, {} after pruning",
        unpruned.gates().len(),
        pruned.gates().len()
    ));
    for (name, is_pruned, threads) in figures {
        if reporter.selects(name) {
            let circuit = if is_pruned { &pruned } else { &unpruned };
            let rate = cell_updates_per_second(circuit, threads, reporter.seconds())?;
            reporter.report(BenchFigure::new(name, rate, "cell-steps/s").on(threads));
        }
    }
    Ok(())
}

/// Trains the preset `checkerboard` until the hard circuit has no errors, or until the last epoch or the time limit.
/// Returns the circuit, and a description of the training such as "after 500 epochs, 100 % of cells correct on new
/// boards".
fn train_circuit() -> Result<(Circuit, String), CliError> {
    let (cpu, start) = (Cpu::new(machine::cores()), Instant::now());
    let config = LogicConfig::of(LogicPreset::Checkerboard);
    let epochs = u64::from(config.epochs);
    let mut learner = LogicCa::new(config, 1).map_err(CliError::failed_by)?;
    let accuracy = loop {
        learner.iterate(&cpu).map_err(CliError::failed_by)?;
        let is_over = learner.epoch() >= epochs || start.elapsed().as_secs_f64() > TIME_LIMIT;
        if is_over || learner.epoch().is_multiple_of(EPOCHS_BETWEEN_EVALUATIONS) {
            let evaluation = learner.evaluate(&cpu, 64, 0).map_err(CliError::failed_by)?;
            if is_over || evaluation.wrong_bits == 0 {
                break evaluation.accuracy;
            }
        }
    };
    let training =
        format!("after {} epochs, {} of cells correct on new boards", learner.epoch(), text::share(accuracy));
    Ok((learner.hard_circuit(), training))
}

/// Returns the cell updates per second of a circuit on one board of [`BOARD_SIDE`]² random cells, measured for about
/// `seconds` seconds.
///
/// # Errors
/// [`CliError::Failed`] if the board cannot be allocated.
pub fn cell_updates_per_second(circuit: &Circuit, threads: usize, seconds: f64) -> Result<f64, CliError> {
    let cpu = Cpu::new(threads);
    let border = LogicConfig::of(LogicPreset::Checkerboard).border;
    let grid = Grid { boards: 1, height: BOARD_SIDE, width: BOARD_SIDE, border };
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

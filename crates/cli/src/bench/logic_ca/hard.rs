//! Hard circuits: how many cells a second run the circuit that has learned the checkerboard.
//!
//! The circuit is learned first, since what pruning leaves of one depends on what it has learned. Seed and epochs are fixed,
//! so it is the same one every time (up to the rounding of different SIMD levels).

use crate::bench::{Figure, Reporter, timing};
use crate::failure::Failure;
use crate::{machine, text};
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::hard::{Boards, Circuit, CompiledCircuit};
use vivarium_logic_ca::{Grid, LogicCa, LogicConfig, LogicPreset};

/// Columns and rows of the board: the largest that the page offers.
const SIDE: usize = 1024;
/// Seconds after which learning ends, whatever it has come to.
const PATIENCE: f64 = 120.0;
/// How often it is looked whether the circuit is perfect.
const EPOCHS_BETWEEN_EVALUATIONS: u64 = 50;

/// Learns the circuit and reports how fast it is stepped, as it was learned and pruned.
///
/// # Errors
/// [`Failure::Failed`] where training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), Failure> {
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
            reporter.report(Figure::new(name, rate, "cell-steps/s").on(threads));
        }
    }
    Ok(())
}

/// The first circuit of the checkerboard preset's that makes no mistake, or the last one; and in words how far it came.
fn learn() -> Result<(Circuit, String), Failure> {
    let (cpu, start) = (Cpu::new(machine::cores()), Instant::now());
    let config = LogicConfig::of(LogicPreset::Checkerboard);
    let epochs = u64::from(config.epochs);
    let mut learner = LogicCa::new(config, 1).map_err(Failure::failed_by)?;
    let accuracy = loop {
        learner.train_epoch(&cpu).map_err(Failure::failed_by)?;
        let is_over = learner.epoch() >= epochs || start.elapsed().as_secs_f64() > PATIENCE;
        if is_over || learner.epoch().is_multiple_of(EPOCHS_BETWEEN_EVALUATIONS) {
            let evaluation = learner.evaluate(&cpu, 64, 0).map_err(Failure::failed_by)?;
            if is_over || evaluation.wrong_bits == 0 {
                break evaluation.accuracy;
            }
        }
    };
    let learned =
        format!("after {} epochs, {} of cells right on new boards", learner.epoch(), text::share(accuracy));
    Ok((learner.hard_circuit(), learned))
}

/// Cells times steps a second of a circuit on one large board that starts as noise.
///
/// # Errors
/// [`Failure::Failed`] if the board cannot be had.
pub fn cell_steps_per_second(circuit: &Circuit, threads: usize, seconds: f64) -> Result<f64, Failure> {
    let cpu = Cpu::new(threads);
    let border = LogicConfig::of(LogicPreset::Checkerboard).border;
    let grid = Grid { boards: 1, height: SIDE, width: SIDE, border };
    let mut boards = Boards::new(grid, circuit.channels()).map_err(Failure::failed_by)?;
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

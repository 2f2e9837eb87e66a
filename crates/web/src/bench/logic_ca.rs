//! Benchmarks of logic cellular automata: training a checkerboard, and stepping the trained circuit.

use super::measurement::{CpuBenchmark, MEASUREMENT_MS, mean_rate, on_cpu};
use crate::clock::now;
use crate::error::SessionError;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::hard::{Boards, Circuit, CompiledCircuit};
use vivarium_logic_ca::{Border, Grid, LogicCa, LogicConfig, LogicError, LogicPreset};

/// Side length in cells of the board on which circuits are measured: the largest sandbox board of the page.
const SIDE: usize = 1024;
/// Maximum duration of the training of the measured circuit, in milliseconds.
const MAX_TRAINING_MS: f64 = 60_000.0;
/// Number of epochs between evaluations of the circuit.
const EPOCHS_BETWEEN_EVALUATIONS: u64 = 50;

/// Name of the result for the pruned circuit, from which unused and redundant gates are removed. The benchmark of the
/// unpruned circuit reports it too.
const PRUNED: &str = "logic-ca/hard/pruned/1";

pub const BENCHMARKS: &[CpuBenchmark] = &[
    CpuBenchmark {
        name: "logic-ca/checkerboard/epoch/1",
        run: |name, _, _| Ok(vec![on_cpu(name, epoch(&Cpu::new(1))?, "ms", 1)]),
    },
    CpuBenchmark {
        name: "logic-ca/checkerboard/epoch/all",
        run: |name, cpu, _| Ok(vec![on_cpu(name, epoch(cpu)?, "ms", cpu.threads())]),
    },
    CpuBenchmark {
        name: "logic-ca/hard/unpruned/1",
        run: |name, cpu, _| {
            let circuit = trained_circuit(cpu)?;
            let rates = [(name, hard(&circuit)?), (PRUNED, hard(&circuit.simplified())?)];
            Ok(rates.map(|(name, rate)| on_cpu(name, rate, "cell-steps/s", 1)).into())
        },
    },
];

fn failed(error: impl std::fmt::Display) -> SessionError {
    SessionError::new(error.to_string(), "")
}

/// Returns the shortest duration of an epoch in milliseconds: forward pass, backward pass, optimizer step, and
/// evaluation of the hard (discretized) circuit.
fn epoch(cpu: &Cpu) -> Result<f64, LogicError> {
    let new = || LogicCa::new(LogicConfig::of(LogicPreset::Checkerboard), 1);
    let (mut learner, mut best) = (new()?, f64::INFINITY);
    let end = now() + 2.0 * MEASUREMENT_MS;
    while now() < end {
        let start = now();
        if learner.iterate(cpu)?.hard_loss > 0.0 {
            best = best.min(now() - start);
        } else {
            // An epoch without errors skips the backward pass.
            learner = new()?;
        }
    }
    Ok(best)
}

/// Trains the checkerboard preset until the hard circuit has no wrong bits or the time limit is reached, and returns
/// the circuit. Untrained circuits are not representative, because pruning depends on the trained gates.
fn trained_circuit(cpu: &Cpu) -> Result<Circuit, SessionError> {
    let config = LogicConfig::of(LogicPreset::Checkerboard);
    let epochs = u64::from(config.epochs);
    let mut learner = LogicCa::new(config, 1)?;
    let end = now() + MAX_TRAINING_MS;
    while learner.epoch() < epochs && now() < end {
        learner.iterate(cpu)?;
        if learner.epoch().is_multiple_of(EPOCHS_BETWEEN_EVALUATIONS)
            && learner.evaluate(cpu, 64, 0).map_err(failed)?.wrong_bits == 0
        {
            break;
        }
    }
    Ok(learner.hard_circuit())
}

/// Returns the best cell updates per second of a circuit on one thread, on a board that starts with random cells.
fn hard(circuit: &Circuit) -> Result<f64, SessionError> {
    let grid = Grid { boards: 1, height: SIDE, width: SIDE, border: Border::Fixed };
    let mut boards = Boards::new(grid, circuit.channels()).map_err(failed)?;
    let mut stream = Stream::new(1, 0);
    for channel in 0..circuit.channels() {
        boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
    }
    let (cpu, mut code) = (Cpu::new(1), CompiledCircuit::new(circuit));
    let (mut step, mut best) = (0, 0.0f64);
    let end = now() + MEASUREMENT_MS;
    while now() < end {
        // The browser's clock is coarse, so each measurement lasts at least 4 ms.
        best = best.max(mean_rate(4.0, || {
            code.step(&cpu, &mut boards, None, step);
            step += 1;
            grid.lanes() as f64
        }));
    }
    Ok(best * 1e3)
}

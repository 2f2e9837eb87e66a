//! The logic automaton: learning a checkerboard, and stepping what was learned.

use super::{Figure, PATIENCE, best_rate, on_cpu};
use crate::clock::now;
use crate::problem::Refusal;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::hard::{Boards, Circuit, Code};
use vivarium_logic_ca::{Border, Grid, LogicCa, LogicConfig, LogicError, Preset};

/// Columns and rows of the board on which circuits are stepped: the largest that the page offers.
const SIDE: usize = 1024;
/// Milliseconds after which learning a circuit ends, whatever it has come to.
const LONGEST: f64 = 60_000.0;
/// How often it is looked whether the circuit is perfect.
const EPOCHS_BETWEEN_EVALUATIONS: u64 = 50;

/// The circuit as it was learned.
const UNPRUNED: &str = "logic-ca/hard/unpruned/1";
/// The same circuit pruned, reported with the one above.
const PRUNED: &str = "logic-ca/hard/pruned/1";

/// Measures one of these figures, or what is measured with it; nothing where the name is another's.
pub fn measure(name: &str, cpu: &Cpu) -> Result<Vec<Figure>, Refusal> {
    let figure = on_cpu;
    Ok(match name {
        "logic-ca/checkerboard/epoch/1" => vec![figure(name, epoch(&Cpu::new(1))?, "ms", 1)],
        "logic-ca/checkerboard/epoch/all" => vec![figure(name, epoch(cpu)?, "ms", cpu.threads())],
        UNPRUNED => {
            let circuit = learn(cpu)?;
            let rates = [(UNPRUNED, hard(&circuit)?), (PRUNED, hard(&circuit.simplified())?)];
            rates.map(|(name, rate)| figure(name, rate, "cell-steps/s", 1)).into()
        }
        _ => Vec::new(),
    })
}

fn failed(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(error.to_string(), "")
}

/// Milliseconds of an epoch, at its best: forward, backward, the optimizer's step and the hard automaton.
fn epoch(cpu: &Cpu) -> Result<f64, LogicError> {
    let new = || LogicCa::new(LogicConfig::of(Preset::Checkerboard), 1);
    let (mut learner, mut best) = (new()?, f64::INFINITY);
    let end = now() + 2.0 * PATIENCE;
    while now() < end {
        let start = now();
        if learner.learn(cpu)?.hard_loss > 0.0 {
            best = best.min(now() - start);
        } else {
            // An epoch without a mistake is spared the way back.
            learner = new()?;
        }
    }
    Ok(best)
}

/// The first circuit of the checkerboard preset's that makes no mistake, or the last one: what pruning leaves of one depends
/// on what it has learned.
fn learn(cpu: &Cpu) -> Result<Circuit, Refusal> {
    let config = LogicConfig::of(Preset::Checkerboard);
    let epochs = u64::from(config.epochs);
    let mut learner = LogicCa::new(config, 1)?;
    let end = now() + LONGEST;
    while learner.epoch() < epochs && now() < end {
        learner.learn(cpu)?;
        if learner.epoch().is_multiple_of(EPOCHS_BETWEEN_EVALUATIONS)
            && learner.evaluate(cpu, 64, 0).map_err(failed)?.wrong_bits == 0
        {
            break;
        }
    }
    Ok(learner.hard_circuit())
}

/// Steps of a cell a second on one thread, at their best, on a board that starts as noise.
fn hard(circuit: &Circuit) -> Result<f64, Refusal> {
    let grid = Grid { boards: 1, height: SIDE, width: SIDE, border: Border::Fixed };
    let mut boards = Boards::new(grid, circuit.channels()).map_err(failed)?;
    let mut stream = Stream::new(1, 0);
    for channel in 0..circuit.channels() {
        boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
    }
    let (cpu, mut code) = (Cpu::new(1), Code::new(circuit));
    let (mut step, mut best) = (0, 0.0f64);
    let end = now() + PATIENCE;
    while now() < end {
        // The browser's clock is coarse: only what takes long enough counts.
        best = best.max(best_rate(4.0, || {
            code.step(&cpu, &mut boards, None, step);
            step += 1;
            grid.lanes() as f64
        }));
    }
    Ok(best * 1e3)
}

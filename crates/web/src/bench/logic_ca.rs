//! The logic automaton: learning a checkerboard, and stepping what was learnt.

use super::{Figure, PATIENCE};
use crate::clock::now;
use crate::problem::Problem;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::hard::{Boards, Circuit, Code};
use vivarium_logic_ca::{Border, Grid, LogicCa, LogicConfig, LogicError, Preset};

/// Measures one of these figures; nothing where the name is another's.
pub fn measure(name: &str, cpu: &Cpu) -> Result<Vec<Figure>, Problem> {
    let figure = |value, unit, threads| vec![Figure::on_cpu(name, value, unit, threads)];
    Ok(match name {
        "logic-ca/checkerboard/epoch/1" => figure(epoch(&Cpu::new(1))?, "ms", 1),
        "logic-ca/checkerboard/epoch/all" => figure(epoch(cpu)?, "ms", cpu.threads()),
        "logic-ca/hard/unpruned/1" => figure(hard(&circuit()?)?, "cell-steps/s", 1),
        "logic-ca/hard/pruned/1" => figure(hard(&circuit()?.simplified())?, "cell-steps/s", 1),
        _ => Vec::new(),
    })
}

fn failed(error: impl std::fmt::Display) -> Problem {
    Problem::new(format!("{error}"), "")
}

/// Milliseconds of an epoch, at its best: forward, backward, the optimiser's step and the hard automaton.
fn epoch(cpu: &Cpu) -> Result<f64, LogicError> {
    let mut learner = LogicCa::new(LogicConfig::of(Preset::Checkerboard), 1)?;
    let mut best = f64::INFINITY;
    let end = now() + 3.0 * PATIENCE;
    while now() < end {
        let start = now();
        learner.learn(cpu)?;
        best = best.min(now() - start);
    }
    Ok(best)
}

/// A circuit as large as the one that learns checkerboards, most of whose gates hand their first input on.
fn circuit() -> Result<Circuit, Problem> {
    let drawn = LogicCa::new(LogicConfig::of(Preset::Checkerboard), 1).map_err(failed)?.hard_circuit();
    let mut stream = Stream::new(1, 0);
    let mut draw = || if stream.uniform() < 0.6 { 3 } else { stream.below(16) as u8 };
    let functions: Vec<u8> = drawn.gates.iter().map(|_| draw()).collect();
    Circuit::of_functions(&drawn.architecture, &drawn.wiring, &functions).map_err(failed)
}

/// Steps of a cell a second on one thread, at their best.
fn hard(circuit: &Circuit) -> Result<f64, Problem> {
    let side = if circuit.gates().len() > 1000 { 256 } else { 1024 };
    let grid = Grid { boards: 1, height: side, width: side, border: Border::Fixed };
    let mut boards = Boards::new(grid, circuit.channels()).map_err(failed)?;
    let mut stream = Stream::new(2, 0);
    for channel in 0..circuit.channels() {
        boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
    }
    let (cpu, mut code) = (Cpu::new(1), Code::new(circuit));
    let mut step = 0;
    let mut best = 0.0f64;
    let end = now() + PATIENCE;
    while now() < end {
        best = best.max(super::best_rate(10.0, || {
            code.step(&cpu, &mut boards, None, step);
            step += 1;
            grid.lanes() as f64
        }));
    }
    Ok(best * 1e3)
}

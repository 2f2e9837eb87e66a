//! How fast hard circuits step a board, in cell-steps a second on one core; with the name of a preset also
//! the circuit that it learns in so many epochs:
//!
//! ```text
//! cargo run --profile fast -p vivarium-logic-ca --example hard_speed -- checkerboard 500
//! ```

use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::hard::{Boards, Circuit, Code, Fire, life};
use vivarium_logic_ca::{Border, Grid, LogicCa, LogicConfig, Preset};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cpu = Cpu::new(1);
    let mut learner = LogicCa::new(LogicConfig::of(Preset::Checkerboard), 1)?;
    let gates = learner.architecture().gates();
    // Gates with any function, and gates most of which hand their first input on, as all do before training.
    for pass_through in [0.0, 0.6] {
        let mut stream = Stream::new(1, 0);
        let mut draw = || if stream.uniform() < pass_through { 3 } else { stream.below(16) as u8 };
        let functions: Vec<u8> = (0..gates).map(|_| draw()).collect();
        let circuit = Circuit::of_functions(learner.architecture(), learner.wiring(), &functions)?;
        measure_all(&format!("checkerboard, {pass_through} pass-through"), &circuit, &cpu)?;
    }
    measure_all("life by hand", &life::circuit(), &cpu)?;

    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else { return Ok(()) };
    let preset = Preset::named(&name)
        .ok_or_else(|| format!("{name} is no preset; there are {}", Preset::NAMES.join(", ")))?;
    let config = LogicConfig::of(preset);
    let epochs = arguments.next().map_or(Ok(config.epochs.into()), |text| text.parse::<u64>())?;
    learner = LogicCa::new(config, 1)?;
    for _ in 0..epochs {
        learner.learn(&cpu)?;
    }
    measure_all(&format!("{name} after {epochs} epochs"), &learner.hard_circuit(), &cpu)
}

fn measure_all(name: &str, circuit: &Circuit, cpu: &Cpu) -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let pruned = circuit.simplified();
    let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
    measure(&format!("{name}, unpruned"), circuit, cpu, None)?;
    println!("  simplified in {milliseconds:.1} ms");
    measure(&format!("{name}, pruned"), &pruned, cpu, None)?;
    measure(&format!("{name}, pruned, asynchronous"), &pruned, cpu, Some(Fire { rate: 0.6, seed: 1 }))
}

fn measure(
    name: &str,
    circuit: &Circuit,
    cpu: &Cpu,
    fire: Option<Fire>,
) -> Result<(), Box<dyn std::error::Error>> {
    // Short steps, of which one or another is not disturbed by what else the machine does.
    let side = if circuit.gates().len() > 1000 { 256 } else { 1024 };
    for border in [Border::Fixed, Border::Periodic] {
        let grid = Grid { boards: 1, height: side, width: side, border };
        let mut boards = Boards::new(grid, circuit.channels())?;
        let mut stream = Stream::new(2, 0);
        for channel in 0..circuit.channels() {
            boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
        }
        let begin = Instant::now();
        let mut code = Code::new(circuit);
        let compiling = begin.elapsed().as_secs_f64() * 1e3;
        let mut best = f64::INFINITY;
        for step in 0..200 {
            let begin = Instant::now();
            code.step(cpu, &mut boards, fire, step);
            best = best.min(begin.elapsed().as_secs_f64());
        }
        println!(
            "{name}, {side} × {side}, {border:?}: {:.0}M cell-steps/s ({} gates, {} slots, compiled in {compiling:.1} ms)",
            grid.lanes() as f64 / best / 1e6,
            circuit.gates().len(),
            code.slots(),
        );
    }
    Ok(())
}

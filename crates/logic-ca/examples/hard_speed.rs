//! How fast hard circuits step a board of 1024 × 1024 cells, in cell-steps a second:
//!
//! ```text
//! cargo run --release -p vivarium-logic-ca --example hard_speed
//! ```

use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::hard::{Boards, Circuit, Code, Fire, life};
use vivarium_logic_ca::{Architecture, Border, Grid, Wiring};

const SIDE: usize = 1024;

fn main() {
    let mut update = vec![256; 10];
    update.extend([128, 64, 32, 16, 8, 8]);
    let architecture = Architecture { channels: 8, kernels: 16, perceive: vec![8, 4, 2], update };
    let wiring = Wiring::new(&architecture, 1);
    // Gates as training leaves them: most hand their first input on still.
    let circuit = |pass_through: f32| {
        let mut stream = Stream::new(1, 0);
        let mut draw = || if stream.uniform() < pass_through { 3 } else { stream.below(16) as u8 };
        let functions: Vec<u8> = (0..architecture.gates()).map(|_| draw()).collect();
        Circuit::of_functions(&architecture, &wiring, &functions).expect("it fits")
    };
    let cpu = Cpu::new(1);
    for (name, circuit) in
        [("any functions", circuit(0.0)), ("60 % pass-through", circuit(0.6)), ("life", life::circuit())]
    {
        let begin = Instant::now();
        let pruned = circuit.simplified();
        let simplifying = begin.elapsed().as_secs_f64() * 1e3;
        measure(&format!("{name}, unpruned"), &circuit, &cpu, None);
        measure(&format!("{name}, pruned"), &pruned, &cpu, None);
        measure(&format!("{name}, pruned, asynchronous"), &pruned, &cpu, Some(Fire { rate: 0.6, seed: 1 }));
        println!("  simplified in {simplifying:.1} ms");
    }
}

fn measure(name: &str, circuit: &Circuit, cpu: &Cpu, fire: Option<Fire>) {
    for border in [Border::Fixed, Border::Periodic] {
        let grid = Grid { boards: 1, height: SIDE, width: SIDE, border };
        let mut boards = Boards::new(grid, circuit.channels()).expect("it fits");
        let mut stream = Stream::new(2, 0);
        for channel in 0..circuit.channels() {
            boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
        }
        let begin = Instant::now();
        let mut code = Code::new(circuit);
        let compiling = begin.elapsed().as_secs_f64() * 1e3;
        let mut best = f64::INFINITY;
        for step in 0..40 {
            let begin = Instant::now();
            code.step(cpu, &mut boards, fire, step);
            best = best.min(begin.elapsed().as_secs_f64());
        }
        println!(
            "{name}, {border:?}: {:.0}M cell-steps/s ({} gates, {} slots, compiled in {compiling:.1} ms)",
            grid.lanes() as f64 / best / 1e6,
            circuit.gates().len(),
            code.slots(),
        );
    }
}

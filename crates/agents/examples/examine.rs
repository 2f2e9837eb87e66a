//! Prints how long an exam of the cube of 2×2×2 takes, with a network of the usual size:
//! `cargo run --profile fast -p vivarium-agents --example examine`.

use std::sync::Arc;
use std::time::Instant;
use vivarium_agents::cube2::{Exam, Examiner, Greedy};
use vivarium_envs::cube::{Cube2, Distances, Metric};
use vivarium_graph::{Cpu, Graph, PackedParameters, Parameters, Plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = std::env::args().nth(1).map_or(Ok(2), |threads| threads.parse())?;
    let cpu = Cpu::new(threads);
    let distances = Arc::new(Distances::new(Metric::Quarter));

    let mut graph = Graph::new();
    let mut h = graph.sparse_input("state", &[Cube2::INPUTS]);
    for (layer, width) in [128, 64].into_iter().enumerate() {
        h = graph.linear(&format!("{layer}"), h, width);
        h = graph.layer_norm(&format!("{layer}.norm"), h);
        h = graph.relu(h);
    }
    let values = graph.linear("values", h, 6);
    let plan = Plan::for_cache(&graph, &[values])?;
    let parameters = Parameters::new(&graph, 1)?;
    let packed = PackedParameters::new(cpu.level(), &parameters);
    let network = Greedy { plan: &plan, parameters: &parameters, packed: &packed };

    for _ in 0..3 {
        let start = Instant::now();
        let mut examiner = Examiner::new(distances.clone());
        let mut longest: f64 = 0.0;
        loop {
            let slice = Instant::now();
            let over = examiner.advance(&cpu, network);
            longest = longest.max(slice.elapsed().as_secs_f64());
            if over {
                break;
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("a network, {threads} threads: {seconds:.2} s, longest slice {:.1} ms", longest * 1e3);
    }
    for _ in 0..3 {
        let mut exam = Exam::new(distances.clone());
        let mut cubes = vec![Cube2::SOLVED; 4096];
        let start = Instant::now();
        loop {
            let count = exam.ask(&mut cubes);
            if count == 0 {
                break;
            }
            let best = |cube: &Cube2| distances.optimal(*cube).trailing_zeros() as u8;
            let moves: Vec<u8> = cubes[..count].iter().map(best).collect();
            exam.answer(&cubes[..count], &moves);
        }
        while !exam.settle() {}
        println!("the best moves, looked up and followed: {:.2} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

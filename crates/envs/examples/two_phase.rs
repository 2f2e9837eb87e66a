//! Lengths and times of the two-phase solver on random cubes: mean and maximum length by metric and search nodes.
//!
//! `cargo run --release -p vivarium-envs --example two_phase`

use std::time::Instant;
use vivarium_envs::cube::{Cube3, TurnMetric, TwoPhaseSolver};
use vivarium_kernels::rng::Stream;

fn main() {
    for metric in [TurnMetric::Half, TurnMetric::Quarter] {
        let start = Instant::now();
        let solver = TwoPhaseSolver::new(metric);
        println!("{metric:?}: tables in {:.2} s", start.elapsed().as_secs_f64());
        for (max_nodes, cubes) in [(1, 200), (100_000, 200), (1_000_000, 50)] {
            let (mut random, start) = (Stream::new(7, 0), Instant::now());
            let solve = |_| metric.length(&solver.solve(&Cube3::random(&mut random), max_nodes).turns);
            let lengths: Vec<u32> = (0..cubes).map(solve).collect();
            let mean = f64::from(lengths.iter().sum::<u32>()) / f64::from(cubes);
            let longest = lengths.iter().max().copied().unwrap_or_default();
            let milliseconds = 1e3 * start.elapsed().as_secs_f64() / f64::from(cubes);
            println!(
                "  {max_nodes} nodes: mean {mean:.2} moves, longest {longest}, {milliseconds:.0} ms per cube"
            );
        }
    }
}

//! Trains on the cube of 3×3×3 for some seconds and prints what it solves then:
//! `cargo run --profile fast -p vivarium-agents --example cube3 -- SECONDS THREADS WIDTH BLOCKS [ANNEAL] [CUBES]`.

use std::time::Instant;
use vivarium_agents::cube3::{Cube3Config, Cube3Learner, Search, SearchSettings, Status};
use vivarium_envs::cube::{Cube3, Size, Undo, Walk};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<u64> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let argument = |index: usize, default| arguments.get(index).copied().unwrap_or(default);
    let (seconds, cpu) = (argument(0, 10), Cpu::new(argument(1, 2) as usize));
    let default = Cube3Config::default();
    let config = Cube3Config {
        width: argument(2, default.width.into()) as u32,
        blocks: argument(3, default.blocks.into()) as u32,
        anneal_samples: argument(4, default.anneal_samples),
        ..default
    };
    let (cubes, metric) = (argument(5, 100), config.metric);
    let mut learner = Cube3Learner::new(config, 1)?;
    println!("{} parameters", learner.parameter_count());
    let start = Instant::now();
    let mut next = 1.0;
    while start.elapsed().as_secs() < seconds {
        let report = learner.iterate(&cpu)?;
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= next {
            next = elapsed * 1.3;
            let rate = report.counters.samples as f64 / elapsed;
            println!(
                "{elapsed:7.1} s {:10} samples {rate:7.0}/s  loss {:.4}  right {:.4}  of 5, 10, 15 moves {:.3} {:.3} {:.3}",
                report.counters.samples,
                report.loss,
                report.accuracy,
                report.accuracy_by_depth[4],
                report.accuracy_by_depth[9],
                report.accuracy_by_depth[14],
            );
        }
    }
    let network = learner.solver()?;
    for depth in [4, 6, 8, 10, 12, 14, 100] {
        for width in [1, 64, 1024] {
            let settings = SearchSettings { metric, width, ..SearchSettings::default() };
            let (mut random, mut solved, mut moves) = (Stream::new(99, depth), 0, 0);
            let start = Instant::now();
            for _ in 0..cubes {
                let mut walk = Walk::new(Size::Three, metric, Undo::Never);
                let cube = (0..depth).fold(Cube3::SOLVED, |cube, _| cube.turned(walk.next(&mut random).1));
                let mut search = Search::new(settings, cube);
                solved += u64::from(search.run(&cpu, &network) == Status::Solved);
                moves += search.solution().map_or(0, <[_]>::len);
            }
            let (mean, each) = (moves as f64 / solved as f64, start.elapsed().as_secs_f64() / cubes as f64);
            println!(
                "{depth:3} moves, beam {width:4}: {solved} of {cubes}, {mean:.1} moves, {each:.3} s each"
            );
        }
    }
    Ok(())
}

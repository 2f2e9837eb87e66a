//! Prints how fast cubes turn and are encoded, and how long finding all distances takes:
//! `cargo run --profile fast -p vivarium-envs --example cube_speed`.

use std::hint::black_box;
use std::time::Instant;
use vivarium_envs::cube::{Cube2, Cube3, Distances, Metric, Size, Turn, Undo, Walk};
use vivarium_kernels::rng::Stream;

const CUBES: usize = 4096;
const ROUNDS: usize = 200;

/// Best of five: nanoseconds for each cube.
fn time(name: &str, mut work: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:24} {:6.1} ns", best * 1e9 / (ROUNDS * CUBES) as f64);
}

fn main() {
    for metric in [Metric::Quarter, Metric::Half] {
        for _ in 0..3 {
            let start = Instant::now();
            let distances = Distances::new(metric);
            let name = format!("{metric:?}, {} distances", distances.all().len());
            println!("{name:24} {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let mut random = Stream::new(1, 0);
    let turns: Vec<Turn> = {
        let mut walk = Walk::new(Size::Two, Metric::Quarter, Undo::Never);
        (0..CUBES).map(|_| walk.next(&mut random).1).collect()
    };
    let mut twos: Vec<_> = (0..CUBES).map(|_| Cube2::random(&mut random)).collect();
    let mut threes: Vec<_> = (0..CUBES).map(|_| Cube3::random(&mut random)).collect();
    let mut rows = vec![0.0; CUBES * Cube3::INPUTS];
    time("turn, 2x2x2", || {
        black_box(&mut twos).iter_mut().zip(&turns).for_each(|(cube, &turn)| *cube = cube.turned(turn));
    });
    time("turn, 3x3x3", || {
        black_box(&mut threes).iter_mut().zip(&turns).for_each(|(cube, &turn)| *cube = cube.turned(turn));
    });
    time("encode, 2x2x2", || Cube2::encode_all(&twos, black_box(&mut rows)));
    time("encode, 3x3x3", || Cube3::encode_all(&threes, black_box(&mut rows)));
    let mut walk = Walk::new(Size::Three, Metric::Quarter, Undo::Never);
    time("random turn", || {
        for _ in 0..CUBES {
            black_box(walk.next(&mut random));
        }
    });
}

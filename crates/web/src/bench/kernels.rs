//! Benchmarks of matrix products.

use super::measurement::{Figure, MEASUREMENT_MS, SHAPES, SIDES, gemm_name, mean_rate, side_name};
use crate::clock::now;
use vivarium_graph::Cpu;
use vivarium_kernels::{Level, Matrix, MatrixMut, PackedMatrix, gemm::gemm, peak, rng};

/// Runs the benchmark with the name `name` and returns its result; `None` if this file does not define the benchmark.
pub fn measure(name: &str, cpu: &Cpu) -> Option<Figure> {
    let rectangular = SHAPES.iter().find(|shape| gemm_name(shape) == name);
    let square = || SIDES.iter().find(|&&side| side_name(side) == name);
    rectangular
        .map(|shape| rectangular_product(cpu.level(), shape))
        .or_else(|| Some(square_product(cpu, *square()?)))
}

/// Measures a matrix product on one thread, in alternation with the peak rate of the multiply-add units, and returns
/// the best GFLOP/s of both. `shape` is `[rows, inputs, outputs]`.
fn rectangular_product(level: Level, shape: &[usize; 3]) -> Figure {
    let [rows, k, n] = *shape;
    let (mut x, mut w) = (vec![0.0; rows * k], vec![0.0; k * n]);
    rng::fill_uniform(level, 1, 0, 0, &mut x);
    rng::fill_uniform(level, 1, 1, 0, &mut w);
    let packed = PackedMatrix::pack(level, &w, k, n);
    let mut y = vec![0.0; rows * n];
    let operations = (2 * rows * k * n) as f64;
    let mut calls = 1;
    let (mut ours, mut limit) = (0.0f64, 0.0f64);
    let end = now() + MEASUREMENT_MS;
    while now() < end {
        let start = now();
        for _ in 0..calls {
            gemm(level, rows, Matrix::new(&x, k), &packed, MatrixMut::new(&mut y, n), 0.0);
        }
        let milliseconds = now() - start;
        // The browser's clock is coarse: measurements under 4 ms are discarded.
        if milliseconds < 4.0 {
            calls *= 2;
            continue;
        }
        ours = ours.max(calls as f64 * operations / milliseconds);
        // Called repeatedly, because V8 does not replace the unoptimized code of a running call.
        limit = limit.max(mean_rate(4.0, || peak::multiply_adds(level, 20_000) as f64));
    }
    // Operations per millisecond, converted to GFLOP/s.
    let rival = Some(vivarium_lab::protocol::Rival { name: "multiply-add peak".into(), value: limit / 1e6 });
    Figure { name: gemm_name(shape), value: ours / 1e6, unit: "GFLOP/s".into(), threads: Some(1), rival }
}

/// Measures the product of two matrices of `side` × `side` elements, with the rows distributed over the threads, and
/// returns the best GFLOP/s.
fn square_product(cpu: &Cpu, side: usize) -> Figure {
    let level = cpu.level();
    let (mut x, mut w) = (vec![0.0; side * side], vec![0.0; side * side]);
    rng::fill_uniform(level, 1, 0, 0, &mut x);
    rng::fill_uniform(level, 1, 1, 0, &mut w);
    let packed = PackedMatrix::pack(level, &w, side, side);
    let mut y = vec![0.0; side * side];
    // Enough rows to amortize packing, few enough to balance the threads.
    let stripe = 64 * side;
    let operations = 2.0 * (side as f64).powi(3);
    let mut best = 0.0f64;
    let end = now() + MEASUREMENT_MS;
    loop {
        best = best.max(mean_rate(20.0, || {
            let mut stripes: Vec<_> = y.chunks_mut(stripe).zip(x.chunks(stripe)).collect();
            cpu.for_each(&mut stripes, |_, (y, x)| {
                gemm(level, y.len() / side, Matrix::new(x, side), &packed, MatrixMut::new(y, side), 0.0)
            });
            operations
        }));
        if now() >= end {
            let threads = Some(cpu.threads() as u32);
            return Figure {
                name: side_name(side),
                value: best / 1e6,
                unit: "GFLOP/s".into(),
                threads,
                rival: None,
            };
        }
    }
}

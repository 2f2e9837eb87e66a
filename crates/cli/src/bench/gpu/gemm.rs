//! Products of square matrices on the device, compared with the CPU engine on all cores.

use super::device::fastest;
use crate::bench::{BenchFigure, Reporter, timing};
use vivarium_gpu::ops::{LinearArgs, linear};
use vivarium_gpu::{Gpu, GpuError, GpuProgram, GpuRecorder};
use vivarium_graph::Cpu;
use vivarium_kernels::{Matrix, MatrixMut, PackedMatrix, gemm, simd};

/// Benchmarked matrix sizes n: the factors are n×n matrices.
const SIZES: [usize; 3] = [256, 1024, 4096];

/// Smallest matrix size that is skipped on a software adapter, where the benchmark takes minutes. A benchmark whose
/// full name is on the command line is never skipped.
const MIN_SKIPPED_SIZE: usize = 4096;

/// Number of rows of the product that one CPU task computes.
const CPU_ROWS: usize = 64;

/// Benchmarks the matrix products and reports the results.
///
/// # Errors
/// [`GpuError`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu) -> Result<(), GpuError> {
    let report = gpu.adapter_info();
    for n in SIZES {
        let name = format!("gpu/gemm/{n}");
        if !reporter.selects(&name) || report.software && n >= MIN_SKIPPED_SIZE && !reporter.is_named(&name) {
            continue;
        }
        let program = product_program(gpu, n)?;
        // Not alternately: during a repetition of the CPU engine, a GPU lowers its clock speed.
        let ours = fastest(reporter.seconds(), || {
            gpu.submit(|encoder| encoder.run(&program))?;
            gpu.wait()
        })?;
        let mut on_cpu = CpuProduct::new(n);
        let rival = timing::fastest(reporter.seconds(), || on_cpu.multiply());
        let rate = |seconds: f64| operations(n) / seconds * 1e-9;
        let figure = BenchFigure::new(name, rate(ours), "GFLOP/s").on_gpu(&report.name);
        reporter.report(figure.against("the CPU engine", rate(rival)));
    }
    Ok(())
}

/// Returns the floating-point operations per second of a product of n×n matrices on the device, measured for about
/// `seconds` seconds.
///
/// # Errors
/// [`GpuError`] if the device fails.
pub fn flops_per_second(gpu: &Gpu, n: usize, seconds: f64) -> Result<f64, GpuError> {
    let program = product_program(gpu, n)?;
    let seconds = fastest(seconds, || {
        gpu.submit(|encoder| encoder.run(&program))?;
        gpu.wait()
    })?;
    Ok(operations(n) / seconds)
}

fn operations(n: usize) -> f64 {
    2.0 * (n as f64).powi(3)
}

/// Returns a GPU program that computes y = x·W for n×n matrices.
fn product_program(gpu: &Gpu, n: usize) -> Result<GpuProgram, GpuError> {
    let arena = gpu.zeros("x and y", 2 * n * n)?;
    gpu.write(&arena, 0, &matrix_elements(n * n));
    let weights = gpu.upload("W", &matrix_elements(n * n))?;
    let layer =
        LinearArgs { rows: n, inputs: n, outputs: n, x: 0, y: n * n, weight: 0, ..LinearArgs::default() };
    let mut recorder = GpuRecorder::new(gpu);
    linear(&mut recorder, &arena, &weights, &[layer], None)?;
    recorder.finish()
}

/// Computation of y = x·W on the CPU, with packed weights as in learners.
struct CpuProduct {
    cpu: Cpu,
    n: usize,
    x: Vec<f32>,
    weights: PackedMatrix,
    y: Vec<f32>,
}

impl CpuProduct {
    fn new(n: usize) -> Self {
        let cpu = Cpu::new(crate::machine::cores());
        let weights = PackedMatrix::pack(simd::level(), &matrix_elements(n * n), n, n);
        Self { cpu, n, x: matrix_elements(n * n), weights, y: vec![0.0; n * n] }
    }

    fn multiply(&mut self) {
        let Self { cpu, n, x, weights, y } = self;
        let n = *n;
        let mut parts: Vec<(&[f32], &mut [f32])> =
            x.chunks(CPU_ROWS * n).zip(y.chunks_mut(CPU_ROWS * n)).collect();
        cpu.for_each(&mut parts, |_, (x, y)| {
            gemm::gemm(simd::level(), x.len() / n, Matrix::new(x, n), weights, MatrixMut::new(y, n), 0.0);
        });
    }
}

/// Returns `count` deterministic matrix elements between 0 and 1.
fn matrix_elements(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7919 % 97) as f32 / 97.0).collect()
}

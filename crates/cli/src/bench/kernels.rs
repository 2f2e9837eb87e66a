//! Benchmark suite `kernels`: matrix products, fused layers and elementary functions on one core, relative to the
//! machine's peak and to reference implementations.

use super::{BenchFigure, Reporter, timing};
use std::hint::black_box;
use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::layernorm::LayerNorm;
use vivarium_kernels::simd::{self, Level};
use vivarium_kernels::{
    Activation, AlignedVec, Matrix, MatrixMut, PackedMatrix, gemm, layernorm, math, peak, rng, softmax,
};

/// Reference implementation of the matrix products: crate and version.
const GEMM_CRATE: &str = "gemm 0.19";
/// Name of the hardware limit of the matrix products.
const PEAK: &str = "FMA peak";

/// Shapes (rows, k, n) of the products `[rows, k]`·`[k, n]`: policy and value networks of board games, a large product,
/// and the layers of PPO's small networks.
const PRODUCTS: [(usize, usize, usize); 9] = [
    (64, 128, 128),
    (64, 344, 128),
    (256, 128, 128),
    (64, 128, 676),
    (256, 256, 1024),
    (1024, 1024, 1024),
    (256, 64, 64),
    (256, 4, 64),
    (256, 64, 3),
];

/// Shapes (rows, k, n) of the weight gradients `[rows, k]`ᵀ·`[rows, n]`; the last shape is from a language model.
const GRADIENTS: [(usize, usize, usize); 5] =
    [(256, 64, 64), (256, 4, 64), (256, 64, 3), (256, 128, 128), (128, 384, 1536)];

/// Runs the benchmark suite `kernels` and reports the results.
pub fn run(reporter: &mut Reporter) {
    let level = simd::level();
    if reporter.wants("kernels/fma_peak") {
        let mut operations = 0;
        let seconds = timing::fastest(reporter.seconds(), || operations = peak::multiply_adds(level, ROUNDS));
        reporter.report(BenchFigure::new("kernels/fma_peak", operations as f64 / seconds * 1e-9, "GFLOP/s"));
    }
    for shape in PRODUCTS {
        product(reporter, level, shape);
    }
    for shape in GRADIENTS {
        gradient(reporter, level, shape);
    }
    layer(reporter, level, (64, 128, 128));
    normalization(reporter, level, 64, 128);
    functions(reporter, level);
    for columns in [2, 3, 6, 676] {
        softmax_of(reporter, level, columns);
    }
    for parameters in [4_096, 4_194_304] {
        adam_over(reporter, level, parameters);
    }
}

/// Number of multiply-adds per dependency chain in one call of the FMA peak loop; a call takes about 10 µs.
const ROUNDS: usize = 4_000;

/// Measures and reports the rate of `work`, which has `operations` floating-point operations per call, relative to the
/// FMA peak of the same core.
fn against_peak(reporter: &mut Reporter, level: Level, name: &str, operations: f64, work: impl FnMut()) {
    if !reporter.wants(name) {
        return;
    }
    let mut peak_operations = 0;
    let (ours, limit) =
        timing::race(reporter.seconds(), work, || peak_operations = peak::multiply_adds(level, ROUNDS));
    let figure = BenchFigure::new(name, operations / ours * 1e-9, "GFLOP/s");
    reporter.report(figure.against(PEAK, peak_operations as f64 / limit * 1e-9));
}

/// Benchmarks y = x·W with packed weights, relative to the crate `gemm` and to the FMA peak.
fn product(reporter: &mut Reporter, level: Level, (rows, k, n): (usize, usize, usize)) {
    let name = format!("kernels/gemm/{rows}x{k}x{n}");
    let of_peak = format!("kernels/gemm_of_peak/{rows}x{k}x{n}");
    if !reporter.wants(&name) && !reporter.wants(&of_peak) {
        return;
    }
    let (x, w) = (numbers(rows * k), numbers(k * n));
    let packed = PackedMatrix::pack(level, &w, k, n);
    let (mut y, mut rivals) = (AlignedVec::zeros(rows * n), AlignedVec::zeros(rows * n));
    let operations = 2.0 * (rows * k * n) as f64;
    if reporter.wants(&name) {
        let (ours, rival) = timing::race(
            reporter.seconds(),
            || gemm::gemm(level, rows, Matrix::new(&x, k), &packed, MatrixMut::new(&mut y, n), 0.0),
            || gemm_crate((rows, k, n), &x, &w, &mut rivals),
        );
        let figure = BenchFigure::new(name, operations / ours * 1e-9, "GFLOP/s");
        reporter.report(figure.against(GEMM_CRATE, operations / rival * 1e-9));
    }
    against_peak(reporter, level, &of_peak, operations, || {
        gemm::gemm(level, rows, Matrix::new(&x, k), &packed, MatrixMut::new(&mut y, n), 0.0)
    });
}

/// Computes y = x·W with the crate `gemm` on one thread. Its kernels are column-major and compute yᵀ = Wᵀ·xᵀ, as in
/// `gemm::gemm`.
fn gemm_crate((rows, k, n): (usize, usize, usize), x: &[f32], w: &[f32], y: &mut [f32]) {
    assert!(x.len() == rows * k && w.len() == k * n && y.len() == rows * n);
    let product = gemm_f32::gemm::f32::get_gemm_fn();
    // SAFETY: the assertion above makes the three slices row-major matrices of exactly these shapes, and y, borrowed
    // mutably, overlaps neither of the others.
    unsafe {
        product(
            n,
            rows,
            k,
            y.as_mut_ptr(),
            n as isize,
            1,
            false,
            w.as_ptr(),
            n as isize,
            1,
            x.as_ptr(),
            k as isize,
            1,
            0.0,
            1.0,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
}

/// Benchmarks the weight gradient dW += xᵀ·dy of a linear layer, relative to the FMA peak.
fn gradient(reporter: &mut Reporter, level: Level, (rows, k, n): (usize, usize, usize)) {
    let name = format!("kernels/gemm_tn/{rows}x{k}x{n}");
    let (x, dy) = (numbers(rows * k), numbers(rows * n));
    let mut dw = AlignedVec::zeros(k * n);
    against_peak(reporter, level, &name, 2.0 * (rows * k * n) as f64, || {
        gemm::gemm_tn(level, rows, Matrix::new(&x, k), Matrix::new(&dy, n), &mut dw)
    });
}

/// Benchmarks relu(LayerNorm(x·W + b)); only the floating-point operations of the product are counted.
fn layer(reporter: &mut Reporter, level: Level, (rows, k, n): (usize, usize, usize)) {
    let name = format!("kernels/linear_layernorm_relu/{rows}x{k}x{n}");
    let (x, w, bias) = (numbers(rows * k), numbers(k * n), numbers(n));
    let (gain, shift) = (numbers(n), numbers(n));
    let norm = LayerNorm { gain: &gain, shift: Some(&shift), epsilon: 1e-5 };
    let packed = PackedMatrix::pack(level, &w, k, n);
    let mut y = AlignedVec::zeros(rows * n);
    against_peak(reporter, level, &name, 2.0 * (rows * k * n) as f64, || {
        gemm::gemm_bias(level, rows, Matrix::new(&x, k), &packed, &bias, MatrixMut::new(&mut y, n));
        layernorm::forward(level, &mut y, &norm, None, Some(Activation::Relu));
    });
}

/// Benchmarks layer normalization of `rows` vectors of `n` elements.
fn normalization(reporter: &mut Reporter, level: Level, rows: usize, n: usize) {
    let name = format!("kernels/layernorm/{rows}x{n}");
    if !reporter.wants(&name) {
        return;
    }
    let (mut y, gain, shift) = (numbers(rows * n), numbers(n), numbers(n));
    let norm = LayerNorm { gain: &gain, shift: Some(&shift), epsilon: 1e-5 };
    // In place: normalized values remain in range under repetition.
    let seconds = timing::fastest(reporter.seconds(), || {
        layernorm::forward(level, &mut y, &norm, None, None);
    });
    reporter.report(BenchFigure::new(name, (rows * n) as f64 / seconds * 1e-9, "G elements/s"));
}

/// Elementary function to benchmark: name, in-place SIMD implementation over a slice, and scalar function of the
/// standard library.
type Function = (&'static str, fn(Level, &mut [f32]), fn(f32) -> f32);

/// Benchmarks elementary functions over arrays that fit into the L1 cache.
fn functions(reporter: &mut Reporter, level: Level) {
    let functions: [Function; 5] = [
        ("tanh", math::tanh_in_place, f32::tanh),
        ("exp", math::exp_in_place, f32::exp),
        ("ln", math::ln_in_place, f32::ln),
        ("sin", math::sin_in_place, f32::sin),
        ("sigmoid", math::sigmoid_in_place, |x| 1.0 / (1.0 + (-x).exp())),
    ];
    for (function, ours, standard) in functions {
        let name = format!("kernels/{function}");
        if !reporter.wants(&name) {
            continue;
        }
        // Restore the inputs before each call, because repeated application would diverge.
        let input = numbers(4096);
        let (mut mine, mut rivals) = (input.clone(), input.clone());
        let (ours, rival) = timing::race(
            reporter.seconds(),
            || {
                mine.copy_from_slice(&input);
                ours(level, &mut mine);
            },
            || {
                rivals.copy_from_slice(&input);
                rivals.iter_mut().for_each(|x| *x = standard(black_box(*x)));
            },
        );
        let rate = |seconds: f64| 4096.0 / seconds * 1e-9;
        reporter.report(BenchFigure::new(name, rate(ours), "G elements/s").against("std", rate(rival)));
    }
}

/// Benchmarks log-softmax over the `columns` logits of each row of a matrix.
fn softmax_of(reporter: &mut Reporter, level: Level, columns: usize) {
    let name = format!("kernels/log_softmax/{columns}");
    if !reporter.wants(&name) {
        return;
    }
    let rows = 8192 / columns;
    let x = numbers(rows * columns);
    let mut y = AlignedVec::zeros(rows * columns);
    let seconds = timing::fastest(reporter.seconds(), || {
        softmax::log_softmax(level, rows, columns, &x, &mut y);
    });
    reporter.report(BenchFigure::new(name, (rows * columns) as f64 / seconds * 1e-9, "G elements/s"));
}

/// Benchmarks an Adam step over `parameters` parameters in bytes per second, relative to a memory copy.
fn adam_over(reporter: &mut Reporter, level: Level, parameters: usize) {
    let name = format!("kernels/adam/{parameters}");
    if !reporter.wants(&name) {
        return;
    }
    let gradients = numbers(parameters);
    let (mut p, mut m, mut v) =
        (numbers(parameters), AlignedVec::zeros(parameters), AlignedVec::zeros(parameters));
    let (from, mut to) = (numbers(4 * parameters), AlignedVec::<f32>::zeros(4 * parameters));
    let settings = AdamStep { step: 1000, ..AdamStep::default() };
    let (ours, copy) = timing::race(
        reporter.seconds(),
        || adam::step(level, &mut p, &gradients, &mut m, &mut v, &settings),
        || black_box(&mut to[..]).copy_from_slice(black_box(&from)),
    );
    // Adam reads four `f32` arrays and writes three; a copy reads one array and writes one.
    let figure = BenchFigure::new(name, (7 * 4 * parameters) as f64 / ours * 1e-9, "GB/s");
    reporter.report(figure.against("memory copy", (2 * 4 * 4 * parameters) as f64 / copy * 1e-9));
}

/// Returns `len` samples of the standard normal distribution.
fn numbers(len: usize) -> AlignedVec {
    let mut numbers = AlignedVec::zeros(len);
    rng::fill_normal(simd::level(), 1, 0, 0, &mut numbers);
    numbers
}

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

/// Name and version of the crate that is the reference implementation of the matrix products.
const GEMM_CRATE: &str = "gemm 0.19";
/// Name, in the results, of the hardware limit of the matrix products: the peak rate of fused multiply-adds on one
/// core.
const PEAK_NAME: &str = "FMA peak";

/// Shapes (rows, k, n) of the benchmarked products `[rows, k]`·`[k, n]`: layers of the policy and value networks of
/// board games, one large product, and layers of PPO's small networks.
const GEMM_SHAPES: [(usize, usize, usize); 9] = [
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

/// Shapes (rows, k, n) of the benchmarked weight gradients `[rows, k]`ᵀ·`[rows, n]`. The last shape is of a language
/// model, the other shapes are of PPO and board games.
const GRADIENT_SHAPES: [(usize, usize, usize); 5] =
    [(256, 64, 64), (256, 4, 64), (256, 64, 3), (256, 128, 128), (128, 384, 1536)];

/// Runs the benchmark suite `kernels` and reports the results.
pub fn run(reporter: &mut Reporter) {
    let level = simd::level();
    if reporter.selects("kernels/fma_peak") {
        let mut operations = 0;
        let seconds =
            timing::fastest(reporter.seconds(), || operations = peak::multiply_adds(level, PEAK_ROUNDS));
        reporter.report(BenchFigure::new("kernels/fma_peak", operations as f64 / seconds * 1e-9, "GFLOP/s"));
    }
    for shape in GEMM_SHAPES {
        benchmark_gemm(reporter, level, shape);
    }
    for shape in GRADIENT_SHAPES {
        benchmark_weight_gradient(reporter, level, shape);
    }
    benchmark_layer(reporter, level, (64, 128, 128));
    benchmark_layer_norm(reporter, level, 64, 128);
    benchmark_functions(reporter, level);
    for columns in [2, 3, 6, 676] {
        benchmark_log_softmax(reporter, level, columns);
    }
    for parameters in [4_096, 4_194_304] {
        benchmark_adam(reporter, level, parameters);
    }
}

/// Number of fused multiply-adds per dependency chain in one call of [`peak::multiply_adds`]; a call takes about 10
/// µs.
const PEAK_ROUNDS: usize = 4_000;

/// Measures and reports the rate of `work`, which has `operations` floating-point operations per call, relative to the
/// FMA peak of the same core.
fn benchmark_against_peak(
    reporter: &mut Reporter,
    level: Level,
    name: &str,
    operations: f64,
    work: impl FnMut(),
) {
    if !reporter.selects(name) {
        return;
    }
    let mut peak_operations = 0;
    let (ours, limit) =
        timing::race(reporter.seconds(), work, || peak_operations = peak::multiply_adds(level, PEAK_ROUNDS));
    let figure = BenchFigure::new(name, operations / ours * 1e-9, "GFLOP/s");
    reporter.report(figure.against(PEAK_NAME, peak_operations as f64 / limit * 1e-9));
}

/// Benchmarks y = x·W with packed weights, relative to the crate `gemm` and to the FMA peak.
fn benchmark_gemm(reporter: &mut Reporter, level: Level, (rows, k, n): (usize, usize, usize)) {
    let name = format!("kernels/gemm/{rows}x{k}x{n}");
    let of_peak = format!("kernels/gemm_of_peak/{rows}x{k}x{n}");
    if !reporter.selects(&name) && !reporter.selects(&of_peak) {
        return;
    }
    let (x, w) = (normal_samples(rows * k), normal_samples(k * n));
    let packed = PackedMatrix::pack(level, &w, k, n);
    let (mut y, mut rivals) = (AlignedVec::zeros(rows * n), AlignedVec::zeros(rows * n));
    let operations = 2.0 * (rows * k * n) as f64;
    if reporter.selects(&name) {
        let (ours, rival) = timing::race(
            reporter.seconds(),
            || gemm::gemm(level, rows, Matrix::new(&x, k), &packed, MatrixMut::new(&mut y, n), 0.0),
            || gemm_crate((rows, k, n), &x, &w, &mut rivals),
        );
        let figure = BenchFigure::new(name, operations / ours * 1e-9, "GFLOP/s");
        reporter.report(figure.against(GEMM_CRATE, operations / rival * 1e-9));
    }
    benchmark_against_peak(reporter, level, &of_peak, operations, || {
        gemm::gemm(level, rows, Matrix::new(&x, k), &packed, MatrixMut::new(&mut y, n), 0.0)
    });
}

/// Computes y = x·W with the crate `gemm` on one thread. The kernels of the crate are column-major; therefore the
/// call computes yᵀ = Wᵀ·xᵀ, as `gemm::gemm` does.
fn gemm_crate((rows, k, n): (usize, usize, usize), x: &[f32], w: &[f32], y: &mut [f32]) {
    assert!(x.len() == rows * k && w.len() == k * n && y.len() == rows * n);
    let product = gemm_f32::gemm::f32::get_gemm_fn();
    // SAFETY: the assertion above guarantees that the three slices are row-major matrices of exactly these shapes. y
    // is borrowed mutably and therefore overlaps neither x nor w.
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
fn benchmark_weight_gradient(reporter: &mut Reporter, level: Level, (rows, k, n): (usize, usize, usize)) {
    let name = format!("kernels/gemm_tn/{rows}x{k}x{n}");
    let (x, dy) = (normal_samples(rows * k), normal_samples(rows * n));
    let mut dw = AlignedVec::zeros(k * n);
    benchmark_against_peak(reporter, level, &name, 2.0 * (rows * k * n) as f64, || {
        gemm::gemm_tn(level, rows, Matrix::new(&x, k), Matrix::new(&dy, n), &mut dw)
    });
}

/// Benchmarks relu(LayerNorm(x·W + b)) relative to the FMA peak. Only the floating-point operations of the product
/// x·W are counted.
fn benchmark_layer(reporter: &mut Reporter, level: Level, (rows, k, n): (usize, usize, usize)) {
    let name = format!("kernels/linear_layernorm_relu/{rows}x{k}x{n}");
    let (x, w, bias) = (normal_samples(rows * k), normal_samples(k * n), normal_samples(n));
    let (gain, shift) = (normal_samples(n), normal_samples(n));
    let norm = LayerNorm { gain: &gain, shift: Some(&shift), epsilon: 1e-5 };
    let packed = PackedMatrix::pack(level, &w, k, n);
    let mut y = AlignedVec::zeros(rows * n);
    benchmark_against_peak(reporter, level, &name, 2.0 * (rows * k * n) as f64, || {
        gemm::gemm_bias(level, rows, Matrix::new(&x, k), &packed, &bias, MatrixMut::new(&mut y, n));
        layernorm::forward(level, &mut y, &norm, None, Some(Activation::Relu));
    });
}

/// Benchmarks layer normalization of `rows` vectors of `n` elements.
fn benchmark_layer_norm(reporter: &mut Reporter, level: Level, rows: usize, n: usize) {
    let name = format!("kernels/layernorm/{rows}x{n}");
    if !reporter.selects(&name) {
        return;
    }
    let (mut y, gain, shift) = (normal_samples(rows * n), normal_samples(n), normal_samples(n));
    let norm = LayerNorm { gain: &gain, shift: Some(&shift), epsilon: 1e-5 };
    // In place: normalized values remain in range under repetition.
    let seconds = timing::fastest(reporter.seconds(), || {
        layernorm::forward(level, &mut y, &norm, None, None);
    });
    reporter.report(BenchFigure::new(name, (rows * n) as f64 / seconds * 1e-9, "G elements/s"));
}

/// Elementary function to benchmark: name, in-place SIMD implementation over a slice, and scalar function of the
/// standard library.
type ElementaryFunction = (&'static str, fn(Level, &mut [f32]), fn(f32) -> f32);

/// Benchmarks elementary functions over 4,096 values, which fit into the L1 cache, relative to the standard library.
fn benchmark_functions(reporter: &mut Reporter, level: Level) {
    let functions: [ElementaryFunction; 5] = [
        ("tanh", math::tanh_in_place, f32::tanh),
        ("exp", math::exp_in_place, f32::exp),
        ("ln", math::ln_in_place, f32::ln),
        ("sin", math::sin_in_place, f32::sin),
        ("sigmoid", math::sigmoid_in_place, |x| 1.0 / (1.0 + (-x).exp())),
    ];
    for (function, ours, standard) in functions {
        let name = format!("kernels/{function}");
        if !reporter.selects(&name) {
            continue;
        }
        // Restore the inputs before each call, because repeated application would diverge.
        let input = normal_samples(4096);
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

/// Benchmarks log-softmax over rows of `columns` logits, in a matrix of about 8,192 elements.
fn benchmark_log_softmax(reporter: &mut Reporter, level: Level, columns: usize) {
    let name = format!("kernels/log_softmax/{columns}");
    if !reporter.selects(&name) {
        return;
    }
    let rows = 8192 / columns;
    let x = normal_samples(rows * columns);
    let mut y = AlignedVec::zeros(rows * columns);
    let seconds = timing::fastest(reporter.seconds(), || {
        softmax::log_softmax(level, rows, columns, &x, &mut y);
    });
    reporter.report(BenchFigure::new(name, (rows * columns) as f64 / seconds * 1e-9, "G elements/s"));
}

/// Benchmarks an Adam step over `parameters` parameters in bytes per second, relative to a memory copy.
fn benchmark_adam(reporter: &mut Reporter, level: Level, parameters: usize) {
    let name = format!("kernels/adam/{parameters}");
    if !reporter.selects(&name) {
        return;
    }
    let gradients = normal_samples(parameters);
    let (mut p, mut m, mut v) =
        (normal_samples(parameters), AlignedVec::zeros(parameters), AlignedVec::zeros(parameters));
    let (from, mut to) = (normal_samples(4 * parameters), AlignedVec::<f32>::zeros(4 * parameters));
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
fn normal_samples(len: usize) -> AlignedVec {
    let mut numbers = AlignedVec::zeros(len);
    rng::fill_normal(simd::level(), 1, 0, 0, &mut numbers);
    numbers
}

//! Tests of numeric kernels (matrix products, elementary functions, random numbers) against scalar references.

use crate::{assert_close, numbers};
use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::gemm::{
    PackedMatrix, SparseRows, gemm, gemm_bias, gemm_sparse, gemm_sparse_rows, gemm_tn,
};
use vivarium_kernels::layernorm::{self, LayerNorm};
use vivarium_kernels::simd::{self, level};
use vivarium_kernels::{Activation, Matrix, MatrixMut, math, norm, reduce, reference, rng, softmax};
use wasm_bindgen_test::wasm_bindgen_test;

/// Shapes `[rows, k, n]` of the tested matrix products: multiples of the vector width, remainders, and single elements.
const SHAPES: [[usize; 3]; 6] = [[1, 1, 1], [3, 5, 7], [8, 16, 16], [64, 4, 64], [65, 64, 2], [33, 129, 130]];

#[wasm_bindgen_test]
fn the_level_is_that_of_the_module() {
    let expected = if cfg!(target_feature = "relaxed-simd") { "relaxed" } else { "simd128" };
    assert!(simd::level_name(level()).contains(expected), "{}", simd::level_name(level()));
}

#[wasm_bindgen_test]
fn products_agree_with_the_reference() {
    for [rows, k, n] in SHAPES {
        let (x, w, dy) = (numbers(1, rows * k), numbers(2, k * n), numbers(3, rows * n));
        let tolerance = 1e-6 * (k.max(rows) as f32).sqrt().max(4.0);

        let mut expected = vec![0.0; rows * n];
        reference::gemm(rows, k, n, &x, &w, &mut expected, 0.0);
        let mut y = vec![f32::NAN; rows * n];
        gemm(
            level(),
            rows,
            Matrix::new(&x, k),
            &PackedMatrix::pack(level(), &w, k, n),
            MatrixMut::new(&mut y, n),
            0.0,
        );
        assert_close(&y, &expected, tolerance);

        // Mostly zeros, which the kernel skips.
        let x: Vec<f32> = x.iter().enumerate().map(|(i, &x)| if i % 3 == 0 { x } else { 0.0 }).collect();
        let mut expected = vec![0.0; rows * n];
        reference::gemm(rows, k, n, &x, &w, &mut expected, 0.0);
        let packed = PackedMatrix::pack(level(), &w, k, n);
        y.fill(f32::NAN);
        gemm(level(), rows, Matrix::new(&x, k), &packed, MatrixMut::new(&mut y, n), 0.0);
        assert_close(&y, &expected, tolerance);
        gemm_sparse(level(), rows, Matrix::new(&x, k), &packed, None, MatrixMut::new(&mut y, n));
        assert_close(&y, &expected, tolerance);
        let mut written = SparseRows::default();
        for row in x.chunks_exact(k) {
            let others = row.iter().enumerate().filter(|(_, number)| **number != 0.0);
            written.add(k, |row| others.for_each(|(place, &number)| row.push(place, number)));
        }
        let mut again = vec![f32::NAN; rows * n];
        gemm_sparse_rows(level(), &written, 0..rows, &packed, None, MatrixMut::new(&mut again, n));
        assert_close(&again, &expected, tolerance);

        let transposed: Vec<f32> = (0..n * k).map(|i| w[(i % k) * n + i / k]).collect();
        let mut expected = vec![0.0; rows * k];
        reference::gemm(rows, n, k, &dy, &transposed, &mut expected, 0.0);
        let mut dx = vec![0.0; rows * k];
        gemm(
            level(),
            rows,
            Matrix::new(&dy, n),
            &PackedMatrix::pack_transposed(level(), &w, k, n),
            MatrixMut::new(&mut dx, k),
            0.0,
        );
        assert_close(&dx, &expected, tolerance);

        let mut expected = numbers(4, k * n);
        let mut dw = expected.clone();
        reference::gemm_tn(rows, k, n, &x, &dy, &mut expected);
        gemm_tn(level(), rows, Matrix::new(&x, k), Matrix::new(&dy, n), &mut dw);
        assert_close(&dw, &expected, tolerance);
    }
}

#[wasm_bindgen_test]
fn a_layer_agrees_with_the_references() {
    let [rows, k, n] = [37, 30, 50];
    let (x, w, bias) = (numbers(1, rows * k), numbers(2, k * n), numbers(3, n));
    let (gain, shift) = (numbers(4, n), numbers(5, n));
    let norm = LayerNorm { gain: &gain, shift: Some(&shift), epsilon: 1e-5 };
    for &activation in Activation::ALL {
        let mut linear = bias.repeat(rows);
        reference::gemm(rows, k, n, &x, &w, &mut linear, 1.0);
        let mut expected = vec![0.0; rows * n];
        for (line, expected) in linear.chunks(n).zip(expected.chunks_mut(n)) {
            reference::layer_norm_row(line, &norm, expected);
            expected.iter_mut().for_each(|y| *y = activation.reference(f64::from(*y)) as f32);
        }
        let packed = PackedMatrix::pack(level(), &w, k, n);
        let mut y = vec![0.0; rows * n];
        gemm_bias(level(), rows, Matrix::new(&x, k), &packed, &bias, MatrixMut::new(&mut y, n));
        layernorm::forward(level(), &mut y, &norm, None, Some(activation));
        assert_close(&y, &expected, 2e-5);
    }
}

#[wasm_bindgen_test]
fn elementary_functions_agree_with_the_library() {
    let spread: Vec<f32> = numbers(1, 1001).iter().map(|x| 9.0 * x).collect();
    type Case = (fn(simd::Level, &mut [f32]), fn(f64) -> f64);
    let cases: [Case; 4] = [
        (math::tanh_in_place, f64::tanh),
        (math::exp_in_place, f64::exp),
        (math::sin_in_place, f64::sin),
        (math::cos_in_place, f64::cos),
    ];
    for (ours, library) in cases {
        let expected: Vec<f32> = spread.iter().map(|&x| library(f64::from(x)) as f32).collect();
        let mut got = spread.clone();
        ours(level(), &mut got);
        assert_close(&got, &expected, 1e-6);
    }
}

#[wasm_bindgen_test]
fn softmax_agrees_with_the_reference_at_every_width() {
    for n in [1, 2, 3, 5, 8, 31, 100] {
        let x: Vec<f32> = numbers(1, 9 * n).iter().map(|x| 20.0 * x).collect();
        let (mut got, mut expected) = (vec![0.0; 9 * n], vec![0.0; 9 * n]);
        softmax::softmax(level(), 9, n, &x, &mut got);
        for (x, y) in x.chunks(n).zip(expected.chunks_mut(n)) {
            reference::softmax_row(x, y);
        }
        assert_close(&got, &expected, 1e-5);
        softmax::log_softmax(level(), 9, n, &x, &mut got);
        for (x, y) in x.chunks(n).zip(expected.chunks_mut(n)) {
            reference::log_softmax_row(x, y);
        }
        assert_close(&got, &expected, 1e-5);
    }
}

#[wasm_bindgen_test]
fn ten_steps_of_adam_agree_with_the_reference() {
    let mut ours = [numbers(1, 103), vec![0.0; 103], vec![0.0; 103]];
    let mut theirs = ours.clone();
    for step in 1..=10 {
        let gradients = numbers(step, 103);
        let settings =
            AdamStep { learning_rate: 0.1, step: step.into(), weight_decay: 0.01, ..AdamStep::default() };
        let [p, m, v] = &mut ours;
        adam::step(level(), p, &gradients, m, v, &settings);
        let [p, m, v] = &mut theirs;
        reference::adam(p, &gradients, m, v, &settings);
    }
    assert_close(&ours[0], &theirs[0], 1e-5);
}

#[wasm_bindgen_test]
fn sums_and_norms_agree_with_double_precision() {
    let x = numbers(1, 1003);
    let sum: f64 = x.iter().map(|&x| f64::from(x)).sum();
    let squares: f64 = x.iter().map(|&x| f64::from(x).powi(2)).sum();
    assert_close(&[reduce::sum(level(), &x)], &[sum as f32], 1e-4);
    assert_close(&[norm::sum_of_squares(level(), &x)], &[squares as f32], 1e-5);
    let mut scaled = x.clone();
    norm::scale(level(), &mut scaled, 0.5);
    assert_close(&[norm::sum_of_squares(level(), &scaled)], &[0.25 * squares as f32], 1e-5);
}

/// Checks the random number generator: one Threefry-2×32-13 result of the library Random123, and that a filled buffer
/// equals numbers that are generated one by one.
#[wasm_bindgen_test]
fn random_numbers_are_those_of_every_engine() {
    assert_eq!(rng::threefry2x32::<13>([0, 0], [0, 0]), [0x9d1c_5ec6, 0x8bd5_0731]);
    let mut filled = vec![0.0; 64];
    rng::fill_uniform(level(), 5, 3, 9, &mut filled);
    let one_by_one: Vec<f32> = (9..41).flat_map(|step| rng::block(5, 3, step).map(rng::uniform)).collect();
    assert_eq!(filled, one_by_one);
}

//! Tests of layers, their gradients and AdamW at every SIMD level against f64 references.

use crate::common::{assert_close, at_every_level, random};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::epilogue::{EpilogueActivation, KernelEpilogue, Norm};
use vivarium_kernels::layernorm::{self, LayerNorm, LayerNormGradient};
use vivarium_kernels::{Activation, activation, embedding, norm, reduce, reference, softmax};

/// Lengths of the tested slices, around multiples of the SIMD vector length and of groups of vectors.
const LENGTHS: [usize; 12] = [0, 1, 2, 3, 7, 8, 15, 16, 17, 64, 100, 1000];
const WIDTHS: [usize; 12] = [1, 2, 3, 4, 5, 6, 8, 9, 16, 31, 128, 130];

#[test]
fn activations_and_their_slopes() {
    for &activation in Activation::ALL {
        for len in LENGTHS {
            let (x, dy) = (random("x", len), random("dy", len));
            let y: Vec<f32> = x.iter().map(|&x| activation.reference(x.into()) as f32).collect();
            let dx: Vec<f32> = x
                .iter()
                .zip(&dy)
                .map(|(&x, &dy)| dy * activation.reference_derivative(x.into()) as f32)
                .collect();
            at_every_level(|level| {
                let mut got = x.clone();
                activation::forward(level, activation, &mut got);
                assert_close(&format!("{activation:?} of {len}"), level, &got, &y, 5e-7);
                let saved = if activation.saves_input() { &x } else { &y };
                let mut got = dy.clone();
                activation::backward(level, activation, saved, &mut got);
                assert_close(&format!("{activation:?} gradient of {len}"), level, &got, &dx, 2e-6);
            });
        }
    }
}

#[test]
fn relu_propagates_nan() {
    at_every_level(|level| {
        let mut x = vec![f32::NAN; 20];
        activation::forward(level, Activation::Relu, &mut x);
        assert!(x.iter().all(|x| x.is_nan()));
    });
}

/// Numbers of rows in the tests of normalization: no row, a partial block, one block, and several blocks.
const NORM_ROWS: [usize; 4] = [0, 1, 16, 37];
/// Numbers of columns in the tests of normalization: around multiples of the SIMD vector length and of groups of
/// vectors, and the widths of preset networks.
const NORM_WIDTHS: [usize; 16] = [1, 2, 3, 4, 5, 8, 9, 16, 31, 64, 128, 130, 256, 344, 384, 512];

#[test]
fn layer_normalization_and_its_gradient() {
    for (rows, n) in NORM_WIDTHS.into_iter().flat_map(|n| NORM_ROWS.map(|rows| (rows, n))) {
        // Mean far from zero, as activations may have.
        let x: Vec<f32> = random("x", rows * n).iter().map(|x| 3.0 + 2.0 * x).collect();
        let (gain, shift, dy) = (random("gain", n), random("shift", n), random("dy", rows * n));
        let layer = LayerNorm { gain: &gain, shift: Some(&shift), epsilon: 1e-5 };
        let (mut y, mut dx) = (vec![0.0; rows * n], vec![0.0; rows * n]);
        let (mut dgain, mut dshift) = (vec![1.0; n], vec![2.0; n]);
        for row in (0..rows).map(|row| row * n..(row + 1) * n) {
            let (x, dy) = (&x[row.clone()], &dy[row.clone()]);
            let (mean, inverse) = reference::layer_norm_row(x, &layer, &mut y[row.clone()]);
            let dx = &mut dx[row];
            reference::layer_norm_backward_row(x, mean, inverse, &gain, dy, dx, &mut dgain, &mut dshift);
        }
        // One or two features may have a tiny deviation, which amplifies rounding errors.
        let tolerance = if n <= 2 { 1e-3 } else { 2e-5 };
        at_every_level(|level| {
            let what = |part: &str| format!("layer norm {rows}x{n}, {part}");
            let mut got_y = x.clone();
            layernorm::forward(level, &mut got_y, &layer, None, None);
            assert_close(&what("y"), level, &got_y, &y, tolerance);

            let mut got_dx = vec![f32::NAN; rows * n];
            let (mut got_dgain, mut got_dshift) = (vec![1.0; n], vec![2.0; n]);
            let gradient = LayerNormGradient { gain: &mut got_dgain, shift: Some(&mut got_dshift) };
            layernorm::backward(level, &x, &layer, &dy, &mut got_dx, gradient);
            assert_close(&what("dx"), level, &got_dx, &dx, tolerance);
            assert_close(&what("dgain"), level, &got_dgain, &dgain, tolerance);
            assert_close(&what("dshift"), level, &got_dshift, &dshift, 1e-5);
        });
    }
}

/// An epilogue in one call is bitwise equal to its norm, residual and activation in separate calls.
#[test]
fn an_epilogue_is_one_part_after_the_other() {
    let [rows, n] = [19, 130];
    let (x, residual) = (random("x", rows * n), random("residual", rows * n));
    let (scale, shift) = (random("gain", n), random("shift", n));
    let norms = [
        Norm::Layer { scale: &scale[..], shift: Some(&shift[..]) },
        Norm::Layer { scale: &scale, shift: None },
        Norm::Rms { scale: &scale },
    ];
    for (norm, &activation) in
        norms.into_iter().flat_map(|norm| Activation::ALL.iter().map(move |a| (norm, a)))
    {
        let activation = EpilogueActivation::Forward(activation);
        let whole = KernelEpilogue { norm: Some(norm), residual: Some(&residual), activation };
        let parts = [
            KernelEpilogue { norm: Some(norm), ..KernelEpilogue::default() },
            KernelEpilogue { residual: Some(&residual), ..KernelEpilogue::default() },
            KernelEpilogue { activation, ..KernelEpilogue::default() },
        ];
        at_every_level(|level| {
            let (mut fused, mut expected) = (x.clone(), x.clone());
            whole.apply(level, &mut fused);
            parts.iter().for_each(|part| part.apply(level, &mut expected));
            assert_eq!(fused, expected, "{norm:?}, {activation:?}");
        });
    }
}

#[test]
fn residuals_and_activations_come_after_the_norm() {
    for (rows, n) in [(1, 64), (19, 130), (7, 3), (17, 384)] {
        let (x, residual) = (random("x", rows * n), random("residual", rows * n));
        let (gain, shift) = (random("gain", n), random("shift", n));
        let layer = LayerNorm { gain: &gain, shift: Some(&shift), epsilon: 1e-5 };
        let activations = Activation::ALL.iter().map(|&activation| Some(activation)).chain([None]);
        for (activation, residual) in activations.flat_map(|a| [(a, None), (a, Some(&residual))]) {
            let mut expected = vec![0.0; rows * n];
            for (x, y) in x.chunks(n).zip(expected.chunks_mut(n)) {
                reference::layer_norm_row(x, &layer, y);
            }
            for (y, i) in expected.iter_mut().zip(0..) {
                *y += residual.map_or(0.0, |residual| residual[i]);
                *y = activation.map_or(*y, |activation| activation.reference((*y).into()) as f32);
            }
            at_every_level(|level| {
                let mut y = x.clone();
                layernorm::forward(level, &mut y, &layer, residual.map(|r| &r[..]), activation);
                assert_close(&format!("norm {rows}x{n} {activation:?}"), level, &y, &expected, 5e-5);
            });
        }
    }
}

#[test]
fn softmax_and_its_gradient() {
    for (rows, n) in WIDTHS.into_iter().flat_map(|n| [(0, n), (1, n), (16, n), (37, n)]) {
        let x: Vec<f32> = random("x", rows * n).iter().map(|x| 5.0 * x).collect();
        let dy = random("dy", rows * n);
        let (mut y, mut dx) = (vec![0.0; rows * n], vec![0.0; rows * n]);
        let (mut log_y, mut log_dx) = (y.clone(), y.clone());
        for r in 0..rows {
            let row = r * n..(r + 1) * n;
            let (x, dy) = (&x[row.clone()], &dy[row.clone()]);
            reference::softmax_row(x, &mut y[row.clone()]);
            reference::log_softmax_row(x, &mut log_y[row.clone()]);
            reference::softmax_backward_row(&y[row.clone()], dy, &mut dx[row.clone()]);
            reference::log_softmax_backward_row(&log_y[row.clone()], dy, &mut log_dx[row]);
        }
        at_every_level(|level| {
            let what = |part: &str| format!("{part} {rows}x{n}");
            let mut got = vec![f32::NAN; rows * n];
            softmax::softmax(level, rows, n, &x, &mut got);
            assert_close(&what("softmax"), level, &got, &y, 1e-6);
            softmax::log_softmax(level, rows, n, &x, &mut got);
            assert_close(&what("log-softmax"), level, &got, &log_y, 1e-6);
            softmax::softmax_backward(level, rows, n, &y, &dy, &mut got);
            assert_close(&what("softmax gradient"), level, &got, &dx, 2e-6);
            softmax::log_softmax_backward(level, rows, n, &log_y, &dy, &mut got);
            assert_close(&what("log-softmax gradient"), level, &got, &log_dx, 1e-5);
        });
    }
}

#[test]
fn masked_and_large_logits() {
    at_every_level(|level| {
        for n in [3, 20] {
            let mut x = vec![f32::NEG_INFINITY; n];
            (x[0], x[n - 1]) = (1e30, 1e30);
            let mut y = vec![f32::NAN; n];
            softmax::softmax(level, 1, n, &x, &mut y);
            assert_eq!((y[0], y[1], y[n - 1]), (0.5, 0.0, 0.5));
            softmax::log_softmax(level, 1, n, &x, &mut y);
            assert_eq!(y[1], f32::NEG_INFINITY);
        }
    });
}

#[test]
fn ten_steps_of_adam() {
    for len in LENGTHS {
        let settings =
            AdamStep { learning_rate: 0.01, epsilon: 1e-5, weight_decay: 0.1, ..AdamStep::default() };
        let gradients: Vec<Vec<f32>> = (0..10).map(|step| random(&format!("g{step}"), len)).collect();
        let start = random("p", len);
        let (mut p, mut m, mut v) = (start.clone(), vec![0.0; len], vec![0.0; len]);
        for (g, step) in gradients.iter().zip(1..) {
            reference::adam(&mut p, g, &mut m, &mut v, &AdamStep { step, ..settings });
        }
        at_every_level(|level| {
            let (mut got_p, mut got_m, mut got_v) = (start.clone(), vec![0.0; len], vec![0.0; len]);
            for (g, step) in gradients.iter().zip(1..) {
                adam::step(level, &mut got_p, g, &mut got_m, &mut got_v, &AdamStep { step, ..settings });
            }
            assert_close("parameters", level, &got_p, &p, 2e-6);
            assert_close("first moment", level, &got_m, &m, 1e-6);
            assert_close("second moment", level, &got_v, &v, 1e-6);
        });
    }
}

#[test]
fn norms() {
    for len in LENGTHS {
        let x = random("x", len);
        let squares: f64 = x.iter().map(|&x| f64::from(x).powi(2)).sum();
        let halves: Vec<f32> = x.iter().map(|x| 0.5 * x).collect();
        at_every_level(|level| {
            assert_close("Σx²", level, &[norm::sum_of_squares(level, &x)], &[squares as f32], 1e-6);
            let mut scaled = x.clone();
            norm::scale(level, &mut scaled, 0.5);
            assert_eq!(scaled, halves);
        });
    }
}

#[test]
fn reductions() {
    for len in LENGTHS {
        let (x, y) = (random("x", len), random("y", len));
        let total: f64 = x.iter().map(|&x| f64::from(x)).sum();
        let added: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
        at_every_level(|level| {
            assert_close("sum", level, &[reduce::sum(level, &x)], &[total as f32], 1e-5);
            let mut got = y.clone();
            reduce::add(level, &x, &mut got);
            assert_eq!(got, added);
            let (mean, variance) = reduce::mean_and_variance(level, &x);
            if len == 0 {
                assert!(mean.is_nan() && variance.is_nan());
            } else {
                let mean64 = total / len as f64;
                let variance64 = x.iter().map(|&x| (f64::from(x) - mean64).powi(2)).sum::<f64>() / len as f64;
                assert_close("mean", level, &[mean], &[mean64 as f32], 1e-6);
                assert_close("variance", level, &[variance], &[variance64 as f32], 1e-5);
            }
        });
    }
}

#[test]
fn column_sums_are_added() {
    for (rows, n) in WIDTHS.into_iter().flat_map(|n| [(0, n), (1, n), (50, n)]) {
        for gap in [0, 3] {
            let x = random("x", rows * (n + gap));
            let mut expected = vec![1.0; n];
            for row in x.chunks(n + gap) {
                expected.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            }
            at_every_level(|level| {
                let mut sums = vec![1.0; n];
                reduce::add_columns(level, rows, n, &x, n + gap, &mut sums);
                assert_close(&format!("columns {rows}x{n}+{gap}"), level, &sums, &expected, 1e-5);
            });
        }
    }
}

#[test]
fn embeddings_and_their_gradient() {
    for (k, n) in WIDTHS.into_iter().flat_map(|n| [(1, n), (5, n)]) {
        let (rows, entries) = (9, 7);
        let (table, dy) = (random("table", entries * n), random("dy", rows * n));
        // Indices may repeat in a row, and may be out of range.
        let indices: Vec<f32> = random("indices", rows * k).iter().map(|x| (4.0 + 6.0 * x).floor()).collect();
        let (mut y, mut dtable) = (vec![0.0; rows * n], random("so far", entries * n));
        let so_far = dtable.clone();
        reference::embedding(k, n, &indices, &table, &mut y);
        reference::embedding_gradient(k, n, &indices, &dy, &mut dtable);
        at_every_level(|level| {
            let mut got = vec![f32::NAN; rows * n];
            embedding::embedding(level, k, n, &indices, &table, &mut got);
            assert_close(&format!("embedding {k}, {n}"), level, &got, &y, 1e-6);
            let mut got = so_far.clone();
            embedding::embedding_gradient(level, k, n, &indices, &dy, &mut got);
            assert_close(&format!("its gradient {k}, {n}"), level, &got, &dtable, 2e-6);
        });
    }
}

//! Tests of all forms of the matrix product at every SIMD level against the f64 reference.

use crate::common::{assert_close, at_every_level, random};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use vivarium_kernels::gemm::{
    SparseRows, gemm, gemm_bias, gemm_columns, gemm_sparse, gemm_sparse_rows, gemm_tn, gemm_tn_sparse,
};
use vivarium_kernels::{Level, Matrix, MatrixMut, PackedColumns, PackedMatrix, Ragged, reference};

/// Returns the tolerance for a sum of n products of standard normal numbers, about six standard deviations. Partial
/// sums grow as √n and each is rounded, so the error grows as n.
fn tolerance(terms: usize) -> f32 {
    f32::EPSILON * terms.max(16) as f32
}

/// Returns the tested shapes (rows, k, n), around the sizes of tiles, panels and SIMD vectors, and around the maximum
/// width of the layout for few columns.
fn shapes() -> Vec<(usize, usize, usize)> {
    let mut shapes = vec![
        (64, 128, 128),
        (64, 128, 676),
        (300, 64, 64),
        (33, 300, 40),
        (150, 260, 72),
        (9, 4, 64),
        (0, 5, 5),
    ];
    for rows in [1, 2, 3, 5, 7, 8, 13, 24] {
        for (k, n) in [
            (1, 1),
            (4, 64),
            (64, 1),
            (64, 2),
            (64, 3),
            (65, 4),
            (3, 4),
            (17, 5),
            (31, 16),
            (8, 33),
            (20, 100),
        ] {
            shapes.push((rows, k, n));
        }
    }
    shapes
}

#[test]
fn products_agree_with_the_reference() {
    for (rows, k, n) in shapes() {
        let (x, w, before) = (random("x", rows * k), random("w", k * n), random("y", rows * n));
        for beta in [0.0, 1.0, -0.5] {
            let mut expected = before.clone();
            reference::gemm(rows, k, n, &x, &w, &mut expected, beta);
            at_every_level(|level| {
                let mut y = before.clone();
                gemm(
                    level,
                    rows,
                    Matrix::new(&x, k),
                    &PackedMatrix::pack(level, &w, k, n),
                    MatrixMut::new(&mut y, n),
                    beta,
                );
                assert_close(&format!("{rows}x{k}x{n} beta {beta}"), level, &y, &expected, tolerance(k));
            });
        }
    }
}

/// The result of a row must not depend on other rows, so that equal observations give equal actions.
#[test]
fn results_of_a_row_do_not_depend_on_other_rows() {
    for (rows, k, n) in shapes() {
        let (x, w) = (random("x", rows * k), random("w", k * n));
        at_every_level(|level| {
            let packed = PackedMatrix::pack(level, &w, k, n);
            let mut together = vec![0.0; rows * n];
            gemm(level, rows, Matrix::new(&x, k), &packed, MatrixMut::new(&mut together, n), 0.0);
            for (x, expected) in x.chunks(k).zip(together.chunks(n)) {
                let mut alone = vec![0.0; n];
                gemm(level, 1, Matrix::new(x, k), &packed, MatrixMut::new(&mut alone, n), 0.0);
                assert_eq!(alone, expected, "{rows}x{k}x{n}");
            }
        });
    }
}

#[test]
fn a_zero_beta_ignores_previous_values() {
    at_every_level(|level| {
        for n in [1, 3, 7, 64, 70] {
            let mut y = vec![f32::NAN; 5 * n];
            gemm(
                level,
                5,
                Matrix::new(&[1.0; 5 * 20], 20),
                &PackedMatrix::zeros(level, 20, n),
                MatrixMut::new(&mut y, n),
                0.0,
            );
            assert!(y.iter().all(|&y| y == 0.0));
        }
    });
}

#[test]
fn the_bias_is_added_to_every_row() {
    for (rows, k, n) in shapes() {
        let (x, w, bias) = (random("x", rows * k), random("w", k * n), random("b", n));
        let mut expected: Vec<f32> = bias.iter().copied().cycle().take(rows * n).collect();
        reference::gemm(rows, k, n, &x, &w, &mut expected, 1.0);
        at_every_level(|level| {
            let mut y = vec![f32::NAN; rows * n];
            gemm_bias(
                level,
                rows,
                Matrix::new(&x, k),
                &PackedMatrix::pack(level, &w, k, n),
                &bias,
                MatrixMut::new(&mut y, n),
            );
            assert_close(&format!("{rows}x{k}x{n} with bias"), level, &y, &expected, tolerance(k));
        });
    }
}

#[test]
fn a_transposed_pack_multiplies_by_the_transpose() {
    for (rows, k, n) in shapes() {
        let (dy, w) = (random("dy", rows * n), random("w", k * n));
        let transposed: Vec<f32> = (0..n * k).map(|i| w[i % k * n + i / k]).collect();
        let mut expected = vec![0.0; rows * k];
        reference::gemm(rows, n, k, &dy, &transposed, &mut expected, 0.0);
        at_every_level(|level| {
            let mut dx = vec![f32::NAN; rows * k];
            gemm(
                level,
                rows,
                Matrix::new(&dy, n),
                &PackedMatrix::pack_transposed(level, &w, k, n),
                MatrixMut::new(&mut dx, k),
                0.0,
            );
            assert_close(&format!("transposed {rows}x{k}x{n}"), level, &dx, &expected, tolerance(n));
        });
    }
}

#[test]
fn weight_gradients_are_added() {
    for (rows, k, n) in shapes() {
        let (x, dy, before) = (random("x", rows * k), random("dy", rows * n), random("dw", k * n));
        let mut expected = before.clone();
        reference::gemm_tn(rows, k, n, &x, &dy, &mut expected);
        at_every_level(|level| {
            let mut dw = before.clone();
            gemm_tn(level, rows, Matrix::new(&x, k), Matrix::new(&dy, n), &mut dw);
            assert_close(&format!("gradient {rows}x{k}x{n}"), level, &dw, &expected, tolerance(rows));
        });
    }
}

#[test]
fn strided_rows_leave_the_gaps_untouched() {
    let (rows, ldx, ldy) = (11, 50, 90);
    for (k, n) in [(20, 3), (40, 70), (40, 64)] {
        let (x, w) = (random("x", rows * ldx), random("w", k * n));
        let tight: Vec<f32> = x.chunks(ldx).flat_map(|row| &row[..k]).copied().collect();
        let mut product = vec![0.0; rows * n];
        reference::gemm(rows, k, n, &tight, &w, &mut product, 0.0);
        at_every_level(|level| {
            let mut y = vec![7.0; (rows - 1) * ldy + n];
            let last = (rows - 1) * ldx + k;
            gemm(
                level,
                rows,
                Matrix::strided(&x[..last], k, ldx),
                &PackedMatrix::pack(level, &w, k, n),
                MatrixMut::strided(&mut y, n, ldy),
                0.0,
            );
            for (y, expected) in y.chunks(ldy).zip(product.chunks(n)) {
                assert_close("strided", level, &y[..n], expected, tolerance(k));
                assert!(y[n..].iter().all(|&y| y == 7.0), "wrote between the rows");
            }

            let mut expected = vec![0.0; k * n];
            reference::gemm_tn(rows, k, n, &tight, &product, &mut expected);
            let (mut dw, mut dy) = (vec![0.0; k * n], vec![7.0; (rows - 1) * ldy + n]);
            for (strided, row) in dy.chunks_mut(ldy).zip(product.chunks(n)) {
                strided[..n].copy_from_slice(row);
            }
            gemm_tn(level, rows, Matrix::strided(&x[..last], k, ldx), Matrix::strided(&dy, n, ldy), &mut dw);
            assert_close("strided gradient", level, &dw, &expected, 1e-4);
        });
    }
}

#[test]
fn repacking_replaces_the_weights() {
    at_every_level(|level| {
        for (k, n) in [(20, 3), (20, 45)] {
            let (first, second, x) = (random("first", k * n), random("second", k * n), random("x", k));
            let mut packed = PackedMatrix::pack(level, &first, k, n);
            packed.repack(&second);
            let (mut y, mut expected) = (vec![0.0; n], vec![0.0; n]);
            gemm(level, 1, Matrix::new(&x, k), &packed, MatrixMut::new(&mut y, n), 0.0);
            reference::gemm(1, k, n, &x, &second, &mut expected, 0.0);
            assert_close("repacked", level, &y, &expected, tolerance(k));
        }
    });
}

#[test]
fn selected_columns_equal_the_product() {
    for (k, n) in [(1, 1), (3, 7), (16, 4), (64, 676), (130, 33)] {
        let (x, w, bias) = (random("x", 5 * k), random("w", k * n), random("b", n));
        let mut product: Vec<f32> = bias.iter().copied().cycle().take(5 * n).collect();
        reference::gemm(5, k, n, &x, &w, &mut product, 1.0);
        // Number of selected columns per row: none, one, several, and more than the matrix has. The entries of
        // `columns` before `start` belong to no row.
        let counts = [0, 1, 9, 2, 17];
        let mut columns = vec![0; 3];
        let mut ends = Vec::new();
        for (row, count) in counts.into_iter().enumerate() {
            columns.extend((0..count).map(|i| ((i * 5 + row) % n) as u32));
            ends.push(columns.len());
        }
        let rows = (0..5).flat_map(|row| std::iter::repeat_n(row, counts[row]));
        let expected: Vec<f32> =
            rows.zip(&columns[3..]).map(|(row, &column)| product[row * n + column as usize]).collect();
        at_every_level(|level| {
            let mut y = vec![f32::NAN; columns.len()];
            let mut packed = PackedColumns::pack(&vec![f32::NAN; k * n], k, n);
            packed.repack(&w);
            gemm_columns(
                level,
                &x,
                &packed,
                &bias,
                Ragged { values: &columns, start: 3, ends: &ends },
                &mut y,
            );
            assert!(y[..3].iter().all(|y| y.is_nan()));
            assert_close(&format!("columns of 5x{k}x{n}"), level, &y[3..], &expected, tolerance(k));
        });
    }
}

/// Returns a random matrix `[rows, k]` in which about one element in eight is nonzero. The first row is zero, and the
/// last row has no zeros.
fn sparse(rows: usize, k: usize) -> Vec<f32> {
    let mut x = random("x", rows * k);
    for (row, x) in x.chunks_exact_mut(k).enumerate() {
        let kept = |p: usize| row + 1 == rows || (row > 0 && (p * 5 + row * 3).is_multiple_of(8));
        x.iter_mut().enumerate().filter(|&(p, _)| !kept(p)).for_each(|(_, x)| *x = 0.0);
    }
    x
}

/// Returns a random matrix `[rows, k]` with zeros as after a ReLU. Later rows have more zeros.
fn rectified(rows: usize, k: usize) -> Vec<f32> {
    let mut x = random("x", rows * k);
    for (row, x) in x.chunks_exact_mut(k).enumerate() {
        let least = 2.0 * row as f32 / rows as f32 - 1.0;
        x.iter_mut().for_each(|x| *x = if *x < least { 0.0 } else { *x });
    }
    x
}

#[test]
fn zeros_change_nothing() {
    for (rows, k, n) in
        [(1, 128, 128), (50, 128, 128), (25, 256, 70), (30, 100, 37), (9, 300, 64), (26, 40, 5)]
    {
        let (x, w, before) = (rectified(rows, k), random("w", k * n), random("y", rows * n));
        // The second pass omits the first half of the rows, so that the product starts with sparse rows.
        for first in [0, rows / 2] {
            let (x, before, rows) = (&x[first * k..], &before[first * n..], rows - first);
            let bias = random("b", n);
            let (mut expected, mut biased) = (before.to_vec(), vec![0.0; rows * n]);
            reference::gemm(rows, k, n, x, &w, &mut expected, -0.5);
            reference::gemm(rows, k, n, x, &w, &mut biased, 0.0);
            biased.iter_mut().zip(bias.iter().cycle()).for_each(|(y, b)| *y += b);
            at_every_level(|level| {
                let packed = PackedMatrix::pack(level, &w, k, n);
                let mut y = before.to_vec();
                gemm(level, rows, Matrix::new(x, k), &packed, MatrixMut::new(&mut y, n), -0.5);
                assert_close(&format!("rectified {rows}x{k}x{n}"), level, &y, &expected, tolerance(k));
                gemm_bias(level, rows, Matrix::new(x, k), &packed, &bias, MatrixMut::new(&mut y, n));
                assert_close(
                    &format!("rectified {rows}x{k}x{n} with bias"),
                    level,
                    &y,
                    &biased,
                    tolerance(k),
                );
                for (x, expected) in x.chunks(k).zip(y.chunks(n)) {
                    let mut alone = vec![0.0; n];
                    gemm_bias(level, 1, Matrix::new(x, k), &packed, &bias, MatrixMut::new(&mut alone, n));
                    assert_eq!(alone, expected, "{rows}x{k}x{n}");
                }
            });
        }
    }
}

#[test]
fn sparse_products_equal_dense_products() {
    // The second shape has more rows than a block.
    for (rows, k, n) in
        [(5, 732, 128), (70, 732, 128), (3, 2500, 40), (4, 33, 300), (6, 16, 3), (3, 40, 20), (2, 5, 70)]
    {
        let (x, w, bias) = (sparse(rows, k), random("w", k * n), random("b", n));
        let mut expected = vec![0.0; rows * n];
        reference::gemm(rows, k, n, &x, &w, &mut expected, 0.0);
        let biased: Vec<f32> = expected.iter().zip(bias.iter().cycle()).map(|(y, b)| y + b).collect();
        let dy = random("dy", rows * n);
        let mut expected_dw = random("dw", k * n);
        reference::gemm_tn(rows, k, n, &x, &dy, &mut expected_dw);
        at_every_level(|level| {
            let packed = PackedMatrix::pack(level, &w, k, n);
            let mut y = vec![f32::NAN; rows * n];
            gemm_sparse(level, rows, Matrix::new(&x, k), &packed, None, MatrixMut::new(&mut y, n));
            assert_close(&format!("sparse {rows}x{k}x{n}"), level, &y, &expected, tolerance(k));
            gemm_sparse(level, rows, Matrix::new(&x, k), &packed, Some(&bias), MatrixMut::new(&mut y, n));
            assert_close(&format!("sparse {rows}x{k}x{n} with bias"), level, &y, &biased, tolerance(k));
            let mut written = SparseRows::default();
            for row in x.chunks_exact(k) {
                let others = row.iter().enumerate().filter(|(_, number)| **number != 0.0);
                // The next entry overwrites the discarded entry.
                let no_number = (0, f32::NAN);
                written.add(k + 1, |row| {
                    others.for_each(|(place, &number)| row.push_first(1, [(place, number), no_number]))
                });
            }
            // Two calls compute the product; the second call starts at row 1.
            let mut again = vec![f32::NAN; rows * n];
            let (front, back) = again.split_at_mut(n);
            gemm_sparse_rows(level, &written, 0..1, &packed, Some(&bias), MatrixMut::new(front, n));
            gemm_sparse_rows(level, &written, 1..rows, &packed, Some(&bias), MatrixMut::new(back, n));
            assert_close(&format!("written {rows}x{k}x{n}"), level, &again, &biased, tolerance(k));
            if k <= 1024 && n > 4 {
                assert_eq!(again, y, "{rows}x{k}x{n}");
            }
            gemm_sparse_rows(level, &written, 0..rows, &packed, None, MatrixMut::new(&mut again, n));
            assert_close(&format!("written {rows}x{k}x{n}"), level, &again, &expected, tolerance(k));
            let mut dw = random("dw", k * n);
            gemm_tn_sparse(level, rows, Matrix::new(&x, k), Matrix::new(&dy, n), &mut dw);
            assert_close(
                &format!("sparse gradient {rows}x{k}x{n}"),
                level,
                &dw,
                &expected_dw,
                tolerance(rows),
            );
        });
    }
}

/// Asserts that `found` is infinite or NaN exactly where `expected` is, and that all other elements are close to the
/// expected elements.
fn assert_same_class(name: &str, level: Level, found: &[f32], expected: &[f32]) {
    let is_same = |x: f32, y: f32| x.is_finite() && y.is_finite() || x == y || x.is_nan() && y.is_nan();
    if let Some(at) = found.iter().zip(expected).position(|(&x, &y)| !is_same(x, y)) {
        panic!("{name} at {level:?}: element {at} is {}, not {}", found[at], expected[at]);
    }
    let finite = |x: &[f32]| x.iter().map(|&x| if x.is_finite() { x } else { 0.0 }).collect::<Vec<f32>>();
    assert_close(name, level, &finite(found), &finite(expected), 1e-3);
}

/// Zero times an infinite or NaN number must be NaN in every form of the product.
#[test]
fn zeros_do_not_hide_infinite_numbers() {
    for (rows, k, n) in [(9, 64, 64), (70, 300, 33), (5, 1100, 40), (6, 16, 3), (3, 40, 20), (2, 3, 5)] {
        let x = sparse(rows, k);
        for number in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            let mut w = random("w", k * n);
            w[(k - 1) * n] = number;
            w[k / 2 * n + n - 1] = -number;
            let mut product = vec![0.0; rows * n];
            reference::gemm(rows, k, n, &x, &w, &mut product, 0.0);
            let mut dy = random("dy", rows * n);
            dy[n / 2] = number;
            let mut gradient = vec![0.0; k * n];
            reference::gemm_tn(rows, k, n, &x, &dy, &mut gradient);
            assert!(product.iter().chain(&gradient).any(|y| y.is_nan()));
            let mut written = SparseRows::default();
            for row in x.chunks_exact(k) {
                let others = row.iter().enumerate().filter(|(_, number)| **number != 0.0);
                written.add(k, |row| others.for_each(|(place, &number)| row.push(place, number)));
            }
            at_every_level(|level| {
                let (x, zero) = (Matrix::new(&x, k), vec![0.0; n]);
                let packed = PackedMatrix::pack(level, &w, k, n);
                let run = |name: &str, form: &dyn Fn(MatrixMut<'_>)| {
                    let mut y = vec![0.0; rows * n];
                    form(MatrixMut::new(&mut y, n));
                    assert_same_class(&format!("{name} {rows}x{k}x{n}, {number}"), level, &y, &product);
                };
                run("dense", &|y| gemm(level, rows, x, &packed, y, 0.0));
                run("dense with bias", &|y| gemm_bias(level, rows, x, &packed, &zero, y));
                run("sparse", &|y| gemm_sparse(level, rows, x, &packed, Some(&zero), y));
                run("compressed", &|y| gemm_sparse_rows(level, &written, 0..rows, &packed, None, y));
                let mut dw = vec![0.0; k * n];
                gemm_tn(level, rows, x, Matrix::new(&dy, n), &mut dw);
                assert_same_class("dense gradient", level, &dw, &gradient);
                dw.fill(0.0);
                gemm_tn_sparse(level, rows, x, Matrix::new(&dy, n), &mut dw);
                assert_same_class("sparse gradient", level, &dw, &gradient);
            });
        }
    }
}

#[test]
#[should_panic(expected = "range end index")]
fn sparse_rows_need_as_many_rows_of_y() {
    let mut x = SparseRows::default();
    (0..3).for_each(|row| x.add(1, |entries| entries.push(row, 1.0)));
    at_every_level(|level| {
        let packed = PackedMatrix::pack(level, &[1.0; 48], 16, 3);
        gemm_sparse_rows(level, &x, 0..3, &packed, None, MatrixMut::new(&mut [0.0; 6], 3));
    });
}

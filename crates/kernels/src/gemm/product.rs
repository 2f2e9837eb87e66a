//! Matrix product y = x·W for dense and for sparse x, divided into panels of W and tiles of y.

use super::pack::{PackedLayout, PackedMatrix};
use super::tile::{Finish, GemmArguments, MAX_TILE, each_tile, finish_edge, tile};
use super::{copy, narrow, sparse};
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, Simd, SimdBase, dispatch};

/// Computes y = x·W + `beta`·y for `rows` rows of x and y. If `beta` is 0, the previous contents of y are ignored, even
/// if NaN.
///
/// # Panics
/// If x or y does not fit the shape of W or has fewer than `rows` rows, or if W was packed for another SIMD level.
pub fn gemm(level: Level, rows: usize, x: Matrix<'_>, w: &PackedMatrix, y: MatrixMut<'_>, beta: f32) {
    let finish = if beta == 0.0 { Finish::Store } else { Finish::Accumulate(beta) };
    product(level, rows, x, w, finish, y);
}

/// Computes y = x·W + b for `rows` rows of x and y, with a bias b \[n\].
///
/// # Panics
/// As [`gemm`], and if the bias has fewer than n elements.
pub fn gemm_bias(level: Level, rows: usize, x: Matrix<'_>, w: &PackedMatrix, bias: &[f32], y: MatrixMut<'_>) {
    product(level, rows, x, w, Finish::Bias(&bias[..w.n()]), y);
}

/// Computes y = x·W + b with an optional bias b \[n\], in time proportional to the number of nonzero elements of x. If
/// an element of W is infinite or NaN, the product takes the time of [`gemm_bias`].
///
/// # Panics
/// As [`gemm_bias`].
pub fn gemm_sparse(
    level: Level,
    rows: usize,
    x: Matrix<'_>,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    y: MatrixMut<'_>,
) {
    let finish = bias.map_or(Finish::Store, |bias| Finish::Bias(&bias[..w.n()]));
    if !w.is_finite() {
        return product(level, rows, x, w, finish, y);
    }
    w.check(x, &y);
    let product = GemmArguments { rows, x, w, finish, y };
    match w.layout() {
        PackedLayout::Panels => sparse_product(level, product),
        // Narrow matrices use dense dot products, because skipping zeros gains little.
        PackedLayout::Columns => narrow_product(level, product),
    }
}

fn product(level: Level, rows: usize, x: Matrix<'_>, w: &PackedMatrix, finish: Finish<'_>, y: MatrixMut<'_>) {
    w.check(x, &y);
    let product = GemmArguments { rows, x, w, finish, y };
    match w.layout() {
        PackedLayout::Columns => narrow_product(level, product),
        // At levels with short vectors tiles are small, so skipping zeros (outputs of a ReLU) soon outweighs
        // rereading W for each row. If k ≤ `copy::STEPS`, the sparse and the dense product sum in the same order. A
        // row's result therefore does not depend on this choice, which other rows influence.
        PackedLayout::Panels if w.lanes() == 4 && w.k() <= copy::STEPS && sparse::is_faster(rows, x, w) => {
            sparse_product(level, product);
        }
        PackedLayout::Panels => dispatch!(level, s => dense_product(s, product)),
    }
}

// Kernels that several products use, each compiled once.

fn narrow_product(level: Level, product: GemmArguments<'_>) {
    dispatch!(level, s => narrow::product(s, product));
}

fn sparse_product(level: Level, product: GemmArguments<'_>) {
    dispatch!(level, s => sparse::nonzero_product(s, product));
}

#[inline(always)]
fn dense_product<S: Simd>(s: S, product: GemmArguments<'_>) {
    let GemmArguments { rows, x, w, .. } = product;
    assert_eq!(w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    // At levels with short vectors there are many small tiles, which read interleaved rows faster. In wasm, interleaving
    // also saves a bounds check for each element.
    if S::f32s::LEN == 4 {
        return copy::product(s, product);
    }
    // A block of rows of x fits the L2 cache, so that each panel reads it there.
    let block = (ROW_BLOCK / w.k().max(1)).next_multiple_of(24).max(24);
    let GemmArguments { finish, mut y, .. } = product;
    let mut first = 0;
    while first < rows {
        let count = block.min(rows - first);
        panels(s, GemmArguments { rows: count, x: x.from(first, 0), w, finish, y: y.from(first, 0) });
        first += count;
    }
}

/// Approximate size, in f32 values, of the block of rows of x that a product x·W processes at a time (256 KiB). The
/// block stays in the L2 cache.
const ROW_BLOCK: usize = 65_536;

#[inline(always)]
fn panels<S: Simd>(s: S, GemmArguments { rows, x, w, finish, mut y }: GemmArguments<'_>) {
    let lanes = S::f32s::LEN;
    let mut column = 0;
    while column < w.n() {
        let panel = &w.data()[column * w.k()..];
        let (finish, y) = (finish.at_column(column), y.from(0, column));
        let rest = w.n() - column;
        if rest >= 2 * lanes {
            panel_rows::<S, 2, false>(s, rows, x, panel, finish, y);
        } else if rest > lanes {
            panel_rows::<S, 2, true>(s, rows, x, panel, finish, y);
        } else if rest == lanes {
            panel_rows::<S, 1, false>(s, rows, x, panel, finish, y);
        } else {
            panel_rows::<S, 1, true>(s, rows, x, panel, finish, y);
        }
        column += 2 * lanes;
    }
}

/// Computes the columns of y = x·W that one panel (group of columns) of W determines. Tiles are written directly to y,
/// or through a scratch tile if the panel is wider than the remaining columns of y.
#[inline(always)]
pub(crate) fn panel_rows<S: Simd, const NV: usize, const IS_WIDER: bool>(
    s: S,
    rows: usize,
    x: Matrix<'_>,
    panel: &[f32],
    finish: Finish<'_>,
    mut y: MatrixMut<'_>,
) {
    let width = NV * S::f32s::LEN;
    let mut scratch = [0.0; MAX_TILE];
    each_tile!(rows, S::f32s::LEN, |row, MR| {
        if IS_WIDER {
            let into = MatrixMut::new(&mut scratch, width);
            tile::<S, MR, NV>(s, x.from(row, 0), panel, Finish::Store, into);
            finish_edge(MR, &scratch, width, finish, y.from(row, 0));
        } else {
            tile::<S, MR, NV>(s, x.from(row, 0), panel, finish, y.from(row, 0));
        }
    });
}

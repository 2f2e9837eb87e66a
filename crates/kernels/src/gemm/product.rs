//! y = x·W: tiles over rows and panels.

use super::pack::{Layout, PackedMatrix};
use super::tile::{Finish, LARGEST, Product, each_tile, finish_edge, tile};
use super::{copy, narrow, sparse};
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, Simd, SimdBase, dispatch};

/// y = x·W + `beta`·y, for `rows` rows; `beta` = 0 ignores what y held, even if it was NaN.
pub fn gemm(level: Level, rows: usize, x: Matrix<'_>, w: &PackedMatrix, y: MatrixMut<'_>, beta: f32) {
    let finish = if beta == 0.0 { Finish::Store } else { Finish::Accumulate(beta) };
    product(level, rows, x, w, finish, y);
}

/// y = x·W + b, for `rows` rows; b has a number for each column of y.
pub fn gemm_bias(level: Level, rows: usize, x: Matrix<'_>, w: &PackedMatrix, bias: &[f32], y: MatrixMut<'_>) {
    product(level, rows, x, w, Finish::Bias(&bias[..w.n()]), y);
}

fn product(level: Level, rows: usize, x: Matrix<'_>, w: &PackedMatrix, finish: Finish<'_>, y: MatrixMut<'_>) {
    w.check(x, &y);
    dispatch!(level, s => product_at(s, Product { rows, x, w, finish, y }));
}

#[inline(always)]
fn product_at<S: Simd>(s: S, product: Product<'_>) {
    let Product { rows, x, w, .. } = product;
    assert_eq!(w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    match w.layout() {
        Layout::Columns => narrow::product(s, product),
        // Vectors of four: tiles are so small that leaving out zeros, such as a ReLU gives, soon makes up for reading w anew
        // for every row. Both ways add up the same numbers in the same order as long as x is copied in one go, so that a
        // row's sums do not depend on the way that others beside it suggest.
        Layout::Panels if S::f32s::LEN == 4 && w.k() <= copy::STEPS && sparse::is_quicker(rows, x, w) => {
            sparse::product(s, product);
        }
        // Vectors of four: many small tiles, whose rows are quicker to read once they lie next to each other. In wasm it
        // also saves a bounds check for each number.
        Layout::Panels if S::f32s::LEN == 4 => copy::product(s, product),
        Layout::Panels => {
            // Rows whose x fits well into the second-level cache, so that each panel finds it there.
            let block = (ROW_BLOCK / w.k().max(1)).next_multiple_of(24).max(24);
            let Product { finish, mut y, .. } = product;
            let mut first = 0;
            while first < rows {
                let count = block.min(rows - first);
                panels(s, Product { rows: count, x: x.from(first, 0), w, finish, y: y.from(first, 0) });
                first += count;
            }
        }
    }
}

/// Elements of x that a block of rows holds: 256 KiB.
const ROW_BLOCK: usize = 65_536;

#[inline(always)]
fn panels<S: Simd>(s: S, Product { rows, x, w, finish, mut y }: Product<'_>) {
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

/// One panel: tiles go straight into y, or through a scratch tile where it is the last one and wider than what remains of y.
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
    let mut scratch = [0.0; LARGEST];
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

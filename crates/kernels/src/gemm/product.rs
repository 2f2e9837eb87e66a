//! y = x·W: tiles over rows and panels.

use super::pack::{Layout, PackedMatrix};
use super::tile::{Finish, LARGEST, each_tile, finish_edge, tile};
use super::{copy, narrow, sparse};
use crate::simd::{Level, Simd, SimdBase, dispatch};

/// y = x·W + `beta`·y, for `rows` rows; `beta` = 0 ignores what y held, even if it was NaN.
///
/// x is \[rows, k\] with leading dimension `ldx`, y is \[rows, n\] with leading dimension `ldy`.
pub fn gemm(
    level: Level,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    y: &mut [f32],
    ldy: usize,
    beta: f32,
) {
    let finish = if beta == 0.0 { Finish::Store } else { Finish::Accumulate(beta) };
    product(level, rows, x, ldx, w, finish, y, ldy);
}

/// y = x·W + b, for `rows` rows; b is \[n\], the rest is as in [`gemm`].
pub fn gemm_bias(
    level: Level,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    bias: &[f32],
    y: &mut [f32],
    ldy: usize,
) {
    product(level, rows, x, ldx, w, Finish::Bias(&bias[..w.n()]), y, ldy);
}

pub(super) fn product(
    level: Level,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    assert!(ldx >= w.k() && ldy >= w.n(), "a leading dimension is shorter than its row");
    dispatch!(level, s => product_at(s, rows, x, ldx, w, finish, y, ldy));
}

#[inline(always)]
fn product_at<S: Simd>(
    s: S,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    assert_eq!(w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    match w.layout() {
        Layout::Columns => narrow::product(s, rows, x, ldx, w, finish, y, ldy),
        // Vectors of four: tiles are so small that leaving out zeros, such as a ReLU gives, soon makes up for reading w anew
        // for every row. Both ways add up the same numbers in the same order as long as x is copied in one go, so that a
        // row's sums do not depend on the way that others beside it suggest.
        Layout::Panels
            if S::f32s::LEN == 4 && w.k() <= copy::STEPS && sparse::is_quicker(rows, x, ldx, w) =>
        {
            sparse::product(s, rows, x, ldx, w, finish, y, ldy);
        }
        // Vectors of four: many small tiles, whose rows are quicker to read once they lie next to each other. In wasm it
        // also saves a bounds check for each number.
        Layout::Panels if S::f32s::LEN == 4 => copy::product(s, rows, x, ldx, w, finish, y, ldy),
        Layout::Panels => {
            // Rows whose x fits well into the second-level cache, so that each panel finds it there.
            let block = (ROW_BLOCK / w.k().max(1)).next_multiple_of(24).max(24);
            let mut first = 0;
            while first < rows {
                let count = block.min(rows - first);
                panels(s, count, &x[first * ldx..], ldx, w, finish, &mut y[first * ldy..], ldy);
                first += count;
            }
        }
    }
}

/// Elements of x that a block of rows holds: 256 KiB.
const ROW_BLOCK: usize = 65_536;

#[inline(always)]
fn panels<S: Simd>(
    s: S,
    rows: usize,
    x: &[f32],
    ldx: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    let lanes = S::f32s::LEN;
    let (k, n) = (w.k(), w.n());
    let mut column = 0;
    while column < n {
        let panel = &w.data()[column * k..];
        let finish = match finish {
            Finish::Bias(bias) => Finish::Bias(&bias[column..]),
            other => other,
        };
        let y = &mut y[column..];
        let rest = n - column;
        if rest >= 2 * lanes {
            panel_rows::<S, 2>(s, rows, x, ldx, k, panel, finish, y, ldy);
        } else if rest > lanes {
            edge_rows::<S, 2>(s, rows, x, ldx, k, panel, rest, finish, y, ldy);
        } else if rest == lanes {
            panel_rows::<S, 1>(s, rows, x, ldx, k, panel, finish, y, ldy);
        } else {
            edge_rows::<S, 1>(s, rows, x, ldx, k, panel, rest, finish, y, ldy);
        }
        column += 2 * lanes;
    }
}

/// One panel that ends within y: tiles go straight into y.
#[inline(always)]
fn panel_rows<S: Simd, const NV: usize>(
    s: S,
    rows: usize,
    x: &[f32],
    ldx: usize,
    k: usize,
    panel: &[f32],
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    each_tile!(rows, S::f32s::LEN, |row, MR| tile::<S, MR, NV>(
        s,
        k,
        &x[row * ldx..],
        ldx,
        panel,
        finish,
        &mut y[row * ldy..],
        ldy
    ));
}

/// The last panel where it is wider than what remains of y: tiles go through a scratch tile.
#[inline(always)]
fn edge_rows<S: Simd, const NV: usize>(
    s: S,
    rows: usize,
    x: &[f32],
    ldx: usize,
    k: usize,
    panel: &[f32],
    columns: usize,
    finish: Finish<'_>,
    y: &mut [f32],
    ldy: usize,
) {
    let width = NV * S::f32s::LEN;
    let mut scratch = [0.0; LARGEST];
    each_tile!(rows, S::f32s::LEN, |row, MR| {
        tile::<S, MR, NV>(s, k, &x[row * ldx..], ldx, panel, Finish::Store, &mut scratch, width);
        finish_edge(MR, &scratch, width, columns, finish, &mut y[row * ldy..], ldy);
    });
}

//! Matrix product y = x·W at SIMD levels with short vectors. The elements of the rows in a tile of x are interleaved
//! first.

use super::pack::{PackedMatrix, panel_vectors};
use super::tile::{Finish, GemmArguments, MAX_TILE, each_tile, finish_edge, tile_packed};
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Simd, SimdBase};

/// Maximum number of elements of each row of x, in a product x·W, that are interleaved at a time.
pub(super) const STEPS: usize = 256;
/// Maximum number of rows of a register tile (block of the result that stays in registers), at SIMD levels with vectors
/// of four `f32` values.
const MAX_HEIGHT: usize = match () {
    _ if cfg!(target_arch = "aarch64") => 8,
    _ if cfg!(target_feature = "relaxed-simd") => 6,
    _ => 4,
};

#[inline(always)]
pub(super) fn product<S: Simd>(s: S, GemmArguments { rows, x, w, finish, mut y }: GemmArguments<'_>) {
    let mut copied = [0.0; STEPS * MAX_HEIGHT];
    let mut first = 0;
    loop {
        let steps = STEPS.min(w.k() - first);
        // The first part of the inner dimension overwrites y, later parts add to y.
        let finish = if first == 0 { finish } else { Finish::Accumulate(1.0) };
        each_tile!(rows, S::f32s::LEN, |row, MR| {
            let copied = &mut copied[..steps * MR];
            interleave_rows::<S, MR>(s, x.from(row, first), copied);
            panels::<S, MR>(s, copied, first, w, finish, y.from(row, 0));
        });
        first += steps;
        if first >= w.k() {
            break;
        }
    }
}

/// Copies `MR` rows of the matrix x in interleaved order: the first element of each row, then the second element of
/// each row, and so on.
#[inline(always)]
fn interleave_rows<S: Simd, const MR: usize>(s: S, x: Matrix<'_>, copied: &mut [f32]) {
    let steps = copied.len() / MR;
    let mut whole = 0;
    if MR >= 4 && S::f32s::LEN == 4 {
        whole = steps - steps % 4;
        // 4×4 blocks are transposed in registers: the first four rows, then the last four, which may overlap.
        for quad in (0..=MR - 4).step_by((MR - 4).max(1)) {
            let row = |i: usize| x.data[(quad + i) * x.stride..][..whole].chunks_exact(4);
            let rows = row(0).zip(row(1)).zip(row(2)).zip(row(3));
            for (square, (((a, b), c), d)) in copied.chunks_exact_mut(4 * MR).zip(rows) {
                let [a, b, c, d] = [a, b, c, d].map(|row| S::f32s::from_slice(s, row));
                let ((ac_low, ac_high), (bd_low, bd_high)) = (a.interleave(c), b.interleave(d));
                let (first, second) = ac_low.interleave(bd_low);
                let (third, fourth) = ac_high.interleave(bd_high);
                for (step, v) in [first, second, third, fourth].into_iter().enumerate() {
                    v.store_slice(&mut square[step * MR + quad..][..4]);
                }
            }
        }
    }
    for (copied, step) in copied.chunks_exact_mut(MR).zip(0..steps).skip(whole) {
        for (i, copy) in copied.iter_mut().enumerate() {
            *copy = x.data[i * x.stride + step];
        }
    }
}

/// Computes `MR` rows of the product x·W, tile by tile over all columns. The slice `x` holds the rows in interleaved
/// order, from column `first` of the matrix x on.
#[inline(always)]
fn panels<S: Simd, const MR: usize>(
    s: S,
    x: &[f32],
    first: usize,
    w: &PackedMatrix,
    finish: Finish<'_>,
    mut y: MatrixMut<'_>,
) {
    let lanes = S::f32s::LEN;
    let (k, n) = (w.k(), w.n());
    let wide = panel_vectors(lanes) * lanes;
    for column in (0..n).step_by(2 * lanes) {
        let rest = n - column;
        let at = column % wide;
        let width = wide.min((rest + at).next_multiple_of(lanes));
        let panel = &w.data()[(column - at) * k + first * width..];
        let (finish, y) = (finish.at_column(column), y.from(0, column));
        if rest >= 2 * lanes {
            tile_packed::<S, MR, 2>(s, x, panel, width, at, finish, y);
        } else if rest == lanes {
            tile_packed::<S, MR, 1>(s, x, panel, width, at, finish, y);
        } else {
            let mut scratch = [0.0; MAX_TILE];
            if rest > lanes {
                let into = MatrixMut::new(&mut scratch, 2 * lanes);
                tile_packed::<S, MR, 2>(s, x, panel, width, at, Finish::Store, into);
                finish_edge(MR, &scratch, 2 * lanes, finish, y);
            } else {
                let into = MatrixMut::new(&mut scratch, lanes);
                tile_packed::<S, MR, 1>(s, x, panel, width, at, Finish::Store, into);
                finish_edge(MR, &scratch, lanes, finish, y);
            }
        }
    }
}

//! Products with an x of which most numbers are 0, such as one-hot inputs: the rows of W that the others stand for,
//! weighted and added up.

use super::narrow;
use super::nonzero::{Indices, STEPS, nonzero};
use super::pack::{Layout, PackedMatrix, panel_vectors};
use super::tile::{Finish, Product, finish_edge};
use crate::matrix::{Matrix, MatrixMut, Ragged};
use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch};

/// Rows of x that read the same panels of W before others are read, at most.
const ROWS: usize = 64;
/// Room for the nonzero numbers of such rows.
const ENTRIES: usize = 4 * STEPS;
/// Rows that are sampled to decide whether x is sparse.
const SAMPLES: usize = 4;
/// The place of a nonzero number in its part of a row of x, and the number.
pub(super) type Entry = (u32, f32);

/// Vectors of a row of y whose sums are in registers at a time: one panel, or as many as are as wide.
const TOGETHER: usize = 8;

/// y = x·W + b, as [`gemm_bias`](super::gemm_bias) has it, or without a bias: in time that goes with the numbers of x that
/// are not 0.
pub fn gemm_sparse(
    level: Level,
    rows: usize,
    x: Matrix<'_>,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    y: MatrixMut<'_>,
) {
    w.check(x, &y);
    let finish = bias.map_or(Finish::Store, |bias| Finish::Bias(&bias[..w.n()]));
    match w.layout() {
        Layout::Panels => dispatch!(level, s => product(s, Product { rows, x, w, finish, y })),
        // Dot products: there is little to be saved.
        Layout::Columns => dispatch!(level, s => narrow::product(s, Product { rows, x, w, finish, y })),
    }
}

/// Whether so many numbers of x \[rows, k\] are 0, judged by a sample of its rows, that a product with vectors of four
/// is quicker here than with tiles. In wasm the two are even where about three in four are not. Of a W that is narrower than
/// a panel the sums are too few: each waits for its last addition.
#[inline(always)]
pub(super) fn is_quicker(rows: usize, x: Matrix<'_>, w: &PackedMatrix) -> bool {
    if w.n() < WIDE {
        return false;
    }
    let (mut seen, mut found) = (0, 0);
    for row in (0..rows).step_by(rows.div_ceil(SAMPLES).max(1)) {
        let x = &x.data[row * x.stride..][..w.k()];
        found += x.iter().filter(|&&number| number != 0.0).count();
        seen += w.k();
    }
    10 * found < 7 * seen
}

#[inline(always)]
pub(super) fn product<S: Simd>(s: S, Product { rows, x, w, finish, y }: Product<'_>) {
    assert_eq!(w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    let (mut room, mut entries) = ([0; _], [(0, 0.0); ENTRIES]);
    let mut first = 0;
    loop {
        // The first part of the rows starts y, the others add to it.
        let finish = if first == 0 { finish } else { Finish::Accumulate(1.0) };
        let steps = STEPS.min(w.k() - first);
        let mut row = 0;
        while row < rows {
            let (mut ends, mut count) = ([0; ROWS], 0);
            let mut end = 0;
            // As many rows as there is room for, whatever they hold.
            while count < ROWS.min(rows - row) && end + steps <= ENTRIES {
                let x = &x.data[(row + count) * x.stride + first..][..steps];
                end = gather(s, x, &mut room, &mut entries, end);
                ends[count] = end;
                count += 1;
            }
            let entries = Ragged { values: &entries, start: 0, ends: &ends[..count] };
            let part = Part { entries, steps, finish, stride: y.stride };
            block(s, &part, first, w, &mut y.data[row * y.stride..]);
            row += count;
        }
        first += steps;
        if first >= w.k() {
            break;
        }
    }
}

/// The same of rows whose entries are known.
#[inline(always)]
pub(super) fn product_of_entries<S: Simd>(
    s: S,
    Ragged { values, mut start, ends }: Ragged<'_, Entry>,
    w: &PackedMatrix,
    finish: Finish<'_>,
    y: MatrixMut<'_>,
) {
    assert_eq!(w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    let stride = y.stride;
    for (ends, y) in ends.chunks(ROWS).zip(y.data.chunks_mut(ROWS * stride)) {
        let part = Part { entries: Ragged { values, start, ends }, steps: w.k(), finish, stride };
        block(s, &part, 0, w, y);
        start = ends[ends.len() - 1];
    }
}

/// Appends the nonzero numbers of a part of a row to `entries[..end]`, and returns the new end.
#[inline(always)]
fn gather<S: Simd>(s: S, x: &[f32], room: &mut Indices, entries: &mut [Entry; ENTRIES], end: usize) -> usize {
    let count = nonzero(s, x, room);
    for (entry, &place) in entries[end..end + count].iter_mut().zip(&room[..count]) {
        *entry = (place.into(), x[usize::from(place)]);
    }
    end + count
}

/// What some rows' numbers, which stand at `first` in them, do to y.
#[inline(always)]
fn block<S: Simd>(s: S, part: &Part<'_>, first: usize, w: &PackedMatrix, y: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let (n, wide) = (w.n(), panel_vectors(lanes) * lanes);
    let mut column = 0;
    while column < n {
        let (rest, at) = (n - column, column % wide);
        let part = Part { finish: part.finish.at_column(column), ..*part };
        // From a panel's row that x begins at to its end.
        let panel = |q: usize, width: usize| {
            &w.data()[(column - at + q * wide) * w.k() + first * width..][..part.steps * width]
        };
        let y = &mut y[column..];
        column += if rest >= TOGETHER * lanes && lanes == 4 {
            whole_panel(s, &part, panel(0, wide), y)
        } else if rest >= TOGETHER * lanes {
            columns::<S, 4, 2>(s, &part, [0, 1, 2, 3].map(|q| panel(q, wide)), 2 * lanes, 0, y)
        } else {
            let width = wide.min((rest + at).next_multiple_of(lanes));
            if rest >= 2 * lanes {
                columns::<S, 1, 2>(s, &part, [panel(0, width)], width, at, y)
            } else if rest >= lanes {
                columns::<S, 1, 1>(s, &part, [panel(0, width)], width, at, y)
            } else {
                edge::<S>(s, &part, panel(0, width), width, at, rest, y)
            }
        };
    }
}

/// The nonzero numbers in one part of some rows of x, and how their products go into y.
struct Part<'a> {
    entries: Ragged<'a, Entry>,
    /// The length of a row's part, zeros included.
    steps: usize,
    finish: Finish<'a>,
    /// The distance between two rows of y.
    stride: usize,
}

/// Numbers of a row of a panel where vectors have four.
const WIDE: usize = 4 * TOGETHER;

/// One panel of columns of y, where vectors have four numbers: a row of it is of a length that is known, so that finding it
/// takes one check.
#[inline(always)]
fn whole_panel<S: Simd>(s: S, part: &Part<'_>, panel: &[f32], y: &mut [f32]) -> usize {
    s.vectorize(
        #[inline(always)]
        || {
            let panel = panel.as_chunks::<WIDE>().0;
            for (row, entries) in part.entries.rows().enumerate() {
                let mut sums = [S::f32s::splat(s, 0.0); TOGETHER];
                for &(place, number) in entries {
                    let (w, number) = (&panel[place as usize], S::f32s::splat(s, number));
                    for v in 0..TOGETHER {
                        sums[v] = number.mul_add(S::f32s::from_slice(s, &w[4 * v..][..4]), sums[v]);
                    }
                }
                finish_row(s, sums, part.finish, &mut y[row * part.stride..][..WIDE]);
            }
        },
    );
    WIDE
}

/// `NP` times `NV` vectors of columns of y: of so many panels of rows of `width` numbers, from the number `at` on. Returns
/// how many columns those are.
#[inline(always)]
fn columns<S: Simd, const NP: usize, const NV: usize>(
    s: S,
    part: &Part<'_>,
    panels: [&[f32]; NP],
    width: usize,
    at: usize,
    y: &mut [f32],
) -> usize {
    s.vectorize(
        #[inline(always)]
        || {
            for (row, entries) in part.entries.rows().enumerate() {
                let y = &mut y[row * part.stride..];
                sums::<S, NP, NV>(s, entries, panels, width, at, part.finish, y);
            }
        },
    );
    NP * NV * S::f32s::LEN
}

/// The last columns, fewer than a vector.
#[inline(always)]
fn edge<S: Simd>(
    s: S,
    part: &Part<'_>,
    panel: &[f32],
    width: usize,
    at: usize,
    rest: usize,
    y: &mut [f32],
) -> usize {
    for (row, entries) in part.entries.rows().enumerate() {
        let mut scratch = [0.0; 16];
        sums::<S, 1, 1>(s, entries, [panel], width, at, Finish::Store, &mut scratch);
        let y = MatrixMut::new(&mut y[row * part.stride..], rest);
        finish_edge(1, &scratch, S::f32s::LEN, part.finish, y);
    }
    rest
}

/// The same vectors of one row of y.
#[inline(always)]
fn sums<S: Simd, const NP: usize, const NV: usize>(
    s: S,
    entries: &[Entry],
    panels: [&[f32]; NP],
    width: usize,
    at: usize,
    finish: Finish<'_>,
    y: &mut [f32],
) {
    let lanes = S::f32s::LEN;
    // Whole panels have rows of a length that is known, and are read without a check for each vector.
    let (width, at) = if NP * NV == TOGETHER { (NV * lanes, 0) } else { (width, at) };
    let mut sums = [[S::f32s::splat(s, 0.0); NV]; NP];
    for &(place, number) in entries {
        let (place, number) = (place as usize, S::f32s::splat(s, number));
        for q in 0..NP {
            let w = &panels[q][place * width + at..][..NV * lanes];
            for v in 0..NV {
                sums[q][v] = number.mul_add(S::f32s::from_slice(s, &w[v * lanes..][..lanes]), sums[q][v]);
            }
        }
    }
    for q in 0..NP {
        let at = q * NV * lanes;
        finish_row::<S, NV>(s, sums[q], finish.at_column(at), &mut y[at..]);
    }
}

/// Brings `NV` vectors of one row into y.
#[inline(always)]
fn finish_row<S: Simd, const NV: usize>(s: S, sums: [S::f32s; NV], finish: Finish<'_>, y: &mut [f32]) {
    let lanes = S::f32s::LEN;
    for v in 0..NV {
        let y = &mut y[v * lanes..][..lanes];
        let sum = match finish {
            Finish::Store => sums[v],
            Finish::Bias(bias) => sums[v] + S::f32s::from_slice(s, &bias[v * lanes..][..lanes]),
            Finish::Accumulate(beta) => S::f32s::from_slice(s, y).mul_add(S::f32s::splat(s, beta), sums[v]),
        };
        sum.store_slice(y);
    }
}

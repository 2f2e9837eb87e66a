//! Matrix product y = x·W for a sparse x, such as one-hot inputs: each row of y is a weighted sum of rows of W.

use super::nonzero::{Indices, STEPS, nonzero};
use super::pack::{PackedMatrix, panel_vectors};
use super::tile::{Finish, GemmArguments, finish_edge};
use crate::matrix::{Matrix, MatrixMut, Ragged};
use crate::simd::{Simd, SimdBase, SimdFloat};

/// Maximum number of rows of the sparse matrix x that a product x·W multiplies by a panel (group of columns) of W
/// before the next panel is read.
const ROWS: usize = 64;
/// Maximum number of nonzero elements in the rows of the sparse matrix x that a product x·W processes together.
const ENTRIES: usize = 4 * STEPS;
/// Number of rows of the matrix x that are sampled to estimate the fraction of its nonzero elements.
const SAMPLES: usize = 4;
/// Nonzero element of a row of a sparse matrix: column, counted from the first processed column, and value.
pub(super) type Entry = (u32, f32);

/// Number of SIMD vectors of a row of y = x·W that are summed in registers at a time.
const ROW_VECTORS: usize = 8;

/// Returns whether the product x·W, with x \[rows, k\], is faster if the zeros of x are skipped than in dense tiles.
/// The fraction of nonzero elements is estimated from a sample of rows. The threshold of 70 % is for SIMD levels with
/// vectors of four elements; wasm breaks even at about 75 %.
///
/// Returns `false` if W is narrower than one panel, because a sparse product then has too few independent sums. Returns
/// `false` if an element of W is infinite or NaN, because a sparse product would skip 0·∞.
#[inline(always)]
pub(super) fn is_faster(rows: usize, x: Matrix<'_>, w: &PackedMatrix) -> bool {
    if w.n() < WIDE || !w.is_finite() {
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
pub(super) fn nonzero_product<S: Simd>(s: S, GemmArguments { rows, x, w, finish, y }: GemmArguments<'_>) {
    assert_eq!(w.lanes(), S::f32s::LEN, "the matrix was packed for another SIMD level");
    let (mut room, mut entries) = ([0; _], [(0, 0.0); ENTRIES]);
    let mut first = 0;
    loop {
        // The first part of each row of x overwrites y, later parts add to y.
        let finish = if first == 0 { finish } else { Finish::Accumulate(1.0) };
        let steps = STEPS.min(w.k() - first);
        let mut row = 0;
        while row < rows {
            let (mut ends, mut count) = ([0; ROWS], 0);
            let mut end = 0;
            // Limits the block to rows that fit `entries` even if all elements are nonzero.
            while count < ROWS.min(rows - row) && end + steps <= ENTRIES {
                let x = &x.data[(row + count) * x.stride + first..][..steps];
                end = gather(s, x, &mut room, &mut entries, end);
                ends[count] = end;
                count += 1;
            }
            let entries = Ragged { values: &entries, start: 0, ends: &ends[..count] };
            let part = SparsePart { entries, steps, finish, stride: y.stride };
            block(s, &part, first, w, &mut y.data[row * y.stride..]);
            row += count;
        }
        first += steps;
        if first >= w.k() {
            break;
        }
    }
}

/// Computes the product x·W for rows of x in compressed form (CSR), with the final operation `finish`.
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
        let part = SparsePart { entries: Ragged { values, start, ends }, steps: w.k(), finish, stride };
        block(s, &part, 0, w, y);
        start = ends[ends.len() - 1];
    }
}

/// Appends the nonzero elements of `x`, a section of a row, to `entries` from index `end` on. Returns the new end.
/// `room` is scratch memory.
#[inline(always)]
fn gather<S: Simd>(s: S, x: &[f32], room: &mut Indices, entries: &mut [Entry; ENTRIES], end: usize) -> usize {
    let count = nonzero(s, x, room);
    for (entry, &place) in entries[end..end + count].iter_mut().zip(&room[..count]) {
        *entry = (place.into(), x[usize::from(place)]);
    }
    end + count
}

/// Multiplies a range of columns of x, which starts at column `first`, by the corresponding rows of W. Combines the
/// product with the result matrix y as `part.finish` states.
#[inline(always)]
fn block<S: Simd>(s: S, part: &SparsePart<'_>, first: usize, w: &PackedMatrix, y: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let (n, wide) = (w.n(), panel_vectors(lanes) * lanes);
    let mut column = 0;
    while column < n {
        let (rest, at) = (n - column, column % wide);
        let part = SparsePart { finish: part.finish.at_column(column), ..*part };
        // Returns a panel, from row `first` of W on.
        let panel = |q: usize, width: usize| {
            &w.data()[(column - at + q * wide) * w.k() + first * width..][..part.steps * width]
        };
        let y = &mut y[column..];
        column += if rest >= ROW_VECTORS * lanes && lanes == 4 {
            whole_panel(s, &part, panel(0, wide), y)
        } else if rest >= ROW_VECTORS * lanes {
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

/// Part of a product y = x·W with a sparse x: the nonzero elements of several rows in the same range of columns of x,
/// and the final operation that writes their products to y.
struct SparsePart<'a> {
    entries: Ragged<'a, Entry>,
    /// Number of columns in the range of the sparse matrix x from which `entries` are taken.
    steps: usize,
    finish: Finish<'a>,
    /// Distance between the starts of successive rows of the result y, in elements.
    stride: usize,
}

/// Width in columns of a panel (group of columns) of a packed matrix at SIMD levels with vectors of four `f32` values.
const WIDE: usize = 4 * ROW_VECTORS;

/// Computes the [`WIDE`] columns of y = x·W that one panel (group of columns) of W determines, at SIMD levels with
/// vectors of four `f32` values. Returns the number of computed columns. The constant panel width saves bounds checks.
#[inline(always)]
fn whole_panel<S: Simd>(s: S, part: &SparsePart<'_>, panel: &[f32], y: &mut [f32]) -> usize {
    s.vectorize(
        #[inline(always)]
        || {
            let panel = panel.as_chunks::<WIDE>().0;
            for (row, entries) in part.entries.rows().enumerate() {
                let mut sums = [S::f32s::splat(s, 0.0); ROW_VECTORS];
                for &(place, number) in entries {
                    let (w, number) = (&panel[place as usize], S::f32s::splat(s, number));
                    for v in 0..ROW_VECTORS {
                        sums[v] = number.mul_add(S::f32s::from_slice(s, &w[4 * v..][..4]), sums[v]);
                    }
                }
                finish_row(s, sums, part.finish, &mut y[row * part.stride..][..WIDE]);
            }
        },
    );
    WIDE
}

/// Computes columns of y = x·W from `NP` panels (groups of columns) of W, each `width` columns wide. Takes `NV` SIMD
/// vectors of columns from each panel, starting at its column `at`. Returns the number of computed columns.
#[inline(always)]
fn columns<S: Simd, const NP: usize, const NV: usize>(
    s: S,
    part: &SparsePart<'_>,
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

/// Computes the last `rest` columns of y = x·W, which are fewer than a SIMD vector, through a scratch vector. Returns
/// the number of computed columns.
#[inline(always)]
fn edge<S: Simd>(
    s: S,
    part: &SparsePart<'_>,
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

/// Computes columns of one row of y = x·W. `entries` are the nonzero elements (column, value) of the row of x. The
/// columns are `NV` SIMD vectors from each of `NP` panels (groups of columns) of W, from column `at` of the panel on.
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
    // Whole panels have a constant row length, which saves bounds checks.
    let (width, at) = if NP * NV == ROW_VECTORS { (NV * lanes, 0) } else { (width, at) };
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

/// Combines `NV` SIMD vectors of sums with a row of the result matrix as `finish` states, and writes them to the row.
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

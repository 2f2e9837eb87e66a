//! Sparse matrices in compressed sparse row (CSR) form.

use super::pack::{PackedLayout, PackedMatrix};
use super::sparse::{Entry, product_of_entries};
use super::tile::Finish;
use crate::matrix::{MatrixMut, Ragged};
use crate::simd::{Level, dispatch};
use std::ops::Range;

/// A sparse matrix in CSR form: the nonzero elements of each row with their columns.
#[derive(Clone, Debug, Default)]
pub struct SparseRows {
    /// Nonzero elements of all rows, concatenated: pairs (column, value). Entries after the last row are unspecified.
    entries: Vec<Entry>,
    /// Index in `entries` at which each row ends (exclusive).
    ends: Vec<usize>,
}

impl SparseRows {
    /// Creates an empty matrix with memory for `rows` rows of `numbers` entries each.
    #[must_use]
    pub fn with_capacity(rows: usize, numbers: usize) -> Self {
        Self { entries: vec![(0, 0.0); rows * numbers], ends: Vec::with_capacity(rows) }
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.ends.clear();
    }

    /// Appends a row, whose entries the function `write` appends. `most` is the maximum number of written entries,
    /// including entries that [`SparseRow::push_first`] discards.
    #[inline]
    pub fn add(&mut self, most: usize, write: impl FnOnce(&mut SparseRow<'_>)) {
        let start = self.start(self.len());
        if self.entries.len() < start + most {
            self.entries.resize(start + most, (0, 0.0));
        }
        let mut row = SparseRow { room: &mut self.entries[start..], len: 0 };
        write(&mut row);
        let len = row.len;
        self.ends.push(start + len);
    }

    /// Returns the number of rows of the matrix.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the matrix has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the entries (column, value) of all rows, row by row.
    #[must_use]
    pub fn entries(&self) -> &[(u32, f32)] {
        &self.entries[..self.start(self.len())]
    }

    /// Returns the index in [`entries`](Self::entries) at which each row ends (exclusive).
    #[must_use]
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Returns the index in `entries` at which a row starts.
    fn start(&self, row: usize) -> usize {
        if row == 0 { 0 } else { self.ends[row - 1] }
    }
}

/// Writer for the entries of one row of a [`SparseRows`] matrix.
#[derive(Debug)]
pub struct SparseRow<'a> {
    room: &'a mut [Entry],
    len: usize,
}

impl SparseRow<'_> {
    /// Appends an entry to the row: value `number` in column `place`. Matrix products sum the entries of a row in the
    /// order in which they were appended.
    #[inline(always)]
    pub fn push(&mut self, place: usize, number: f32) {
        self.push_first(1, [(place, number)]);
    }

    /// Appends the first `len` of the `N` entries (column, value) to the row, without an unpredictable branch: writes
    /// all `N` entries, and the next call overwrites the entries after `len`.
    ///
    /// # Panics
    /// If `len` is above `N`, or the remaining capacity of the row is below `N` entries.
    #[inline(always)]
    pub fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]) {
        assert!(len <= N, "{len} entries of {N}");
        for (entry, (place, number)) in self.room[self.len..][..N].iter_mut().zip(numbers) {
            *entry = (place as u32, number);
        }
        self.len += len;
    }
}

/// Computes y = x·W + b as [`gemm_sparse`](super::gemm_sparse) does, for a range of rows of a matrix x in CSR form.
/// Results are bitwise equal to the results of a dense x under two conditions: the columns of each row ascend, and W
/// has at most 1,024 rows and more than four columns.
///
/// # Panics
/// If `rows` is out of range, `y` has fewer rows, or a column of x is not below the number of rows of W.
pub fn gemm_sparse_rows(
    level: Level,
    x: &SparseRows,
    rows: Range<usize>,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    y: MatrixMut<'_>,
) {
    assert_eq!(y.columns, w.n(), "y and W differ in the number of columns");
    let len = rows.len().checked_sub(1).map_or(0, |last| last * y.stride + y.columns);
    let mut y = MatrixMut { data: &mut y.data[..len], ..y };
    let entries = Ragged { values: &x.entries, start: x.start(rows.start), ends: &x.ends[rows] };
    match w.layout() {
        PackedLayout::Panels => {
            let finish = bias.map_or(Finish::Store, |bias| Finish::Bias(&bias[..w.n()]));
            dispatch!(level, s => product_of_entries(s, entries, w, finish, y.from(0, 0)));
        }
        PackedLayout::Columns => few_columns(entries, w, bias, y.from(0, 0)),
    }
    if !w.is_finite() {
        add_skipped_products(entries, w, y);
    }
}

/// Computes y = x·W + b for an x in CSR form and a W of few columns, which is packed column by column.
fn few_columns(entries: Ragged<'_, Entry>, w: &PackedMatrix, bias: Option<&[f32]>, y: MatrixMut<'_>) {
    for (entries, y) in entries.rows().zip(y.data.chunks_mut(y.stride)) {
        let columns = w.data().chunks_exact(w.k().next_multiple_of(w.lanes()));
        for (j, (y, column)) in y.iter_mut().zip(columns).enumerate() {
            let sum: f32 =
                entries.iter().map(|&(place, number)| number * column[..w.k()][place as usize]).sum();
            *y = sum + bias.map_or(0.0, |bias| bias[j]);
        }
    }
}

/// Sets an element of y = x·W + b to NaN if the sparse product skipped one of its terms 0·∞ or 0·NaN.
#[cold]
fn add_skipped_products(entries: Ragged<'_, Entry>, w: &PackedMatrix, y: MatrixMut<'_>) {
    for (p, j) in (0..w.k()).flat_map(|p| (0..w.n()).map(move |j| (p, j))) {
        if w.at(p, j).is_finite() {
            continue;
        }
        for (entries, y) in entries.rows().zip(y.data.chunks_mut(y.stride)) {
            if !y[j].is_nan() && entries.iter().all(|&(place, _)| place as usize != p) {
                y[j] = f32::NAN;
            }
        }
    }
}

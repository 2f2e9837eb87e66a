//! Rows that are written down as the numbers in them that are not 0.

use super::pack::{Layout, PackedMatrix};
use super::sparse::{Entry, product_of_entries};
use super::tile::Finish;
use crate::matrix::{MatrixMut, Ragged};
use crate::simd::{Level, dispatch};
use std::ops::Range;

/// Sparse rows: their nonzero numbers with their places (CSR).
#[derive(Clone, Debug, Default)]
pub struct SparseRows {
    /// Entries after the last row's have no meaning.
    entries: Vec<Entry>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
}

impl SparseRows {
    /// No rows yet, with room for `rows` rows of `numbers` entries each.
    #[must_use]
    pub fn with_capacity(rows: usize, numbers: usize) -> Self {
        Self { entries: vec![(0, 0.0); rows * numbers], ends: Vec::with_capacity(rows) }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.ends.clear();
    }

    /// Adds the row that `write` writes: at most `most` entries, counting those that [`SparseRow::push_first`] discards.
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

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The entries of all rows, one row after the other: place and number of each.
    #[must_use]
    pub fn entries(&self) -> &[(u32, f32)] {
        &self.entries[..self.start(self.len())]
    }

    /// Where the entries of each row end.
    #[must_use]
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Where the numbers of the rows before this one end.
    fn start(&self, row: usize) -> usize {
        if row == 0 { 0 } else { self.ends[row - 1] }
    }
}

/// A row that is being written.
#[derive(Debug)]
pub struct SparseRow<'a> {
    room: &'a mut [Entry],
    len: usize,
}

impl SparseRow<'_> {
    /// Writes the next number and its place. Sums are taken in the order in which the numbers come.
    #[inline(always)]
    pub fn push(&mut self, place: usize, number: f32) {
        self.push_first(1, [(place, number)]);
    }

    /// Writes the first `len` of these numbers and their places. Room is needed for all `N`: they are always written, which
    /// avoids a branch that a processor cannot predict, and the next call overwrites the others.
    ///
    /// # Panics
    /// If `len` is above `N`, or there is no room for all.
    #[inline(always)]
    pub fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]) {
        assert!(len <= N, "{len} of {N} numbers");
        for (entry, (place, number)) in self.room[self.len..][..N].iter_mut().zip(numbers) {
            *entry = (place as u32, number);
        }
        self.len += len;
    }
}

/// y = x·W + b, as [`gemm_sparse`](super::gemm_sparse) has it, for some of such rows. Where the places of a row rise, its
/// sums are the same to the last bit as long as W has at most 1,024 rows and more than four columns.
pub fn gemm_sparse_rows(
    level: Level,
    x: &SparseRows,
    rows: Range<usize>,
    w: &PackedMatrix,
    bias: Option<&[f32]>,
    y: MatrixMut<'_>,
) {
    assert_eq!(y.columns, w.n(), "the matrix is of another shape");
    let entries = Ragged { values: &x.entries, start: x.start(rows.start), ends: &x.ends[rows] };
    match w.layout() {
        Layout::Panels => {
            let finish = bias.map_or(Finish::Store, |bias| Finish::Bias(&bias[..w.n()]));
            dispatch!(level, s => product_of_entries(s, entries, w, finish, y));
        }
        Layout::Columns => few_columns(entries, w, bias, y),
    }
}

/// The same for a W that is laid out column by column.
fn few_columns(entries: Ragged<'_, Entry>, w: &PackedMatrix, bias: Option<&[f32]>, y: MatrixMut<'_>) {
    for (entries, y) in entries.rows().zip(y.data.chunks_mut(y.stride)) {
        let columns = w.data().chunks_exact(w.k().next_multiple_of(w.lanes()));
        for (j, (y, column)) in y.iter_mut().zip(columns).enumerate() {
            let sum: f32 = entries.iter().map(|&(place, number)| number * column[place as usize]).sum();
            *y = sum + bias.map_or(0.0, |bias| bias[j]);
        }
    }
}

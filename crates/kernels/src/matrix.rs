//! Views of matrices and of rows of different lengths.

use std::ops::Range;

/// A row-major matrix in a slice. The last row may end where the slice does.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) columns: usize,
    pub(crate) stride: usize,
}

impl<'a> Matrix<'a> {
    /// Rows of `columns` numbers, one after the other.
    #[inline(always)]
    pub fn new(data: &'a [f32], columns: usize) -> Self {
        Self { data, columns, stride: columns }
    }

    /// Rows of `columns` numbers whose starts are `stride` apart: the leading dimension.
    ///
    /// # Panics
    /// If a row is longer than the leading dimension.
    #[inline(always)]
    pub fn strided(data: &'a [f32], columns: usize, stride: usize) -> Self {
        assert!(stride >= columns, "a leading dimension is shorter than its row");
        Self { data, columns, stride }
    }

    /// The part from this row and column on.
    #[inline(always)]
    pub(crate) fn from(self, row: usize, column: usize) -> Self {
        Self { data: &self.data[row * self.stride + column..], columns: self.columns - column, ..self }
    }
}

/// As [`Matrix`], to be written to.
#[derive(Debug)]
pub struct MatrixMut<'a> {
    pub(crate) data: &'a mut [f32],
    pub(crate) columns: usize,
    pub(crate) stride: usize,
}

impl<'a> MatrixMut<'a> {
    /// Rows of `columns` numbers, one after the other.
    #[inline(always)]
    pub fn new(data: &'a mut [f32], columns: usize) -> Self {
        Self { data, columns, stride: columns }
    }

    /// Rows of `columns` numbers whose starts are `stride` apart: the leading dimension.
    ///
    /// # Panics
    /// If a row is longer than the leading dimension.
    #[inline(always)]
    pub fn strided(data: &'a mut [f32], columns: usize, stride: usize) -> Self {
        assert!(stride >= columns, "a leading dimension is shorter than its row");
        Self { data, columns, stride }
    }

    /// The part from this row and column on.
    #[inline(always)]
    pub(crate) fn from(&mut self, row: usize, column: usize) -> MatrixMut<'_> {
        MatrixMut {
            data: &mut self.data[row * self.stride + column..],
            columns: self.columns - column,
            stride: self.stride,
        }
    }
}

/// Rows of different lengths one after the other (CSR): row r is `values[ends[r - 1]..ends[r]]`, and the first one begins at
/// `start`.
#[derive(Debug)]
pub struct Ragged<'a, T> {
    /// The values of all rows.
    pub values: &'a [T],
    /// Where the first row begins.
    pub start: usize,
    /// Where each row ends.
    pub ends: &'a [usize],
}

impl<T> Clone for Ragged<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ragged<'_, T> {}

impl<'a, T> Ragged<'a, T> {
    /// Where each row lies.
    #[inline(always)]
    pub(crate) fn ranges(self) -> impl Iterator<Item = Range<usize>> + use<'a, T> {
        let mut start = self.start;
        self.ends.iter().map(move |&end| std::mem::replace(&mut start, end)..end)
    }

    /// Each row.
    #[inline(always)]
    pub(crate) fn rows(self) -> impl Iterator<Item = &'a [T]> {
        self.ranges().map(move |range| &self.values[range])
    }
}

//! Matrix views, and rows of different lengths in one slice.

use std::ops::Range;

/// View of a row-major matrix whose rows start `stride` elements apart (leading dimension). The last row may end before
/// the stride.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) columns: usize,
    pub(crate) stride: usize,
}

impl<'a> Matrix<'a> {
    /// Creates a view with contiguous rows of `columns` elements.
    #[inline(always)]
    pub fn new(data: &'a [f32], columns: usize) -> Self {
        Self { data, columns, stride: columns }
    }

    /// Creates a view with rows of `columns` elements, which start `stride` elements apart (leading dimension).
    ///
    /// # Panics
    /// If `columns` exceeds `stride`.
    #[inline(always)]
    pub fn strided(data: &'a [f32], columns: usize, stride: usize) -> Self {
        assert!(stride >= columns, "a leading dimension is shorter than its row");
        Self { data, columns, stride }
    }

    /// Returns the view of the submatrix that starts at row `row` and column `column`.
    #[inline(always)]
    pub(crate) fn from(self, row: usize, column: usize) -> Self {
        Self { data: &self.data[row * self.stride + column..], columns: self.columns - column, ..self }
    }
}

/// Mutable view of a row-major matrix, like [`Matrix`].
#[derive(Debug)]
pub struct MatrixMut<'a> {
    pub(crate) data: &'a mut [f32],
    pub(crate) columns: usize,
    pub(crate) stride: usize,
}

impl<'a> MatrixMut<'a> {
    /// Creates a view with contiguous rows of `columns` elements.
    #[inline(always)]
    pub fn new(data: &'a mut [f32], columns: usize) -> Self {
        Self { data, columns, stride: columns }
    }

    /// Creates a view with rows of `columns` elements, which start `stride` elements apart (leading dimension).
    ///
    /// # Panics
    /// If `columns` exceeds `stride`.
    #[inline(always)]
    pub fn strided(data: &'a mut [f32], columns: usize, stride: usize) -> Self {
        assert!(stride >= columns, "a leading dimension is shorter than its row");
        Self { data, columns, stride }
    }

    /// Returns the view of the submatrix that starts at row `row` and column `column`.
    #[inline(always)]
    pub(crate) fn from(&mut self, row: usize, column: usize) -> MatrixMut<'_> {
        MatrixMut {
            data: &mut self.data[row * self.stride + column..],
            columns: self.columns - column,
            stride: self.stride,
        }
    }
}

/// Rows of different lengths, concatenated in one slice. Row r is `values[ends[r - 1]..ends[r]]`; the first row begins
/// at `start`.
#[derive(Debug)]
pub struct Ragged<'a, T> {
    /// Values of all rows, concatenated.
    pub values: &'a [T],
    /// Index in `values` at which the first row begins.
    pub start: usize,
    /// Index in `values` at which each row ends (exclusive).
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
    /// Iterates over the rows and returns the range of each row in `values`.
    #[inline(always)]
    pub(crate) fn ranges(self) -> impl Iterator<Item = Range<usize>> + use<'a, T> {
        let mut start = self.start;
        self.ends.iter().map(move |&end| std::mem::replace(&mut start, end)..end)
    }

    /// Returns an iterator over the rows, each a slice of `values`.
    #[inline(always)]
    pub(crate) fn rows(self) -> impl Iterator<Item = &'a [T]> {
        self.ranges().map(move |range| &self.values[range])
    }
}

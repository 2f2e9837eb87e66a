//! Weight matrices in the memory layout of the matrix products.

use crate::aligned::AlignedVec;
use crate::matrix::{Matrix, MatrixMut};
use crate::reduce::is_finite;
use crate::simd::{Level, lanes};

/// Maximum number of columns of W for which a product x·W is computed by dot products instead of tiles.
pub(super) const MAX_NARROW_COLUMNS: usize = 4;

/// Returns the width of a panel (a group of columns that is stored row by row) in SIMD vectors. A panel is as wide as
/// one tile, or as several tiles at SIMD levels with vectors of four `f32` values.
pub(super) const fn panel_vectors(lanes: usize) -> usize {
    if lanes == 4 { 8 } else { 2 }
}

/// Memory layout of a packed matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackedLayout {
    /// Panels: groups of a few SIMD vectors of columns, each stored row by row. The last panel may be narrower and is
    /// padded with zeros to whole vectors.
    Panels,
    /// Columns, each contiguous and padded with zeros to whole SIMD vectors.
    Columns,
}

/// A k×n weight matrix, packed once for many products.
#[derive(Clone, Debug)]
pub struct PackedMatrix {
    k: usize,
    n: usize,
    level: Level,
    lanes: usize,
    layout: PackedLayout,
    /// Whether all weights are finite. Only then, a product x·W skips the zeros of x, because 0·∞ is NaN.
    is_finite: bool,
    data: AlignedVec<f32>,
}

impl PackedMatrix {
    /// Creates a `k`×`n` zero matrix, packed for the SIMD level `level`.
    pub fn zeros(level: Level, k: usize, n: usize) -> Self {
        let lanes = lanes(level);
        let layout =
            if n <= MAX_NARROW_COLUMNS && k >= lanes { PackedLayout::Columns } else { PackedLayout::Panels };
        let len = match layout {
            PackedLayout::Panels => k * n.next_multiple_of(lanes),
            PackedLayout::Columns => k.next_multiple_of(lanes) * n,
        };
        Self { k, n, level, lanes, layout, is_finite: true, data: AlignedVec::zeros(len) }
    }

    /// Packs the row-major `k`×`n` matrix `w` for products x·W: x \[rows, k\] gives y \[rows, n\].
    ///
    /// # Panics
    /// If the length of `w` is not `k`·`n`.
    pub fn pack(level: Level, w: &[f32], k: usize, n: usize) -> Self {
        let mut packed = Self::zeros(level, k, n);
        packed.repack(w);
        packed
    }

    /// Packs the transpose of the row-major `k`×`n` matrix `w` for products dy·Wᵀ: dy \[rows, n\] gives dx \[rows, k\].
    ///
    /// # Panics
    /// If the length of `w` is not `k`·`n`.
    pub fn pack_transposed(level: Level, w: &[f32], k: usize, n: usize) -> Self {
        let mut packed = Self::zeros(level, n, k);
        packed.repack_transposed(w);
        packed
    }

    /// Replaces the weights by the row-major `k`×`n` matrix `w`, without allocating.
    ///
    /// # Panics
    /// If the length of `w` is not `k`·`n`.
    pub fn repack(&mut self, w: &[f32]) {
        let Self { k, n, .. } = *self;
        assert_eq!(w.len(), k * n, "the weights are not a {k}×{n} matrix");
        self.is_finite = is_finite(self.level, w);
        match self.layout {
            PackedLayout::Panels => {
                for (first, width, panel) in self.panels_mut() {
                    let columns = width.min(n - first);
                    for (packed, row) in panel.chunks_exact_mut(width).zip(w.chunks_exact(n)) {
                        packed[..columns].copy_from_slice(&row[first..first + columns]);
                    }
                }
            }
            PackedLayout::Columns => self.fill_columns(|p, j| w[p * n + j]),
        }
    }

    /// Replaces the weights by the transpose of the row-major `n`×`k` matrix `w`, without allocating.
    ///
    /// # Panics
    /// If the length of `w` is not `k`·`n`.
    pub fn repack_transposed(&mut self, w: &[f32]) {
        let Self { k, n, .. } = *self;
        assert_eq!(w.len(), k * n, "the weights are not a {n}×{k} matrix");
        self.is_finite = is_finite(self.level, w);
        match self.layout {
            PackedLayout::Panels => {
                for (first, width, panel) in self.panels_mut() {
                    for (column, row) in w[first * k..].chunks_exact(k).take(width).enumerate() {
                        for (packed, &w) in panel.chunks_exact_mut(width).zip(row) {
                            packed[column] = w;
                        }
                    }
                }
            }
            PackedLayout::Columns => self.fill_columns(|p, j| w[j * k + p]),
        }
    }

    fn fill_columns(&mut self, weight: impl Fn(usize, usize) -> f32) {
        for (j, column) in self.data.chunks_exact_mut(self.k.next_multiple_of(self.lanes)).enumerate() {
            for (p, packed) in column[..self.k].iter_mut().enumerate() {
                *packed = weight(p, j);
            }
        }
    }

    /// Returns the number of rows, which is the inner dimension of products x·W.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Returns the number of columns, which is the width of the product y = x·W.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Returns the allocated size of the packed matrix in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.data[..])
    }

    /// Asserts that operand and result fit a product y = x·W with this matrix W, \[k, n\]: x has k columns, and y has n
    /// columns.
    pub(super) fn check(&self, x: Matrix<'_>, y: &MatrixMut<'_>) {
        assert_eq!((x.columns, y.columns), (self.k, self.n), "x or y does not fit the shape of the matrix");
    }

    /// Returns the number of `f32` lanes of the SIMD vectors for which the matrix was packed.
    pub(super) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns whether all elements of the matrix are finite: neither infinite nor NaN.
    pub(super) fn is_finite(&self) -> bool {
        self.is_finite
    }

    /// Returns the element in row `p` and column `j`.
    pub(super) fn at(&self, p: usize, j: usize) -> f32 {
        match self.layout {
            PackedLayout::Panels => {
                let wide = panel_vectors(self.lanes) * self.lanes;
                let first = j / wide * wide;
                let width = wide.min(self.n.next_multiple_of(self.lanes) - first);
                self.data[first * self.k + p * width + j - first]
            }
            PackedLayout::Columns => self.data[j * self.k.next_multiple_of(self.lanes) + p],
        }
    }

    pub(super) fn layout(&self) -> PackedLayout {
        self.layout
    }

    /// Returns the packed elements of the matrix, in the order of its layout.
    pub(super) fn data(&self) -> &[f32] {
        &self.data
    }

    /// Iterates over the panels (groups of columns) of the packed matrix: index of the first column, padded width,
    /// elements.
    fn panels_mut(&mut self) -> impl Iterator<Item = (usize, usize, &mut [f32])> {
        let wide = panel_vectors(self.lanes) * self.lanes;
        let (k, padded) = (self.k, self.n.next_multiple_of(self.lanes));
        self.data.chunks_mut((wide * k).max(1)).enumerate().map(move |(index, panel)| {
            let first = index * wide;
            (first, wide.min(padded - first), panel)
        })
    }
}

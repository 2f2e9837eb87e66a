//! Weights laid out for the tiles that read them.

use crate::aligned::AlignedVec;
use crate::matrix::{Matrix, MatrixMut};
use crate::simd::{Level, lanes};

/// Up to this many columns, a product is a few dot products a row instead of a tile of mostly nothing.
pub(super) const NARROW: usize = 4;

/// Vectors of columns in a panel: as wide as a tile. Where vectors are short it is several tiles, so that a row of a panel
/// is long enough to be read on its own.
pub(super) const fn panel_vectors(lanes: usize) -> usize {
    if lanes == 4 { 8 } else { 2 }
}

/// How a packed matrix is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Panels of a few vectors of columns (the last of fewer where they are enough), one row of a panel after the other,
    /// padded with zeros to whole vectors.
    Panels,
    /// One column after the other, each padded with zeros to whole vectors.
    Columns,
}

/// A matrix of weights, k rows and n columns, laid out once for many products.
#[derive(Clone, Debug)]
pub struct PackedMatrix {
    k: usize,
    n: usize,
    lanes: usize,
    layout: Layout,
    data: AlignedVec<f32>,
}

impl PackedMatrix {
    /// A `k`×`n` matrix of zeros, in the layout that products at `level` read.
    pub fn zeros(level: Level, k: usize, n: usize) -> Self {
        let lanes = lanes(level);
        let layout = if n <= NARROW && k >= lanes { Layout::Columns } else { Layout::Panels };
        let len = match layout {
            Layout::Panels => k * n.next_multiple_of(lanes),
            Layout::Columns => k.next_multiple_of(lanes) * n,
        };
        Self { k, n, lanes, layout, data: AlignedVec::zeros(len) }
    }

    /// The row-major `k`×`n` matrix `w`: multiplying by it is x\[rows, k\] → y\[rows, n\].
    pub fn pack(level: Level, w: &[f32], k: usize, n: usize) -> Self {
        let mut packed = Self::zeros(level, k, n);
        packed.repack(w);
        packed
    }

    /// The transpose of the row-major `k`×`n` matrix `w`: multiplying by it is dy\[rows, n\] → dx\[rows, k\].
    pub fn pack_transposed(level: Level, w: &[f32], k: usize, n: usize) -> Self {
        let mut packed = Self::zeros(level, n, k);
        packed.repack_transposed(w);
        packed
    }

    /// Takes new weights, row-major `k`×`n`, without allocating.
    pub fn repack(&mut self, w: &[f32]) {
        let Self { k, n, .. } = *self;
        assert_eq!(w.len(), k * n, "the weights are not a {k}×{n} matrix");
        match self.layout {
            Layout::Panels => {
                for (first, width, panel) in self.panels_mut() {
                    let columns = width.min(n - first);
                    for (packed, row) in panel.chunks_exact_mut(width).zip(w.chunks_exact(n)) {
                        packed[..columns].copy_from_slice(&row[first..first + columns]);
                    }
                }
            }
            Layout::Columns => self.fill_columns(|p, j| w[p * n + j]),
        }
    }

    /// Takes new weights from the row-major `n`×`k` matrix `w`, transposed on the way, without allocating.
    pub fn repack_transposed(&mut self, w: &[f32]) {
        let Self { k, n, .. } = *self;
        assert_eq!(w.len(), k * n, "the weights are not a {n}×{k} matrix");
        match self.layout {
            Layout::Panels => {
                for (first, width, panel) in self.panels_mut() {
                    for (column, row) in w[first * k..].chunks_exact(k).take(width).enumerate() {
                        for (packed, &w) in panel.chunks_exact_mut(width).zip(row) {
                            packed[column] = w;
                        }
                    }
                }
            }
            Layout::Columns => self.fill_columns(|p, j| w[j * k + p]),
        }
    }

    fn fill_columns(&mut self, weight: impl Fn(usize, usize) -> f32) {
        for (j, column) in self.data.chunks_exact_mut(self.k.next_multiple_of(self.lanes)).enumerate() {
            for (p, packed) in column[..self.k].iter_mut().enumerate() {
                *packed = weight(p, j);
            }
        }
    }

    /// Rows of the matrix: the length of a row of x.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Columns of the matrix: the length of a row of y.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Bytes that its numbers take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.data[..])
    }

    /// Panics unless rows of x times the matrix are rows of y.
    pub(super) fn check(&self, x: Matrix<'_>, y: &MatrixMut<'_>) {
        assert_eq!((x.columns, y.columns), (self.k, self.n), "the matrix is of another shape");
    }

    /// The vector length that the matrix was packed for.
    pub(super) fn lanes(&self) -> usize {
        self.lanes
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// The packed numbers; what they mean depends on the layout.
    pub(super) fn data(&self) -> &[f32] {
        &self.data
    }

    /// Every panel: its first column, its width with the padding, its numbers.
    fn panels_mut(&mut self) -> impl Iterator<Item = (usize, usize, &mut [f32])> {
        let wide = panel_vectors(self.lanes) * self.lanes;
        let (k, padded) = (self.k, self.n.next_multiple_of(self.lanes));
        self.data.chunks_mut((wide * k).max(1)).enumerate().map(move |(index, panel)| {
            let first = index * wide;
            (first, wide.min(padded - first), panel)
        })
    }
}

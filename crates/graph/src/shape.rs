//! Per-row shapes.

use std::fmt;

/// Shape of a value for one row of the batch: one to three dimensions, row-major. The batch dimension is implicit.
///
/// Operations treat a row as [`lines`](Shape::lines) vectors ("lines") of [`width`](Shape::width) elements along the
/// last dimension. Policy logits `\[2\]` are one line; 128 token embeddings `\[128, 256\]` are 128 lines of width 256,
/// and a linear layer processes them like a batch that is 128 times larger.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    dims: [usize; 3],
    rank: usize,
}

impl Shape {
    /// Shape \[1\]: a scalar per row, such as a loss, a value or an advantage.
    pub const SCALAR: Shape = Shape { dims: [1, 1, 1], rank: 1 };

    /// Creates a shape. Returns `None` unless there are one to three dimensions of at least 1.
    pub fn new(dims: &[usize]) -> Option<Shape> {
        if dims.is_empty() || dims.len() > 3 || dims.contains(&0) {
            return None;
        }
        let mut padded = [1; 3];
        padded[..dims.len()].copy_from_slice(dims);
        Some(Shape { dims: padded, rank: dims.len() })
    }

    /// Returns the dimensions, without the batch dimension.
    pub fn dims(&self) -> &[usize] {
        &self.dims[..self.rank]
    }

    /// Returns the last dimension: the number of elements of each vector along that dimension.
    pub fn width(&self) -> usize {
        self.dims[self.rank - 1]
    }

    /// Returns the number of lines (vectors along the last dimension) in a row of the batch: the product of all
    /// dimensions but the last.
    pub fn lines(&self) -> usize {
        self.dims[..self.rank - 1].iter().product()
    }

    /// Returns the number of elements in a row of the batch: the product of all dimensions.
    pub fn size(&self) -> usize {
        self.lines() * self.width()
    }

    /// Returns the shape with the last dimension replaced by `width`.
    pub fn with_width(mut self, width: usize) -> Shape {
        self.dims[self.rank - 1] = width;
        self
    }

    /// Returns whether all dimensions but the last are equal in both shapes.
    pub fn same_lines(&self, other: &Shape) -> bool {
        self.rank == other.rank && self.dims[..self.rank - 1] == other.dims[..other.rank - 1]
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dims().fmt(f)
    }
}

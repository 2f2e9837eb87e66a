//! The shape of what one row of a batch holds.

use std::fmt;

/// The shape of a value *for one row*: one to three dimensions, row-major. The batch is never written down.
///
/// An operation sees a row as [`lines`](Shape::lines) lines of [`width`](Shape::width) numbers: everything but the last
/// dimension is just more lines. A policy's logits are `\[2\]`, one line; a sequence of 128 token vectors is `\[128, 256\]`,
/// 128 lines of 256, and a linear layer treats it like a batch that is 128 times longer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    dims: [usize; 3],
    rank: usize,
}

impl Shape {
    /// One number a row: a loss, a value, an advantage.
    pub const SCALAR: Shape = Shape { dims: [1, 1, 1], rank: 1 };

    /// A shape from its dimensions; `None` unless there are one to three and each is at least 1.
    pub fn new(dims: &[usize]) -> Option<Shape> {
        if dims.is_empty() || dims.len() > 3 || dims.contains(&0) {
            return None;
        }
        let mut padded = [1; 3];
        padded[..dims.len()].copy_from_slice(dims);
        Some(Shape { dims: padded, rank: dims.len() })
    }

    /// The dimensions.
    pub fn dims(&self) -> &[usize] {
        &self.dims[..self.rank]
    }

    /// The last dimension: how many numbers a line holds.
    pub fn width(&self) -> usize {
        self.dims[self.rank - 1]
    }

    /// The product of the other dimensions: how many lines a row holds.
    pub fn lines(&self) -> usize {
        self.dims[..self.rank - 1].iter().product()
    }

    /// How many numbers a row holds.
    pub fn size(&self) -> usize {
        self.lines() * self.width()
    }

    /// The same lines with another width.
    pub fn with_width(mut self, width: usize) -> Shape {
        self.dims[self.rank - 1] = width;
        self
    }

    /// Whether both have the same leading dimensions, so that they go together line by line.
    pub fn same_lines(&self, other: &Shape) -> bool {
        self.rank == other.rank && self.dims[..self.rank - 1] == other.dims[..other.rank - 1]
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dims().fmt(f)
    }
}

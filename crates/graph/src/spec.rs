//! What a parameter is: its name, its shape and its place among all parameters.

use std::ops::Range;

use vivarium_kernels::head;

use crate::init::Initializer;

/// A named part of the flat buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterSpec {
    /// The name, unique in its graph: `torso.0.weight`.
    pub name: String,
    /// The shape, row-major. A linear layer's weight is \[in, out\]: y = x·W.
    pub dims: Vec<usize>,
    /// Where it starts in the flat buffer: a multiple of 16 numbers, so that each parameter starts a cache line.
    pub offset: usize,
    /// How it starts out.
    pub initializer: Initializer,
    /// What it is for, if it is a matrix.
    pub role: ParameterRole,
}

/// What a matrix is for, which decides how it is laid out for products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ParameterRole {
    /// To multiply with.
    #[default]
    Matrix,
    /// A table that rows are looked up in, and nothing else.
    Table,
    /// To multiply with as its transpose, which may be wide: the head over a vocabulary. It may be a table as well.
    Head,
}

impl ParameterSpec {
    /// How many numbers it holds.
    #[allow(clippy::len_without_is_empty)] // It is never empty.
    pub fn len(&self) -> usize {
        self.dims.iter().product()
    }

    /// Whether weight decay shrinks it: a matrix or a table, but no bias, gain or deviation, which are not what a network fits
    /// too closely by (Loshchilov and Hutter, 2019, as it is used since GPT-3).
    pub fn decays(&self) -> bool {
        self.dims.len() > 1
    }

    /// How many of its rows are packed together.
    pub(crate) fn chunk_rows(&self) -> usize {
        if self.role == ParameterRole::Head { head::CHUNK } else { self.dims[0] }
    }

    /// Where it lies in the flat buffer.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.len()
    }
}

/// The parameter of this name.
pub(crate) fn named<'a>(specs: &'a [ParameterSpec], name: &str) -> Option<&'a ParameterSpec> {
    specs.iter().find(|spec| spec.name == name)
}

/// The length of the flat buffer that holds all of `specs`.
pub(crate) fn flat_len(specs: &[ParameterSpec]) -> usize {
    specs.last().map_or(0, |last| last.range().end.next_multiple_of(16))
}

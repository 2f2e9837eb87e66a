//! Parameter metadata: name, shape, offset, initializer and role.

use std::ops::Range;

use vivarium_kernels::head;

use crate::init::Initializer;

/// Metadata of a parameter, including its position in the flat parameter buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterSpec {
    /// Name of the parameter, unique in the graph, such as `torso.0.weight`.
    pub name: String,
    /// Shape of the parameter, row-major. The weight of a linear layer is \[in, out\]: y = x·W.
    pub dims: Vec<usize>,
    /// Offset of the parameter in the flat parameter buffer, a multiple of 16 elements (one cache line).
    pub offset: usize,
    /// Distribution from which the parameter's initial values are drawn.
    pub initializer: Initializer,
    /// Role of the parameter in matrix products.
    pub role: ParameterRole,
}

/// Role of a parameter in matrix products, which determines how the parameter is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ParameterRole {
    /// Weight matrix W of products x·W. Also the role of vectors, such as biases, which are not packed.
    #[default]
    Matrix,
    /// Embedding table or other parameter that is not an operand of a matrix product.
    Table,
    /// Output head W of products x·Wᵀ over a wide vocabulary. May be tied to an embedding table.
    Head,
}

impl ParameterSpec {
    /// Returns the number of elements of the parameter.
    #[allow(clippy::len_without_is_empty)] // A parameter is never empty.
    pub fn len(&self) -> usize {
        self.dims.iter().product()
    }

    /// Returns whether weight decay applies to the parameter: to matrices and tables, not to vectors (biases, gains and
    /// standard deviations).
    pub fn decays(&self) -> bool {
        self.dims.len() > 1
    }

    /// Returns the number of matrix rows in a chunk, a block of rows that is packed separately: a constant for an
    /// output head, all rows for any other matrix.
    pub(crate) fn chunk_rows(&self) -> usize {
        if self.role == ParameterRole::Head { head::CHUNK } else { self.dims[0] }
    }

    /// Returns the parameter's range in the flat parameter and gradient buffers.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.len()
    }
}

/// Returns the metadata of the parameter with this name.
pub(crate) fn named<'a>(specs: &'a [ParameterSpec], name: &str) -> Option<&'a ParameterSpec> {
    specs.iter().find(|spec| spec.name == name)
}

/// Returns the length of the flat buffer of all `specs`, with padding.
pub(crate) fn flat_len(specs: &[ParameterSpec]) -> usize {
    specs.last().map_or(0, |last| last.range().end.next_multiple_of(16))
}

//! Operands of recorded kernels: word offsets in buffers.

use vivarium_graph::Activation;
use vivarium_kernels::epilogue::{Epilogue, EpilogueActivation};

use crate::Buffer;

/// Word offsets of the parameters of a layer norm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NormOffsets {
    /// Scale γ, \[width\].
    pub scale: usize,
    /// Shift β, \[width\].
    pub shift: usize,
}

/// Epilogue of a kernel: offsets of a layer norm's parameters in the parameter buffer, of matrices in the arena.
pub type OperandEpilogue = Epilogue<NormOffsets, usize>;

/// Returns the offsets of the residual, and of the values that the derivative of the activation reads; 0 for none.
pub(crate) fn epilogue_offsets(epilogue: &OperandEpilogue) -> [usize; 2] {
    let saved = match epilogue.activation {
        EpilogueActivation::Forward(_) => 0,
        EpilogueActivation::Gradient { saved, .. } => saved,
    };
    [epilogue.residual.unwrap_or(0), saved]
}

/// Returns the uniforms of the epilogue's operands in the arena: `residual`, and `saved`, the operand of the activation's
/// derivative.
pub(crate) fn epilogue_uniforms(epilogue: &OperandEpilogue) -> impl Iterator<Item = (&'static str, usize)> {
    let saved = match epilogue.activation {
        EpilogueActivation::Gradient { activation, saved } if activation != Activation::None => Some(saved),
        EpilogueActivation::Gradient { .. } | EpilogueActivation::Forward(_) => None,
    };
    epilogue.residual.map(|at| ("residual", at)).into_iter().chain(saved.map(|at| ("saved", at)))
}

/// Parameter gradients as partial sums over slices of the batch, borrowed. Slice `s` starts at word `s * stride` and
/// has one number for each parameter, summed over the s-th part of the rows.
#[derive(Clone, Copy, Debug)]
pub struct GradientSlicesView<'a> {
    /// Buffer of all gradient slices.
    pub buffer: &'a Buffer,
    /// Number of gradient slices.
    pub count: usize,
    /// Distance between the starts of successive gradient slices in words, at least the number of parameters.
    pub stride: usize,
}

impl GradientSlicesView<'_> {
    /// Returns the number of batch rows per gradient slice, for a batch of `rows` rows.
    pub fn rows(&self, rows: usize) -> usize {
        rows.div_ceil(self.count)
    }

    pub(crate) fn check_bounds(&self, what: &str, start: usize, len: usize) {
        check_bounds(self.buffer, what, (self.count - 1) * self.stride + start, len);
    }

    /// Returns the number of gradient slices for `rows` rows and `parameters` parameters: enough slices to occupy a
    /// large GPU, and few enough that their summation is cheap.
    pub fn count_for(rows: usize, parameters: usize) -> usize {
        /// Minimum number of rows in a slice.
        const ROWS: usize = 128;
        const MOST: usize = 128;
        /// Maximum number of elements in all slices together (64 MiB).
        const NUMBERS: usize = 16 << 20;
        (rows / ROWS).min(MOST).min(NUMBERS / parameters.max(1)).max(1)
    }
}

/// Asserts that an operand lies within its buffer.
pub(crate) fn check_bounds(buffer: &Buffer, what: &str, start: usize, len: usize) {
    assert!(start + len <= buffer.len(), "{what} ({len} words at {start}) goes beyond {buffer:?}");
}

/// Returns whether all values are multiples of four.
pub(crate) fn are_multiples_of_4(words: &[usize]) -> bool {
    words.iter().all(|&word| word.is_multiple_of(4))
}

//! Operands of recorded kernels: word offsets in buffers.

use vivarium_kernels::epilogue::{Epilogue, EpilogueActivation, Norm};

use crate::Buffer;

/// Fused epilogue of a kernel: norm, residual addition and activation, applied to the kernel's result. Operands are
/// word offsets: of the norm's parameters in the parameter buffer, of matrices in the arena.
pub type OperandEpilogue = Epilogue<usize, usize>;

/// Returns the uniforms for the word offsets of a norm's parameters (scale and shift), as pairs (uniform name, offset
/// in the parameter buffer).
pub(crate) fn norm_uniforms(norm: &Norm<usize>) -> impl Iterator<Item = (&'static str, usize)> + use<> {
    [("scale", norm.scale())].into_iter().chain(norm.shift().map(|at| ("shift", at)))
}

/// Returns the word offsets, in the arena, of the matrices that an epilogue reads: its residual, and the values from
/// which its activation's derivative is computed. The offset of an operand that the epilogue lacks is 0.
pub(crate) fn epilogue_offsets(epilogue: &OperandEpilogue) -> [usize; 2] {
    let saved = match epilogue.activation {
        EpilogueActivation::None | EpilogueActivation::Forward(_) => 0,
        EpilogueActivation::Gradient { saved, .. } => saved,
    };
    [epilogue.residual.unwrap_or(0), saved]
}

/// Returns the uniforms through which a shader receives the arena offsets of its epilogue's operands, as pairs (uniform
/// name, word offset): `residual`, and `saved`, the values from which the activation's derivative is computed.
pub(crate) fn epilogue_uniforms(epilogue: &OperandEpilogue) -> impl Iterator<Item = (&'static str, usize)> {
    let saved = match epilogue.activation {
        EpilogueActivation::Gradient { saved, .. } => Some(saved),
        EpilogueActivation::None | EpilogueActivation::Forward(_) => None,
    };
    epilogue.residual.map(|at| ("residual", at)).into_iter().chain(saved.map(|at| ("saved", at)))
}

/// Borrowed view of parameter gradients as partial sums over slices of the batch. Slice `s` starts at word `s *
/// stride`. It holds the whole flat gradient, summed over the s-th part of the batch rows.
#[derive(Clone, Copy, Debug)]
pub struct GradientSlicesView<'a> {
    /// Device buffer that holds all gradient slices: the parameter gradients, summed over each part of the batch.
    pub buffer: &'a Buffer,
    /// Number of gradient slices in the buffer, one for each part of the batch.
    pub count: usize,
    /// Distance in words between the starts of successive gradient slices (gradients of all parameters); at least the
    /// number of parameters.
    pub stride: usize,
}

impl GradientSlicesView<'_> {
    /// Returns the number of consecutive batch rows whose gradients are summed in each gradient slice, for a batch of
    /// `rows` rows.
    pub fn rows(&self, rows: usize) -> usize {
        rows.div_ceil(self.count)
    }

    pub(crate) fn check_bounds(&self, what: &str, start: usize, len: usize) {
        check_bounds(self.buffer, what, (self.count - 1) * self.stride + start, len);
    }

    /// Returns the number of gradient slices (partial sums over parts of the rows) for matrices of `rows` rows and for
    /// `parameters` parameters: enough slices to occupy a large GPU, and few enough that their summation is cheap.
    pub fn count_for(rows: usize, parameters: usize) -> usize {
        /// Minimum number of matrix rows over which one gradient slice (partial sum of the gradients) is summed.
        const ROWS: usize = 128;
        const MOST: usize = 128;
        /// Maximum total size of the gradient slices (gradients summed over parts of the batch) in f32 values: 64 MiB.
        const NUMBERS: usize = 16 << 20;
        (rows / ROWS).min(MOST).min(NUMBERS / parameters.max(1)).max(1)
    }
}

/// Asserts that an operand of `len` words at word offset `start` lies within its buffer. `what` names the operand.
pub(crate) fn check_bounds(buffer: &Buffer, what: &str, start: usize, len: usize) {
    assert!(start + len <= buffer.len(), "{what} ({len} words at {start}) goes beyond {buffer:?}");
}

/// Returns whether all values are multiples of four.
pub(crate) fn are_multiples_of_4(words: &[usize]) -> bool {
    words.iter().all(|&word| word.is_multiple_of(4))
}
